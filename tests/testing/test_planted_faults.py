"""Faults planted in a copy of Two Rivers, one at a time: exactly the promise that is about it fails.

`planted_faults.toml` beside this file lists them, with the source as a stranger might have written it.
"""

import shutil
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from umpire_ledger.domain.titles import load
from umpire_ledger.testing import PROMISES, Trial, Verdict, verdicts

TWO_RIVERS = Path(__file__).parents[1] / "titles" / "two_rivers" / "two_rivers"
REFERENCE = "two_rivers:TITLE"
ORDERS = 600


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text of a file that becomes another."""

    file: str
    old: str
    new: str


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is changed, the promise that fails, and what its finding names and says."""

    name: str
    promise: str
    says: str
    about: str = ""
    change: tuple[Change, ...]


FAULTS = msgspec.convert(
    tomllib.loads(Path(__file__).with_name("planted_faults.toml").read_text())["fault"],
    list[Fault],
)


def copy_with(changes: Sequence[Change], folder: Path) -> None:
    """A copy of the package with these changes."""
    package = folder / "two_rivers"
    shutil.copytree(TWO_RIVERS, package, ignore=shutil.ignore_patterns("__pycache__"))
    for change in changes:
        file = package / change.file
        text = file.read_text(encoding="utf-8")
        assert text.count(change.old) == 1, f"{change.old!r} stands {text.count(change.old)} times in {change.file}"
        file.write_text(text.replace(change.old, change.new), encoding="utf-8")


def forget() -> dict[str, object]:
    """Take whatever Two Rivers is imported out of Python's memory; gives it."""
    names = [name for name in sys.modules if name.partition(".")[0] == "two_rivers"]
    return {name: sys.modules.pop(name) for name in names}


@contextmanager
def on_trial(folder: Path) -> Iterator[Trial]:
    """The package in a folder on trial; afterwards it cannot be imported any more."""
    before = forget()
    sys.path.insert(0, str(folder))
    try:
        yield Trial(load(REFERENCE), reference=REFERENCE, orders=ORDERS)
    finally:
        sys.path.remove(str(folder))
        forget()
        sys.modules.update(before)  # type: ignore[arg-type] # modules all of them


def tried(folder: Path, changes: Sequence[Change] = ()) -> list[Verdict]:
    """What the promises say about Two Rivers with these changes."""
    copy_with(changes, folder)
    with on_trial(folder) as trial:
        return list(verdicts(trial))


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_exactly_the_promise_that_is_about_it_fails(fault: Fault, tmp_path: Path) -> None:
    found = tried(tmp_path, fault.change)
    broken = {verdict.promise: verdict for verdict in found if verdict.state == "broken"}
    assert list(broken) == [fault.promise], "\n".join(verdict.text() for verdict in broken.values())
    findings = broken[fault.promise].findings
    assert any(fault.says in one.what and fault.about in ("", one.about) for one in findings), findings
    assert all(one.remedy for one in findings)


def test_two_rivers_as_it_is_keeps_every_promise(tmp_path: Path) -> None:
    found = tried(tmp_path)
    assert [verdict.promise for verdict in found] == [promise.name for promise in PROMISES]
    assert {verdict.state for verdict in found} == {"held"}


def test_every_promise_that_a_title_can_break_by_itself_is_broken_here() -> None:
    """The ledger keeps the others, or the order that breaks one of them breaks one of these first."""
    of_the_ledger = {"seed-unseen", "replayed", "snapshots", "exported", "rewound", "refused-untouched"}
    never_alone = {"replays-show-steps"}
    assert {fault.promise for fault in FAULTS} == {one.name for one in PROMISES} - of_the_ledger - never_alone
