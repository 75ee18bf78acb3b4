"""The case file, which a second judge checks offline."""

import json
from pathlib import Path

import pytest

from tests.desk.referee.tables import Desk
from tests.naming import Naming

FILES = (
    *("case.json", "case.md", "checkpoint.txt", "dice.svg", "manifest.json"),
    *("map-after.svg", "map-before.svg", "orders.jsonl", "replay.jsonl"),
    "umpire-verify.py",
)


@pytest.fixture
def case(harbour: Desk) -> Path:
    harbour.ok("note", "g", "we saw it burn", "--about", "303", "--as", "athens")
    harbour.ok("dispute", "open", "g", "303", "304", "--claim", "water between", "--rule", "8.55", "--as", "syracuse")
    harbour.ok(
        "rule", "g", "it burns", "--rule", "8.55", "--grounds", "printed", "--why", "adjacent", "--dispute", "d1"
    )
    harbour.ok("case", "g", "d1", "-o", "case")
    return harbour.folder / "case"


class TestCaseFile:
    def test_case_has_its_files_excerpt_and_differences(self, case: Path) -> None:
        assert sorted(one.name for one in case.iterdir()) == list(FILES)
        found = json.loads((case / "case.json").read_text())
        assert [one["position"] for one in found["excerpt"] if one["contested"]] == [303, 304]
        assert (found["before_at"], found["after_at"]) == (302, 316)
        assert {"syracuse-3"} <= {one["id"] for one in found["differences"]}
        assert any(one["position"] == 303 for one in found["dice"])
        assert [one["text"] for one in found["claims"]] == [Naming("#303", "we saw"), Naming("d1")]
        assert [one["ruling"] for one in found["rulings"]] == ["it burns"]
        assert found["checkpoint"] == (case / "checkpoint.txt").read_text()
        page = (case / "case.md").read_text()
        happened = page.partition("## What happened")[2].partition("## ")[0].splitlines()
        spread = next(line for line in happened if line.startswith("| **#303** |"))
        assert spread == Naming("#303", "Syracuse", "syracuse-3", 5, 5)
        assert len([line for line in happened if line.startswith("| **")]) == 1, "the contested order alone"
        for words in ("water between", "it burns", "**#303**", "roll 16, ", "umpire verify"):
            assert words in page

    def test_case_has_contested_units_before_and_after(self, case: Path) -> None:
        # #303 and #304: the fire spreads to syracuse-3, which had none; the ship stays at its place.
        found = json.loads((case / "case.json").read_text())
        units = {one["id"]: one for one in found["units"]}
        burnt = units["syracuse-3"]
        assert burnt["before"]["at"] == burnt["after"]["at"]
        assert burnt["before"].get("fire") != burnt["after"].get("fire")
        page = (case / "case.md").read_text()
        assert "## Contested units at #302 and #316" in page
        assert "| syracuse-3 | at |" in page

    def test_case_orders_are_an_order_file_with_remarks(self, harbour: Desk, case: Path) -> None:
        # The remarks of orders.jsonl have the position of each order, and mark the contested ones.
        lines = (case / "orders.jsonl").read_text().splitlines()
        causes = {line["position"]: line["cause"] for line in harbour.ask("audit") if line["cause"]}
        remarks, words = lines[::2], map(json.loads, lines[1::2])
        assert all(causes[int(one.split()[1][1:])] == said for one, said in zip(remarks, words, strict=True))
        (contested,) = (one for one in remarks if "contested" in one)
        assert contested.startswith("# #303 ")

    def test_case_has_three_orders_before_and_after_in_full(self, harbour: Desk, case: Path) -> None:
        # A second judge sees the orders that led to the dispute and the ones that followed.
        firsts = [line["position"] for line in harbour.ask("audit") if line["cause"]]
        contested = firsts.index(303)
        told = [one["position"] for one in json.loads((case / "case.json").read_text())["excerpt"]]
        behind = firsts[contested + 4]
        assert told == list(range(firsts[contested - 3], behind))
        page = (case / "case.md").read_text()
        assert f"#{behind - 1} |" in page
        assert f"#{behind} |" not in page

    def test_dispute_of_the_last_order_is_followed_by_it_alone(self, harbour: Desk) -> None:
        last = [line for line in harbour.ask("audit") if line["cause"]][-1]["position"]
        tip = harbour.size("g")
        harbour.ok("dispute", "open", "g", str(tip), "--claim", "too late", "--as", "syracuse")
        harbour.ok("case", "g", "d1", "-o", "last")
        found = json.loads((harbour.folder / "last" / "case.json").read_text())
        assert [one["position"] for one in found["excerpt"] if one["contested"]] == [tip]
        assert [one["position"] for one in found["excerpt"] if one["order"]][-2:] == [last, tip + 1]
        assert (found["before_at"], found["after_at"]) == (last - 1, tip)

    def test_second_judge_verifies_the_case_and_makes_it_again(self, harbour: Desk, case: Path) -> None:
        # The judge works in another folder, with the case file alone.
        log, checkpoint = str(case / "replay.jsonl"), str(case / "checkpoint.txt")
        assert harbour.process("verify", log, "--checkpoint", checkpoint).out.startswith("VALID")
        folder = harbour.folder.parent / "judge"
        folder.mkdir()
        judge = Desk(folder)
        judge.ok("import", log)
        judge.ok("case", "g", "d1", "-o", "again")
        for name in FILES:
            assert (judge.folder / "again" / name).read_bytes() == (case / name).read_bytes(), name

    def test_changed_log_is_reported(self, harbour: Desk, case: Path) -> None:
        log = case / "replay.jsonl"
        log.write_bytes(log.read_bytes().replace(b'"pips":[5]', b'"pips":[1]'))
        assert harbour.type("verify", str(log), "--checkpoint", str(case / "checkpoint.txt")).code == 5

    def test_existing_folder_is_not_overwritten(self, harbour: Desk, case: Path) -> None:
        before = (case / "case.md").read_bytes()
        answer = harbour.type("case", "g", "d1", "-o", "case")
        assert answer.code == 2
        assert answer.err == Naming("case", "case")
        assert (case / "case.md").read_bytes() == before
        assert harbour.type("case", "g", "d9", "-o", "other").code == 6
        assert not (harbour.folder / "other").exists()
        assert not list(harbour.folder.glob(".other*"))

    def test_case_of_a_seat_contains_no_secret_of_another(self, ford: Desk) -> None:
        ford.order("red", "seal-choice", question="reserve", choice="through-the-marsh")
        sealed = str(ford.size("g"))
        ford.ok("dispute", "open", "g", sealed, "--claim", "too late", "--as", "blue")
        ford.ok("case", "g", "d1", "-o", "blue", "--as", "blue")
        for file in (ford.folder / "blue").iterdir():
            assert "marsh" not in file.read_text(), file
        ford.ok("case", "g", "d1", "-o", "red", "--as", "red")
        assert "marsh" in (ford.folder / "red" / "case.md").read_text()
        ford.ok("import", "blue/replay.jsonl", "--ledger", "blue.db")
        ford.ok("case", "g", "d1", "-o", "again", "--as", "blue", "--ledger", "blue.db")
        for name in FILES:
            assert (ford.folder / "again" / name).read_bytes() == (ford.folder / "blue" / name).read_bytes(), name
