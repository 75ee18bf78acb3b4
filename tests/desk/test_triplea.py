"""Map files of TripleA as scenarios: imported parts, refused files, and the order of the steps."""

from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.cli.terminal import Terminal
from tests.face.desk import WrongUse, triplea, triplea_xml
from tests.face.domain import (
    StepOpened,
    StepPassed,
    events_of,
    freeform_TITLE as TITLE,
    read_scenario,
)
from tests.face.testing import (
    FIXTURES,
    Player,
    Story,
    opened,
)
from tests.naming import Naming

MAPS = FIXTURES / "freeform" / "triplea"
FILES = sorted(MAPS.glob("*.xml"))


def story(name: str) -> Story:
    return Story(TITLE, read_scenario(umpire.scenario_from_triplea(MAPS / f"{name}.xml"), TITLE.scenario))


def left_one_after_the_other(table: Story, most: int) -> list[str]:
    """Return each opened step, while every side only ends steps."""
    found: list[str] = []
    for _ in range(most):
        found += [event.step for event in table.events if isinstance(event, StepOpened)]
        here = table.game.cursor.open[0]
        table.play({"as": here.waits[0], "order": "done", "step": here.step})
    return found


class TestImportedParts:
    def test_players_territories_resources_and_units(self) -> None:
        game = story("three-crowns").game
        assert [(side.id, side.name) for side in game.sides][1] == ("mid-crown", "Mid_Crown")
        assert game.accounts["PUs/high-crown"] == 12
        assert game.accounts["techTokens/low-crown"] == 0
        assert game.markers["owner/Lowport"] == "low-crown"
        assert game.markers["water"] == ("Bay",)
        knight = game.units["high-crown-knight-2"]
        assert (knight.kind, knight.at, knight.get("attack"), knight.get("movement")) == ("knight", "Highmark", 3, 2)
        assert game.units["mid-crown-knight-1"].get("hits") == 1
        assert game.units["low-crown-knight-1"].at == "held"

    def test_units_without_owner_get_a_side_of_their_own(self) -> None:
        game = story("two-islands").game
        assert game.units["nobody-infantry-1"].at == "Far Rock"
        assert [side.id for side in game.sides] == ["northerners", "southerners", "nobody"]

    def test_players_whose_names_are_alike_or_taken(self) -> None:
        assert story("interleaved").game.side_ids == ("red", "blue", "red-2", "referee-2")

    def test_omitted_parts_are_listed_in_the_head(self) -> None:
        head = umpire.scenario_from_triplea(MAPS / "three-crowns.xml").split("title =", 1)[0]
        assert "# Left out: propertyList, attachmentList, alliances." in head

    def test_dice_have_the_faces_of_the_file(self) -> None:
        assert 'rolls = "1d10"' in umpire.scenario_from_triplea(MAPS / "three-crowns.xml")
        assert 'rolls = "1d6"' in umpire.scenario_from_triplea(MAPS / "two-islands.xml")


class TestSequence:
    def test_steps_have_the_order_of_the_file_in_each_round(self) -> None:
        found = left_one_after_the_other(story("two-islands"), 9)
        one_round = ["northerners.Move", "northerners.Battle", "southerners.Move", "southerners.Battle", "endRoundStep"]
        assert found == (one_round * 3)[: len(found)]
        assert len(found) > len(one_round)

    def test_step_that_runs_once_is_passed_later(self) -> None:
        table = story("three-crowns")
        assert table.game.cursor.open[0].step == "highBid"
        left = left_one_after_the_other(table, 16)
        assert "highBid" in left
        table.play({"as": "low-crown", "order": "done"})
        assert table.game.turn == 2
        passed = [event.step for event in table.events if isinstance(event, StepPassed)]
        assert passed == ["gameInitDelegate", "highBid", "highBidPlace"]

    def test_step_allows_the_orders_of_its_kind(self) -> None:
        table = story("two-islands")
        table.when({"as": "northerners", "order": "move", "unit": "northerners-infantry-1", "path": ["1 Sea Zone"]})
        table.then_accepted()
        table.when({"as": "northerners", "order": "remove", "unit": "southerners-infantry-1"}).then_refused(
            "not-allowed-now", rule="northerners.Move", order="remove", orders=("move", "done")
        )

    def test_game_ends_when_the_referee_marks_it_decided(self) -> None:
        table = story("two-islands")
        table.play({"as": "referee", "order": "mark", "marker": "decided", "to": True})
        left_one_after_the_other(table, 3)
        table.play({"as": "southerners", "order": "done"})
        assert table.game.ended

    @pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
    def test_random_play_never_sticks(self, file: Path) -> None:
        scenario = read_scenario(umpire.scenario_from_triplea(file), TITLE.scenario)
        game = opened(TITLE, scenario, 3).game
        player, reached = Player(TITLE.of(game), 3), set[str]()
        for _ in range(150):
            if game.ended:
                break
            _, decision = player.choose(game)
            game = decision.game
            reached |= {event.step for event in events_of(decision.told) if isinstance(event, StepOpened)}
        assert len(reached) >= 4


GOOD = (MAPS / "two-islands.xml").read_text(encoding="utf-8")
BAD: list[tuple[str, str, str, str, str]] = [
    ("</map>", "", "this is not XML", ":", "a map file that TripleA can read"),
    ("<game>", "<sport>", "this is not XML", ":", "a map file"),
    ('owner="Northerners"/>\n      <territoryOwner', 'owner="Northerners"/><x/>\n <territoryOwner', "", "", ""),
    ('<!DOCTYPE game SYSTEM "game.dtd">', '<!DOCTYPE game [<!ENTITY a "b">]>', "an entity, a", ":2", "fetched"),
    (
        '<!DOCTYPE game SYSTEM "game.dtd">',
        '<!DOCTYPE game [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        "declares an entity, x",
        ":2",
        "fetched",
    ),
    ('<!DOCTYPE game SYSTEM "game.dtd">', '<!DOCTYPE game [<!ENTITY % p SYSTEM "x">%p;]>', "entity", ":2", "fetched"),
    ("<game>", "<game>&who;", "refers to an entity, who", ":4", "fetched"),
    ('encoding="UTF-8"', 'encoding="KOI-99"', "encoding", ":1", ""),
    ("playerList>", "players>", "it has no player", ":4", "<playerList>"),
    ("sequence>", "order>", "it has no sequence", ":4", "<sequence>"),
    (
        'player="Southerners"/>\n      <step name="endRound',
        'player="Nobody"/>\n      <step name="endRound',
        "no player 'Nobody'",
        ":",
        "Northerners, Southerners",
    ),
    ('t1="North Isle"', 't1="North Pole"', "no territory 'North Pole'", ":11", "one of the map's territories"),
    ('quantity="3"', 'quantity="many"', "quantity is 'many'", ":", "a number of at most nine digits"),
    ('quantity="3"', 'quantity="999999"', "places more than 5,000 units", ":", "at most 5,000"),
    ('unitType="infantry" territory="North Isle"', 'territory="North Isle"', "names no unitType", ":", "name one"),
    ('<territory name="Far Rock"/>', "<territory/>", "territory has no name", ":10", "name it"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "what", "where", "do"), BAD, ids=[one[2][:30] or "more" for one in BAD])
def test_bad_file_is_refused_at_its_line(tmp_path: Path, old: str, new: str, what: str, where: str, do: str) -> None:
    assert old in GOOD
    file = tmp_path / "bad.xml"
    file.write_text(GOOD.replace(old, new), encoding="utf-8")
    if not what:  # an unknown element is ignored
        assert umpire.scenario_from_triplea(file)
        return
    with pytest.raises(WrongUse) as refused:
        umpire.scenario_from_triplea(file)
    assert what in refused.value.what
    assert f"bad.xml{where}" in refused.value.where
    assert refused.value.rule
    assert do in refused.value.remedy


class TestLimits:
    def refused(self, tmp_path: Path, text: str) -> WrongUse:
        file = tmp_path / "large.xml"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(WrongUse) as refused:
            umpire.scenario_from_triplea(file)
        return refused.value

    def test_file_above_the_size_limit_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(triplea_xml, "MOST_XML", 1024)
        error = self.refused(tmp_path, GOOD)
        assert (error.what, error.rule) == (Naming("large.xml"), Naming("1 KiB"))

    def test_file_with_too_many_elements_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(triplea_xml, "MOST_ELEMENTS", 20)
        assert self.refused(tmp_path, GOOD).what == Naming(20)

    def test_file_nested_too_deeply_is_refused(self, tmp_path: Path) -> None:
        error = self.refused(tmp_path, "<game>" * 30 + "</game>" * 30)
        assert (error.what, error.rule) == (Naming(20), Naming(20))

    def test_file_with_too_many_sides_is_refused(self, tmp_path: Path) -> None:
        more = "".join(f'<player name="p{number}"/>' for number in range(20))
        error = self.refused(tmp_path, GOOD.replace("<playerList>", f"<playerList>{more}"))
        assert (error.what, error.remedy) == (Naming(22), Naming(15))

    def test_wrong_outermost_element_is_refused(self, tmp_path: Path) -> None:
        error = self.refused(tmp_path, "<map/>")
        assert (error.what, error.where) == (Naming("map"), Naming("large.xml:1"))


class TestTerminal:
    def test_map_is_converted_checked_and_opened(self, tmp_path: Path) -> None:
        terminal = Terminal(tmp_path)
        for file in at_least_one(FILES):
            terminal.ok("scenario", "--from-triplea", str(file), "-o", "map.toml")
            terminal.ok("scenario", "--check", "map.toml")
            terminal.ok("new", "freeform", "--id", file.stem, "--scenario", "map.toml")
        assert terminal.ok("status", "two-islands", "--json").json["open"] == ["northerners.Move"]

    def test_scenario_is_printed_as_text_and_json(self, tmp_path: Path) -> None:
        terminal = Terminal(tmp_path)
        text = triplea.scenario_from_triplea(FILES[0])
        assert terminal.ok("scenario", "--from-triplea", str(FILES[0])).out == text
        assert terminal.ok("scenario", "--from-triplea", str(FILES[0]), "--json").json["scenario"] == text

    def test_other_arguments_with_a_map_are_refused(self, tmp_path: Path) -> None:
        terminal = Terminal(tmp_path)
        answer = terminal.type_json("scenario", "freeform", "--from-triplea", str(FILES[0]))
        assert (answer.code, answer.error["refusal_code"]) == (2, "usage")
        assert answer.error["what"] == Naming("--from-triplea")
        assert answer.error["remedy"] == Naming("umpire", "--from-triplea FILE")
        answer = terminal.type("scenario", "--check", str(FILES[0]), "--from-triplea", str(FILES[0]))
        assert answer.code == 2
        assert terminal.type("scenario", "--from-triplea", "nowhere.xml").code == 2
