"""The recorded replays beside a title: valid, ending as they say, and showing every step."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from umpire_ledger.desk.sitting import open_ledger
from umpire_ledger.ledger import replay_log
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.trial import Trial

STATED = ("accounts", "turn", "ended")
_RECORD = "record one: `python -m umpire_ledger.testing.record TITLE SCENARIO.toml ORDERS.jsonl`"


def files_of(trial: Trial) -> list[Path]:
    """The recorded replays, by name."""
    return sorted((trial.fixtures / "replays").glob("*.jsonl"))


def fold(trial: Trial) -> Iterator[Finding]:
    """Each file is read, verified and folded."""
    files = files_of(trial)
    if not files:
        yield Finding(what="there is no recorded replay", remedy=_RECORD, about="replays")
    for file in files:
        with file.open("rb") as stream:
            verdict = replay_log.verify(stream)
        if verdict.verdict != "VALID":
            what = f"{file.name} is {verdict.verdict}: {verdict.reason}"
            yield Finding(what=what, remedy="bring the file back as it was; a replay is never edited", about=file.stem)
        elif differs := _differences(file):
            what = f"{file.name} does not fold to its stated end"
            yield Finding(what=what, remedy=_RECORD, about=file.stem, differs=differs)


def _differences(file: Path) -> str:
    with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
        state = ledger.state(replay_log.read_into(ledger, stream))
    stated = msgspec.json.decode(file.with_suffix(".end.json").read_bytes())
    found = {"accounts": dict(state.accounts), "turn": state.turn, "ended": state.ended}
    return "; ".join(f"{name}: {found[name]}, stated {stated[name]}" for name in STATED if found[name] != stated[name])


def steps(trial: Trial) -> Iterator[Finding]:
    """Every printed leaf is opened or passed in one of the files."""
    seen: set[str] = set()
    for file in files_of(trial):
        for line in file.read_bytes().splitlines():
            event = msgspec.json.decode(line).get("event", {})
            if event.get("type") in ("step.opened", "step.closed", "step.passed"):
                seen.add(event["step"])
    for step in trial.title.plan.leaves():
        if step.id not in seen:
            what = f"no recorded replay comes to {step.id} {step.name}"
            yield Finding(what=what, remedy=_RECORD, about=step.id)
