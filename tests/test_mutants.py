"""Check that `python -m tests.mutants` plants the faults it names, and that its declarations still match the code."""

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from tests.at_least_one import at_least_one
from tests.mutants.declared import ROOT, Areas, ByHand, Equivalent, part_of, read
from tests.mutants.faults import CHANGES, Fault, fault_by_hand, faults_of
from tests.mutants.kept import Caught
from tests.mutants.trees import Failed, Reach, Tree
from tests.mutants.watch import TOOK_TOO_LONG

SAMPLE = b"""
def pay(game, order, most: int | None = None):
    verify_may_pay(game, order)
    if order.ep > 3 and order.unit in game.units:
        raise refuse(
            game, "too much",
            "pay less", "439.1",
        )
    return [*paid(game, -order.ep, rule="1C3"), *(one for one in owed(game) if one.due)]
"""


def planted() -> Iterator[tuple[str, str, str]]:
    for fault in faults_of("pay.py", SAMPLE):
        yield fault.kind, fault.was, fault.becomes


@pytest.mark.parametrize(
    ("kind", "becomes"),
    [
        ("comparison flipped", "if (order.ep < 3) and order.unit in game.units:"),
        ("comparison flipped", "if order.ep > 3 and (order.unit not in game.units):"),
        ("boundary shifted", "if (order.ep >= 3) and order.unit in game.units:"),
        ("condition negated", "if (not (order.ep > 3 and order.unit in game.units)):"),
        ("and/or exchanged", "if (order.ep > 3 or order.unit in game.units):"),
        ("constant + 1", "if order.ep > (4) and order.unit in game.units:"),
        ("returned value dropped", "return"),
        ("call removed", "pass"),
        ("arguments exchanged", "(verify_may_pay(order, game))"),
        ("filter removed", 'return [*paid(game, -order.ep, rule="1C3"), *((one for one in owed(game)))]'),
        ("sign exchanged", 'return [*paid(game, (order.ep), rule="1C3"), *(one for one in owed(game) if one.due)]'),
        ("raise removed", "pass"),
        ("another rule", """"pay less", ('999.1'),"""),
    ],
)
def test_every_kind_of_fault_is_planted(kind: str, becomes: str) -> None:
    assert becomes in [after for of, _, after in planted() if of == kind]


def test_every_kind_is_shown_above() -> None:
    assert {kind for kind, _, _ in planted()} == set(CHANGES)


def test_planted_file_is_python_with_the_same_line_numbers() -> None:
    for fault in at_least_one(faults_of("pay.py", SAMPLE)):
        after = fault.planted(SAMPLE)
        ast.parse(after)
        assert after.count(b"\n") == SAMPLE.count(b"\n")


def test_faults_planted_by_hand_match_the_code() -> None:
    """Update `by_hand.toml` when such a line is rewritten, so that it plants the same fault."""
    areas: Areas = read("areas.toml", Areas)
    by_hand: list[ByHand] = read("by_hand.toml", dict[str, list[ByHand]])["fault"]
    for one in by_hand:
        assert one.area in areas.areas
        assert one.fault().planted((ROOT / one.file).read_bytes()), one.what
    with pytest.raises(ValueError, match="stands 0 times"):
        fault_by_hand("pay.py", SAMPLE, "rule 12", "rule 13")


def test_areas_name_existing_files_and_tests() -> None:
    areas: Areas = read("areas.toml", Areas)
    for name, area in areas.areas.items():
        assert all(part_of(path) for path in area.paths), name
        assert all(list(ROOT.glob(pattern)) for pattern in area.tests), name
        assert all((ROOT / test.partition("::")[0]).is_file() for test in area.always), name
    everything = {file for files in areas.files().values() for file in files}
    assert not [file for file in everything if file.startswith("domain/titles/") and "suggest" in file]


def test_faults_declared_equivalent_can_still_be_planted() -> None:
    equivalent: list[Equivalent] = read("equivalent.toml", dict[str, list[Equivalent]])["equivalent"]
    for one in equivalent:
        names = {fault.name for fault in faults_of(one.file, (ROOT / one.file).read_bytes())}
        assert (one.file, one.was, one.becomes) in names, one
        assert one.why


class Loaded(Tree):
    """A copy of one file whose tests end with given exit codes, with the fault and without it."""

    def __init__(self, folder: Path, codes: dict[str, tuple[int, int]]) -> None:
        self.folder = folder
        self.codes = codes
        self.file = folder / "pay.py"
        self.file.write_bytes(SAMPLE)
        self.limits: list[dict[str, int]] = []

    def pytest(self, words: Sequence[str], environment: Mapping[str, str], longest: float | None = None) -> int:
        self.limits.append(json.loads(Path(environment["MUTANTS_TESTS"]).read_text()))
        planted = self.file.read_bytes() != SAMPLE
        for test in self.limits[-1]:
            Path(environment["MUTANTS_AT"]).write_text(test)
            if code := self.codes[test][0 if planted else 1]:
                return code
        return 0


@pytest.fixture
def fault() -> Fault:
    return fault_by_hand("pay.py", SAMPLE, "order.ep > 3", "order.ep > 4")


def test_fault_is_caught_by_a_test_that_fails_only_with_it(tmp_path: Path, fault: Fault) -> None:
    tree = Loaded(tmp_path, {"test_a.py::one": (0, 0), "test_a.py::two": (1, 0)})
    assert tree.run(fault, {"test_a.py::one": 1, "test_a.py::two": 1}) == Failed("test_a.py::two")
    assert tree.file.read_bytes() == SAMPLE


def test_fault_that_makes_a_test_time_out_is_counted_separately(tmp_path: Path, fault: Fault) -> None:
    tree = Loaded(tmp_path, {"test_a.py::one": (TOOK_TOO_LONG, 0)})
    assert tree.run(fault, {"test_a.py::one": 1}) == Failed("test_a.py::one", held_up=True)


def test_fault_is_not_caught_by_a_test_slow_without_it(tmp_path: Path, fault: Fault) -> None:
    """Give a test more time if it fails without the fault too; if it fails again, use the other tests."""
    tree = Loaded(tmp_path, {"test_a.py::one": (TOOK_TOO_LONG, TOOK_TOO_LONG), "test_a.py::two": (0, 0)})
    assert not tree.run(fault, {"test_a.py::one": 1, "test_a.py::two": 1}).test
    assert [limits.get("test_a.py::one") for limits in tree.limits] == [15, 15, 60, 60, None]


class Measured(Reach):
    """Reach data: one test ran first and imported the file, another reaches line 2, a third is about the area."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ())
        self.seconds = {"tests/desk/a.py::first": 1, "tests/desk/b.py::pays": 1, "tests/titles/c.py::refused": 1}

    def _lines(self, file: str) -> dict[int, set[str]]:
        return {1: {"tests/desk/a.py::first"}, 3: {"tests/desk/b.py::pays"}}


@pytest.mark.parametrize(
    ("text", "tried"),
    [
        ("le=99", {"tests/desk/a.py::first", "tests/desk/b.py::pays", "tests/titles/c.py::refused"}),
        ("return 0", {"tests/desk/b.py::pays"}),
    ],
)
def test_limit_set_at_import_is_tried_by_its_own_tests_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, tried: set[str]
) -> None:
    """Run these tests too, because input beyond the limit is refused before any measured line of the file runs."""
    source = b"LIMIT = Meta(le=99)\ndef pay():\n    return 0\n"
    (tmp_path / "pay.py").write_bytes(source)
    (tmp_path / "tests/titles").mkdir(parents=True)
    (tmp_path / "tests/titles/c.py").touch()
    monkeypatch.setattr("tests.mutants.trees.ROOT", tmp_path)
    monkeypatch.setattr("tests.mutants.trees.relative", lambda file: str(file.relative_to(tmp_path)))
    fault = fault_by_hand("pay.py", source, text, "0")
    assert set(Measured(tmp_path).tests_of(fault, ["tests/titles/*.py"], (), 10)) == tried


def test_caught_fault_is_known_until_its_test_changes(tmp_path: Path, fault: Fault) -> None:
    kept = Caught(tmp_path / "caught.jsonl", "product-1")
    here = "tests/test_mutants.py::test_every_kind_is_shown_above"
    kept.keep(fault, Failed(here))
    assert Caught(kept.file, "product-1").by(fault) == Failed(here)
    assert Caught(kept.file, "product-2").by(fault) == Failed()
    kept.file.write_text(kept.file.read_text().replace(here, "tests/conftest.py::another"))
    assert Caught(kept.file, "product-1").by(fault) == Failed()
