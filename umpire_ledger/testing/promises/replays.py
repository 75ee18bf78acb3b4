"""Check that recorded replays are valid, decide to the same events, reach the stated end, and cover every step."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from umpire_ledger.desk.core.open_ledger import open_ledger
from umpire_ledger.ledger import replay_log
from umpire_ledger.testing.decided_again import differences
from umpire_ledger.testing.examples import text_of
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.record import end_of
from umpire_ledger.testing.title_under_test import Trial

STATED = ("accounts", "turn", "ended")
"""The parts of the end state that every recorded game states; some state more, such as winner and fates of units."""
_RECORD = "record one: `python -m umpire_ledger.testing.record TITLE SCENARIO.toml ORDERS.jsonl`"
_DECIDE = "correct the decision; record the game again if the rule was changed on purpose"


def files_of(trial: Trial) -> list[Path]:
    """Return the files of recorded replays, sorted by name."""
    return sorted((trial.fixtures / "replays").glob("*.jsonl"))


def fold(trial: Trial) -> Iterator[Finding]:
    """Check that each file can be read and verified, and rebuilds to its stated end."""
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


def decide(trial: Trial) -> Iterator[Finding]:
    """Decide each recorded order again with its dice results; yield the first difference of each kind of order."""
    for file in files_of(trial):
        seen: set[str] = set()
        with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
            name = replay_log.read_into(ledger, stream)
            for one in differences(ledger, name, trial.title):
                if (order := str(one.order["order"])) not in seen:
                    seen.add(order)
                    what = f"{file.name}: {order} (#{one.position}) produces events other than those recorded"
                    text = text_of(one.order)
                    yield Finding(what=what, remedy=_DECIDE, about=file.stem, differs=one.differs, order=text)


def _differences(file: Path) -> str:
    with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
        state = ledger.state(replay_log.read_into(ledger, stream))
    stated = msgspec.json.decode(file.with_suffix(".end.json").read_bytes())
    found, names = end_of(state), dict.fromkeys((*STATED, *stated))
    return "; ".join(
        f"{name}: {found.get(name)}, stated {stated.get(name)}" for name in names if found.get(name) != stated.get(name)
    )


def steps(trial: Trial) -> Iterator[Finding]:
    """Check that at least one file opens or passes each printed step."""
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
