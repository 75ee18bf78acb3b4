"""A scenario file looked through: all that is wrong at once, and what it leaves to the title."""

import random
import re
from pathlib import Path

import pytest

from umpire_ledger.desk.core.adapters import need_title
from umpire_ledger.domain.game.errors import DomainError
from umpire_ledger.domain.play.game_setup import open_game, scenario_for
from umpire_ledger.domain.play.scenario_check import ScenarioFinding, examine

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
NAUPACTUS = (FIXTURES / "war-galley" / "scenarios" / "off-naupactus.toml").read_text(encoding="utf-8")
SEED = "5e" * 32


def found(text: str) -> dict[str, ScenarioFinding]:
    return {one.path: one for one in examine(text, need_title).findings}


def opens(text: str, title: str) -> bool:
    try:
        scenario = scenario_for(need_title(title), text)
        open_game(need_title(title), scenario, game="g", dice="table", seed=SEED, options={})
    except DomainError:
        return False
    return True


def faulty(*changes: tuple[str, str]) -> str:
    text = NAUPACTUS
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


class TestHiddenUnits:
    """Who may hide units from the beginning, in the file's own lines."""

    def test_without_fog_each_is_told_with_its_line(self) -> None:
        text = faulty(('at = "0505"', 'at = "0505"\nhidden = true'))
        (one,) = examine(text, need_title).findings
        assert (one.path, one.rule) == ("$.units[0].hidden", "hidden units")
        assert text.split("\n")[one.line - 1] == "hidden = true"
        assert one.remedy == "write `fog = true` under [options], or leave out `hidden`"
        assert not opens(text, "war-galley")

    def test_under_fog_a_title_hides_them_too(self) -> None:
        text = faulty(
            ('at = "0505"', 'at = "0505"\nhidden = true'),
            ("options = { withdrawal = true }", "options = { withdrawal = true, fog = true }"),
        )
        assert not examine(text, need_title).findings
        assert opens(text, "war-galley")


class TestAllAtOnce:
    def test_faults_of_every_kind_are_told_each_with_its_line(self) -> None:
        text = faulty(
            ('at = "0505"', "at = 0505"),
            ("crew = 4", 'crew = "four"'),
            ("ram_defense = 3", "ram_defence = 3"),
            ('kind = "trireme"\nat = "0605"', 'kind = "trireme"\nat = "1313"'),
            ('side = "corinth"\nkind', 'side = "korinth"\nkind'),
            ("[tables.boarding]", "[tables.bording]"),
            ('rows."4..6" = "free"', 'rows."5..6" = "free"'),
            ("victory = { turns = 4 }", "victory = { turn = 4 }"),
            ("options = { withdrawal = true }", "options = { withdrawl = true }"),
        )
        told = [(one.line, one.path, one.what) for one in examine(text, need_title).findings]
        assert told == [
            (8, "$.options.withdrawl", "War Galley has no option withdrawl"),
            (9, "$.victory.turn", "there is no entry turn"),
            (12, "$.tables.boarding", "the table boarding is missing"),
            (27, "$.tables.bording", "there is no use for a table bording"),
            (38, "$.tables.disengage.rows", "there is no row for a total of 4"),
            (47, "$.units[0].ram_defense", "ram_defense is missing: points that it is worth (H)"),
            (51, "", "this is not TOML: Expected newline or end of document after a statement"),
            (57, "$.units[0].crew", '"four" does not fit: it takes a whole number from 0 to 20'),
            (59, "$.units[0].ram_defence", "there is no entry ram_defence"),
            (67, "$.units[1].at", "1313 is off the map"),
            (76, "$.units[2].side", "there is no side korinth"),
        ]

    def test_what_is_missing_is_told_with_who_looks_there(self) -> None:
        text = re.sub(r"\[tables\.boarding\].*?\n\n", "", NAUPACTUS, flags=re.DOTALL).replace("manpower = 2\n", "", 1)
        told = found(text)
        assert "board in E.2, F.3 looks there" in told["$.tables.boarding"].remedy
        assert told["$.tables.boarding"].rule == "the tables that a title's orders need"
        assert told["$.units[1].manpower"].what.endswith("what it boards with and defends itself with (E.2, F.3)")
        assert told["$.units[1].manpower"].remedy == "write a whole number from 0 to 20, for instance manpower = 1"

    def test_the_nearest_name_is_offered(self) -> None:
        told = found(
            faulty(
                ("manpower = 4", "man_power = 4"),
                ("about =", 'numbers.rigging-cots = { value = 1, source = "x" }\nabout ='),
            )
        )
        assert told["$.units[0].man_power"].remedy == "did you mean manpower?"
        assert told["$.numbers.rigging-cots"].remedy.startswith("did you mean rigging-cost?")

    def test_a_unit_that_does_not_fit_is_not_blamed_again_for_what_follows_from_it(self) -> None:
        """Its side could not be read: that there is no such side is no fault of its own."""
        assert list(found(faulty(('side = "corinth"\nkind', "side = 7\nkind")))) == ["$.units[2].side"]

    def test_a_table_that_says_too_much_is_not_called_missing(self) -> None:
        told = found(faulty(("[tables.disengage]", '[tables.disengage]\nby_the_book = "my notes"')))
        assert list(told) == ["$.tables.disengage"]
        assert "by_the_book" in told["$.tables.disengage"].what


class TestOneNameOneThing:
    def test_a_table_that_is_called_like_the_board(self) -> None:
        """Both would be looked up under that name. The check says so, and nothing is opened."""
        ford = (FIXTURES / "freeform" / "scenarios" / "ford.toml").read_text(encoding="utf-8")
        text = ford.replace("[tables.fight]", "[board.hexes]\ncolumns = 4\n\n[tables.board]", 1)
        (only,) = examine(text, need_title).findings
        assert (only.path, only.what) == ("$.tables.board", "a table is called board, as the scenario's board is")
        assert (only.rule, only.remedy) == ("one name, one thing", "give the table another name")
        assert not opens(text, "freeform")

    def test_a_table_may_be_called_so_where_there_is_no_board(self) -> None:
        ford = (FIXTURES / "freeform" / "scenarios" / "ford.toml").read_text(encoding="utf-8")
        text = ford.replace("[tables.fight]", "[tables.board]", 1)
        assert not found(text)
        assert opens(text, "freeform")


class TestWhatIsNoScenario:
    def test_a_title_that_is_a_slip(self) -> None:
        (only,) = examine('title = "war-gally"\n', need_title).findings
        assert (only.line, only.path) == (1, "$.title")
        assert "war-galley" in only.remedy

    def test_no_title_at_all(self) -> None:
        (only,) = examine('name = "x"\n', need_title).findings
        assert (only.path, only.remedy) == ("$.title", 'write for instance title = "war-galley"')

    def test_a_file_that_is_left_open(self) -> None:
        told = examine('title = "freeform"\nsides = [\n', need_title).findings
        assert told[0].rule == "TOML"

    def test_a_file_beyond_a_limit(self) -> None:
        (only,) = examine("a.b = 1\n" * 30_001, need_title).findings
        assert only.rule.startswith("limits: ")


class TestLeftToTheTitle:
    def test_numbers_are_told_with_the_rule_that_asks_for_them(self) -> None:
        left = {one.path: one for one in examine(NAUPACTUS, need_title).left_out}
        assert (left["numbers.rigging-cost"].value, left["numbers.rigging-cost"].used) == (1, "E.1")

    def test_a_number_that_the_file_says_is_not_left_out(self) -> None:
        text = faulty(("[tables.wind]", '[numbers.rigging-cost]\nvalue = 2\nsource = "x"\n\n[tables.wind]'))
        assert "numbers.rigging-cost" not in {one.path for one in examine(text, need_title).left_out}

    def test_what_one_unit_says_is_said(self) -> None:
        text = (FIXTURES / "pacific-war" / "scenarios" / "coral-sea.toml").read_text(encoding="utf-8")
        left = {one.path for one in examine(text, need_title).left_out}
        assert "costs.patrol" in left
        assert "naval.activation" not in left


@pytest.mark.parametrize("file", sorted(FIXTURES.glob("*/scenarios/*.toml")), ids=lambda file: file.stem)
def test_nothing_is_found_exactly_where_a_game_can_be_opened(file: Path) -> None:
    """Lines left out or doubled at random: looking through and opening always agree."""
    text = file.read_text(encoding="utf-8")
    assert examine(text, need_title).findings == ()
    lines, chance = text.split("\n"), random.Random(7)
    for _ in range(12):
        at = chance.randrange(len(lines))
        changed = [*lines[:at], *lines[at + 1 :]] if chance.random() < 0.7 else [*lines[:at], lines[at], *lines[at:]]
        broken = "\n".join(changed)
        assert (examine(broken, need_title).findings == ()) == opens(broken, file.parent.parent.name), lines[at]
