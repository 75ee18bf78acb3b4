"""Check a whole scenario file: all faults at once, and the values it leaves to the title."""

import random
import re
from pathlib import Path

import pytest

from tests.face.desk import need_title
from tests.face.domain import (
    DomainError,
    ScenarioFinding,
    examine,
    open_game,
    scenario_for,
)

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
NAUPACTUS = (FIXTURES / "war-galley" / "scenarios" / "off-naupactus.toml").read_text(encoding="utf-8")
SEED = "5e" * 32


def found(text: str) -> dict[str, ScenarioFinding]:
    return {one.path: one for one in examine(text, need_title).findings}


def opens(text: str, title: str) -> bool:
    try:
        scenario = scenario_for(need_title(title), text)
        open_game(need_title(title), scenario, game_id="g", dice="table", seed=SEED, options={})
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
    """Hidden units in the lines of a scenario file, and the seats that may have them."""

    def test_hidden_unit_without_fog_is_reported_with_its_line(self) -> None:
        text = faulty(('at = "0505"', 'at = "0505"\nhidden = true'))
        (one,) = examine(text, need_title).findings
        assert (one.path, one.rule) == ("$.units[0].hidden", "hidden units")
        assert text.split("\n")[one.line - 1] == "hidden = true"
        assert re.findall("`(.+?)`", one.remedy) == ["fog = true", "hidden"]
        assert not opens(text, "war-galley")

    def test_under_fog_a_title_hides_them_too(self) -> None:
        text = faulty(
            ('at = "0505"', 'at = "0505"\nhidden = true'),
            ("options = { withdrawal = true }", "options = { withdrawal = true, fog = true }"),
        )
        assert not examine(text, need_title).findings
        assert opens(text, "war-galley")


class TestAllAtOnce:
    def test_faults_of_every_kind_are_reported_with_their_lines(self) -> None:
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
        names = (
            *("withdrawl", "turn", "boarding", "bording", "ram_defense", "ram_defence"),
            *("korinth", "1313", '"four"', "0", "4", "20"),
        )
        findings = examine(text, need_title).findings
        told = [(one.line, one.path, [word for word in names if word in one.what.split()]) for one in findings]
        assert told == [
            (8, "$.options.withdrawl", ["withdrawl"]),
            (9, "$.victory.turn", ["turn"]),
            (12, "$.tables.boarding", ["boarding"]),
            (27, "$.tables.bording", ["bording"]),
            (38, "$.tables.disengage.rows", ["4"]),
            (47, "$.units[0].ram_defense", ["ram_defense"]),
            (51, "", []),
            (57, "$.units[0].crew", ['"four"', "0", "20"]),
            (59, "$.units[0].ram_defence", ["ram_defence"]),
            (67, "$.units[1].at", ["1313"]),
            (76, "$.units[2].side", ["korinth"]),
        ]

    def test_missing_entry_is_reported_with_its_readers(self) -> None:
        text = re.sub(r"\[tables\.boarding\].*?\n\n", "", NAUPACTUS, flags=re.DOTALL).replace("manpower = 2\n", "", 1)
        told = found(text)
        assert "board in E.2, F.3" in told["$.tables.boarding"].remedy
        assert told["$.units[1].manpower"].what.endswith("(E.2, F.3)")
        assert re.findall(r"\d+|manpower = ", told["$.units[1].manpower"].remedy) == ["0", "20", "manpower = ", "1"]

    def test_misspelled_name_gets_the_nearest_one(self) -> None:
        told = found(
            faulty(
                ("manpower = 4", "man_power = 4"),
                ("about =", 'numbers.rigging-cots = { value = 1, source = "x" }\nabout ='),
            )
        )
        assert told["$.units[0].man_power"].remedy.endswith(" manpower?")
        assert " rigging-cost?" in told["$.numbers.rigging-cots"].remedy

    def test_unreadable_unit_causes_no_further_findings(self) -> None:
        """Report only the unreadable side, not that such a side does not exist."""
        assert list(found(faulty(('side = "corinth"\nkind', "side = 7\nkind")))) == ["$.units[2].side"]

    def test_table_with_extra_key_is_not_reported_missing(self) -> None:
        told = found(faulty(("[tables.disengage]", '[tables.disengage]\nby_the_book = "my notes"')))
        assert list(told) == ["$.tables.disengage"]
        assert "by_the_book" in told["$.tables.disengage"].what


class TestNames:
    def test_table_named_like_the_board_is_refused(self) -> None:
        """Refuse the scenario, because both would be looked up under the same name."""
        ford = (FIXTURES / "freeform" / "scenarios" / "ford.toml").read_text(encoding="utf-8")
        text = ford.replace("[tables.fight]", "[board.hexes]\ncolumns = 4\n\n[tables.board]", 1)
        (only,) = examine(text, need_title).findings
        assert only.path == "$.tables.board"
        assert not opens(text, "freeform")

    def test_table_named_board_without_a_board_is_valid(self) -> None:
        ford = (FIXTURES / "freeform" / "scenarios" / "ford.toml").read_text(encoding="utf-8")
        text = ford.replace("[tables.fight]", "[tables.board]", 1)
        assert not found(text)
        assert opens(text, "freeform")


class TestInvalidFiles:
    def test_misspelled_title_gets_the_nearest_one(self) -> None:
        (only,) = examine('title = "war-gally"\n', need_title).findings
        assert (only.line, only.path) == (1, "$.title")
        assert "war-galley" in only.remedy

    def test_missing_title_is_reported(self) -> None:
        (only,) = examine('name = "x"\n', need_title).findings
        assert only.path == "$.title"
        assert '"war-galley"' in only.remedy

    def test_unclosed_bracket_is_reported(self) -> None:
        told = examine('title = "freeform"\nsides = [\n', need_title).findings
        assert told[0].rule == "TOML"

    def test_file_beyond_a_limit_is_reported(self) -> None:
        (only,) = examine("a.b = 1\n" * 30_001, need_title).findings
        assert re.findall("[0-9]{2,}", only.rule.replace(",", "")) == ["30000"]


class TestTitleValues:
    def test_default_numbers_are_listed_with_their_rule(self) -> None:
        left = {one.path: one for one in examine(NAUPACTUS, need_title).left_out}
        assert (left["numbers.rigging-cost"].value, left["numbers.rigging-cost"].used) == (1, "E.1")

    def test_number_given_in_the_file_is_not_listed(self) -> None:
        text = faulty(("[tables.wind]", '[numbers.rigging-cost]\nvalue = 2\nsource = "x"\n\n[tables.wind]'))
        assert "numbers.rigging-cost" not in {one.path for one in examine(text, need_title).left_out}

    def test_number_given_by_one_unit_is_not_listed(self) -> None:
        text = (FIXTURES / "pacific-war" / "scenarios" / "coral-sea.toml").read_text(encoding="utf-8")
        left = {one.path for one in examine(text, need_title).left_out}
        assert "costs.patrol" in left
        assert "naval.activation" not in left


@pytest.mark.parametrize("file", sorted(FIXTURES.glob("*/scenarios/*.toml")), ids=lambda file: file.stem)
def test_check_finds_faults_exactly_if_opening_fails(file: Path) -> None:
    """Leave out or double random lines, and compare the check with the opening of a game."""
    text = file.read_text(encoding="utf-8")
    assert examine(text, need_title).findings == ()
    lines, chance = text.split("\n"), random.Random(7)
    for _ in range(12):
        at = chance.randrange(len(lines))
        changed = [*lines[:at], *lines[at + 1 :]] if chance.random() < 0.7 else [*lines[:at], lines[at], *lines[at:]]
        broken = "\n".join(changed)
        assert (examine(broken, need_title).findings == ()) == opens(broken, file.parent.parent.name), lines[at]
