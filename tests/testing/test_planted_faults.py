"""Plant faults in copies of two small titles, one at a time, and check that exactly the right contract check fails.

`planted_faults.toml` lists the faults in Two Rivers, and `planted_in_three_fords.toml` those in Three Fords, a game
with hidden hands of cards. Each fault is a change that another author might have made.
"""

import shutil
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from tests.face.domain import load
from tests.face.testing import determinism
from tests.testing.another_process import Copying, copying
from umpire_ledger.testing import PROMISES, Trial, Verdict, verdicts

HERE = Path(__file__).parent
TITLES = {"two_rivers": HERE.parent / "titles" / "two_rivers" / "two_rivers", "three_fords": HERE / "three_fords"}
ORDERS = 300


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A replacement of a text in a file."""

    file: str
    old: str
    new: str


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A change, the check that then fails, and the words of its finding. `also`: other checks that fail too."""

    name: str
    promise: str
    says: str
    about: str = ""
    also: tuple[str, ...] = ()
    change: tuple[Change, ...]


def faults_in(name: str) -> list[Fault]:
    """Read the faults of a file in this folder."""
    return msgspec.convert(tomllib.loads((HERE / name).read_text(encoding="utf-8"))["fault"], list[Fault])


FAULTS = {"two_rivers": faults_in("planted_faults.toml"), "three_fords": faults_in("planted_in_three_fords.toml")}
KNOWN = [
    pytest.param(package, fault, id=f"{package}-{fault.name}")
    for package, faults in FAULTS.items()
    for fault in faults
    if fault.promise
]
AIM = 40
"""Number of the 42 faults in Three Fords that are caught; the other two require knowledge of the game's rules."""


def copy_with(package: str, changes: Sequence[Change], folder: Path) -> None:
    """Copy a package to a folder, with these changes."""
    copy = folder / package
    shutil.copytree(TITLES[package], copy, ignore=shutil.ignore_patterns("__pycache__"))
    for change in changes:
        file = copy / change.file
        text = file.read_text(encoding="utf-8")
        assert text.count(change.old) == 1, f"{change.old!r} is {text.count(change.old)} times in {change.file}"
        file.write_text(text.replace(change.old, change.new), encoding="utf-8")


def forget(package: str) -> dict[str, object]:
    """Remove an imported package from `sys.modules`, and return its modules."""
    names = [name for name in sys.modules if name.partition(".")[0] == package]
    return {name: sys.modules.pop(name) for name in names}


@contextmanager
def on_trial(package: str, folder: Path) -> Iterator[Trial]:
    """Yield the trial of a package in a folder; afterwards the package can no longer be imported."""
    before, reference = forget(package), f"{package}:TITLE"
    sys.path.insert(0, str(folder))
    try:
        yield Trial(load(reference), reference=reference, orders=ORDERS)
    finally:
        sys.path.remove(str(folder))
        forget(package)
        sys.modules.update(before)  # type: ignore[arg-type] # modules all of them


def tried(package: str, folder: Path, changes: Sequence[Change] = ()) -> list[Verdict]:
    """Return the verdicts about a package with these changes."""
    copy_with(package, changes, folder)
    with on_trial(package, folder) as trial:
        return list(verdicts(trial))


def broken_in(found: Sequence[Verdict]) -> dict[str, Verdict]:
    """Return the verdicts that are broken, by contract check."""
    return {verdict.promise: verdict for verdict in found if verdict.state == "broken"}


@pytest.fixture(scope="module")
def copies() -> Iterator[Copying]:
    with copying() as process:
        yield process


ELSEWHERE = "another-process"


@pytest.mark.parametrize(("package", "fault"), KNOWN)
def test_exactly_the_promise_that_is_about_it_fails(
    package: str, fault: Fault, tmp_path: Path, copies: Copying, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Start a new process only for the promise about processes; otherwise a copy of a running process decides."""
    if ELSEWHERE not in (fault.promise, *fault.also):
        monkeypatch.setattr(determinism, "another_process", copies.decide)
    broken = broken_in(tried(package, tmp_path, fault.change))
    assert set(broken) == {fault.promise, *fault.also}, "\n".join(verdict.text() for verdict in broken.values())
    findings = broken[fault.promise].findings
    assert any(fault.says in one.what and fault.about in ("", one.about) for one in findings), findings
    assert all(one.remedy for one in findings)


def test_copy_finds_what_a_new_process_finds(tmp_path: Path, copies: Copying, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(determinism, "another_process", copies.decide)
    planted = [(name, fault) for name, faults in FAULTS.items() for fault in faults if fault.promise == ELSEWHERE]
    found = [
        ELSEWHERE in broken_in(tried(name, tmp_path / str(number), fault.change))
        for number, (name, fault) in enumerate(planted)
    ]
    assert any(found)  # two orders of one small set may be alike by chance


@pytest.mark.parametrize("package", TITLES)
def test_title_without_a_fault_keeps_every_promise(package: str, tmp_path: Path) -> None:
    found = tried(package, tmp_path)
    assert [verdict.promise for verdict in found] == [promise.name for promise in PROMISES]
    assert {verdict.state for verdict in found} == {"held"}


def test_faults_in_three_fords_that_are_known_reach_the_aim() -> None:
    faults = FAULTS["three_fords"]
    assert (sum(bool(fault.promise) for fault in faults), len(faults)) == (AIM, 42)


UNKNOWN = [pytest.param(fault, id=fault.name) for fault in FAULTS["three_fords"] if not fault.promise]


@pytest.mark.parametrize("fault", UNKNOWN)
def test_fault_that_cannot_be_known_breaks_nothing(fault: Fault, tmp_path: Path) -> None:
    assert not broken_in(tried("three_fords", tmp_path, fault.change))


NUMBERS = next(fault for fault in FAULTS["three_fords"] if "list of numbers" in fault.name)


def test_remedy_for_a_list_of_numbers_is_enough(tmp_path: Path) -> None:
    [change] = NUMBERS.change
    as_text = msgspec.structs.replace(
        change, new=change.new.replace("tuple(BONUS", "tuple(str(BONUS").replace("0)", "0))")
    )
    found = broken_in(tried("three_fords", tmp_path / "numbers", NUMBERS.change))
    assert "a list can contain only text, so write its numbers as text" in found["events-fit"].findings[0].remedy
    rule_changed = {"replays-decide"}
    assert broken_in(tried("three_fords", tmp_path / "text", [as_text])).keys() <= rule_changed


def test_game_that_is_stuck_shows_the_refusals_and_the_step(tmp_path: Path) -> None:
    stuck = next(fault for fault in FAULTS["two_rivers"] if fault.promise == "never-stuck")
    [first, *_] = broken_in(tried("two_rivers", tmp_path, stuck.change))["never-stuck"].findings
    assert first.about == "3a"
    assert any("drift by " in one and "rule: Two Rivers 3a; do: " in one for one in first.refusals)
    assert any("done by " in one for one in first.refusals)
    assert any(line.startswith("  refused:") for line in first.lines())


def test_faults_break_every_promise_a_title_can_break_alone() -> None:
    """Leave out promises that the ledger keeps, and promises that fail only together with one of them."""
    of_the_ledger = {"seed-unseen", "replayed", "snapshots", "exported", "rewound", "refused-untouched"}
    never_alone = {"replays-show-steps"}
    planted = {fault.promise for faults in FAULTS.values() for fault in faults if fault.promise}
    assert planted == {one.name for one in PROMISES} - of_the_ledger - never_alone
