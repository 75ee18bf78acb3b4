"""Check that another process, with another hash seed, clock and state of `random`, decides orders the same way."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import msgspec

from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.testing.examples import Script
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.title_under_test import Trial

HASH_SEED = "4021"
FAR_AWAY = "Pacific/Kiritimati"
"""A time zone 14 hours ahead of UTC, so that its date usually differs from the local date."""
_REMEDY = (
    "sort values taken from a set or a map of the game wherever their order could matter; do not use `hash()`, `id()`"
    " or the clock"
)


class RerunRequest(msgspec.Struct, kw_only=True):
    """A request to another process to decide orders again."""

    reference: str
    scenarios: list[str]
    scripts: list[Script]


def elsewhere(trial: Trial) -> Iterator[Finding]:
    """Decide the first orders of each random game again in another process, and yield the differences."""
    if not trial.reference:
        what = "another process cannot find the title: it is not an attribute of a module"
        yield Finding(what=what, remedy="give the trial its reference, `module:TITLE`", about="reference")
        return
    scripts = trial.observed.scripts
    given = RerunRequest(reference=trial.reference, scenarios=[str(file) for file in trial.files], scripts=scripts)
    done = another_process(msgspec.json.encode(given), environment(trial.reference))
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        yield Finding(what=f"the other process failed: {' '.join(last)}", remedy=_REMEDY, about="process")
        return
    for script, again in zip(scripts, msgspec.json.decode(done.stdout, type=list[Script]), strict=True):
        yield from _compared(script, again)


def another_process(given: bytes, environment: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Run another process that decides the orders of a request again, and return the completed process."""
    command = [sys.executable, "-m", "umpire_ledger.testing.subprocess_replay"]
    return subprocess.run(command, input=given, env=environment, capture_output=True, check=False)


def environment(reference: str) -> dict[str, str]:
    """Return environment variables with another hash seed and time zone, and a path to the title's package."""
    module = import_module(reference.partition(":")[0])
    depth = module.__name__.count(".") + hasattr(module, "__path__")
    home = [str(Path(module.__file__).absolute().parents[depth])] if module.__file__ else []
    path = os.pathsep.join([*home, *(entry or os.getcwd() for entry in sys.path)])
    hash_seed = HASH_SEED if os.environ.get("PYTHONHASHSEED") != HASH_SEED else "1"
    return {**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": FAR_AWAY, "PYTHONPATH": path}


def _compared(script: Script, again: Script) -> Iterator[Finding]:
    """Yield a finding about the first order that two processes decide differently; later orders are in other games."""
    if script.opening != again.opening:
        what, differs = "another process opens the game otherwise", difference(script.opening, again.opening)
        yield Finding(what=what, remedy=_REMEDY, about="opening", differs=differs, seed=script.seed)
        return
    for number, (order, here, there) in enumerate(zip(script.orders, script.events, again.events, strict=False)):
        if here != there:
            name = msgspec.json.decode(order)["order"]
            yield Finding(
                what=f"another process decides {name} otherwise",
                remedy=_REMEDY,
                about=name,
                differs=difference(here, there),
                order=order,
                seed=script.seed,
                number=number,
            )
            return


def difference(here: str, there: str) -> str:
    """Return the first difference between two lists of events in JSON."""
    try:
        ours, theirs = msgspec.json.decode(here), msgspec.json.decode(there)
    except msgspec.DecodeError:
        return f"here {here}, there {there}"
    pairs = zip(ours, theirs, strict=False)
    one, other = next(
        ((a, b) for a, b in pairs if a != b), (counted(len(ours), "event"), counted(len(theirs), "event"))
    )
    return f"here {_text(one)}, there {_text(other)}"


def _text(value: object) -> str:
    return value if isinstance(value, str) else str(msgspec.json.encode(value), "utf-8")
