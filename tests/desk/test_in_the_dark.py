"""Two games that differ only in hidden units: each query of the other seats is equal, byte for byte."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.face.domain import RuleViolation, ScenarioError
from tests.face.testing import HASHES

SCENARIO = """
title = "freeform"
name = "In the dark"
dice = "table"
sides = [
  { id = "allies", name = "Allies", plural = true },
  { id = "japan", name = "Japan" },
  { id = "siam", name = "Siam" },
]
units = [
  { id = "hood", side = "allies", kind = "cruiser", at = "0610" },
  { id = "japan-1", side = "japan", kind = "cruiser", at = "0101" },
]

[options]
fog = true
"""
BLIND = ("allies", "siam", "spectator")

OF_ITSELF = ("command", "order", "root", "since")
"""Differences between any two games: the id of the opening order, and the time when waiting began."""

TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")

Line = dict[str, Any]


def scenario(number: int, where: str) -> str:
    """Return the scenario with one or two units that begin hidden; their names and places differ."""
    places = {"japan-10": where, "japan-11": "0101"} if number % 2 else {"japan-10": where}
    rest = f'side = "japan", kind = "k{number}", hidden = true'
    hidden = "".join(f'  {{ id = "{name}", at = "{at}", {rest} }},\n' for name, at in places.items())
    return SCENARIO.replace("]\n\n[options]", f"{hidden}]\n\n[options]")


def orders(number: int, where: str, way: tuple[str, ...]) -> Iterator[tuple[str, Line]]:
    """Yield the same number of hidden orders in each world; their units, places and paths differ."""
    unit = f"japan-{number}"
    yield "japan", {"order": "place", "unit": unit, "side": "japan", "kind": "ship", "at": where, "hidden": True}
    yield "japan", {"order": "move", "unit": unit, "path": list(way)}
    yield "allies", {"order": "move", "unit": "hood", "path": ["0611"]}
    yield "japan", {"order": "change", "unit": unit, "attribute": "steps", "to": number}
    yield "japan", {"order": "move", "unit": "japan-1", "path": ["0102"], "only": ["japan"]}
    yield "japan", {"order": "move", "unit": "japan-1", "path": [where]}
    yield "japan", {"order": "roll", "purpose": f"dive {where}", "subjects": [unit], "pips": [number % 6 + 1]}
    yield "japan", {"order": "remove", "unit": unit}
    yield "allies", {"order": "note", "text": "where are they?"}


def world(folder: Path, number: int, where: str, way: tuple[str, ...]) -> umpire.Desk:
    folder.mkdir()
    desk = umpire.open(folder / "umpire.db")
    game = desk.new_from_text("freeform", scenario(number, where), id="g")
    for at, (seat, order) in enumerate(orders(number, where, way)):
        game.seat(seat).order({**order, "id": f"order-{at}"})
    return desk


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[tuple[umpire.Desk, umpire.Desk]]:
    with (
        world(tmp_path / "one", 7, "0909", ("0808",)) as one,
        world(tmp_path / "other", 8, "0303", ("0404", "0505", "0610")) as other,
    ):
        yield one, other


def plain(value: Any) -> Any:
    """Remove times, and the hashes that differ because the secret does."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items() if name not in (*HASHES, *OF_ITSELF)}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return TIME.sub("", value) if isinstance(value, str) else value


def looks(desk: umpire.Desk, seat: str) -> dict[str, Any]:
    """Return all that a seat can query."""
    mine = desk.game("g").seat(seat)
    found: dict[str, Any] = {
        "status": mine.status,
        "units": mine.plain_units(gone=True),
        "known": mine.known(),
        "audit": mine.audit(all_lines=True),
        "orders": mine.orders(),
        "map": mine.map(),
        "sitrep": mine.since("spectator", most=50),
        "undo points": mine.undo_points(),
        "hood": mine.unit("hood"),
        "japan-1": mine.unit("japan-1"),
    }
    found["clicks"] = [
        clicked(mine, unit) for unit in ("", "hood", "japan-1", "japan-7", "japan-8", "japan-10", "japan-11")
    ]
    found["clicked place"] = mine.unit_orders(place="0303")
    if seat != "spectator":
        found["legal"] = list(mine.legal_orders())
        found["openings"] = mine.openings()
        found["typing"] = [
            mine.completions([name], "") for name in ("move", "show", "hide", "place", "change", "remove")
        ]
        found["refusals"] = list(refusals(mine))
    return found


def clicked(mine: umpire.Seat, unit: str) -> Any:
    try:
        return mine.unit_orders(unit)
    except umpire.NotThere as refused:
        return refused.what, refused.remedy


def refusals(mine: umpire.Seat) -> Iterator[tuple[str, ...]]:
    """Yield the refusals that the seat gets when it names units that may exist."""
    for unit in ("japan-1", "japan-7", "japan-8", "japan-10", "japan-11"):
        for order in (
            {"order": "move", "unit": unit, "path": ["0101"]},
            {"order": "show", "unit": unit},
            {"order": "hide", "unit": unit},
            {"order": "place", "unit": unit, "side": "japan", "kind": "tug", "at": "0101"},
            {"order": "place", "unit": unit, "side": mine.name, "kind": "tug", "at": "0101", "hidden": True},
            {"order": "roll", "purpose": "x", "subjects": [unit], "table": "none", "pips": [1]},
        ):
            with pytest.raises(RuleViolation) as refused:
                mine.order(order)
            yield tuple(str(getattr(refused.value, part)) for part in ("what", "where", "rule", "remedy"))
        with pytest.raises(Exception) as typed:  # noqa: PT011 -- whatever it is, it is the same
            mine.order(mine.typed(f"move {unit} 0101") if hasattr(mine, "typed") else {"order": f"move {unit}"})
        yield (str(typed.value),)


@pytest.mark.parametrize("seat", BLIND)
def test_every_look_is_equal(worlds: tuple[umpire.Desk, umpire.Desk], seat: str) -> None:
    one, other = (msgspec.json.decode(msgspec.json.encode(looks(desk, seat), enc_hook=str)) for desk in worlds)
    for name in at_least_one(one):
        assert plain(one[name]) == plain(other[name]), name


@pytest.mark.parametrize("seat", BLIND)
def test_exports_and_pages_differ_only_in_hashes(
    worlds: tuple[umpire.Desk, umpire.Desk], seat: str, tmp_path: Path
) -> None:
    files = []
    for at, desk in enumerate(worlds):
        mine = desk.game("g").seat(seat)
        log = tmp_path / f"{at}.jsonl"
        mine.export(log)
        lines = [msgspec.json.decode(line) for line in log.read_bytes().splitlines()]
        files.append(plain(lines[:-1]))  # the last is the checkpoint
    assert files[0] == files[1]


def test_japan_and_the_referee_see_all_of_it(worlds: tuple[umpire.Desk, umpire.Desk]) -> None:
    for seat in ("japan", "referee"):
        one, other = (desk.game("g").seat(seat).plain_units(gone=True) for desk in worlds)
        assert one != other
    units = worlds[0].game("g").seat("japan").plain_units(gone=True)
    assert {unit["id"]: unit.get("seen_by") for unit in units} == {
        "hood": None,
        "japan-1": ["japan"],
        "japan-10": ["japan"],
        "japan-11": ["japan"],
        "japan-7": ["japan"],
    }


def test_openings_are_counted_alike_for_any_hidden_units(tmp_path: Path) -> None:
    # A player who opens games until the dice are good is counted, and the count reveals no hidden unit.
    with umpire.open(tmp_path / "umpire.db") as desk:
        for number, where in ((7, "0909"), (8, "0303")):
            desk.new_from_text("freeform", scenario(number, where).replace('"table"', '"ledger"'), id=f"g{number}")
        assert [desk.game("g8").seat(seat).dice().openings_before for seat in ("allies", "referee")] == [1, 1]


class TestScenario:
    """A scenario of a position has hidden units, each with the sides that see it."""

    @pytest.fixture
    def sea(self, tmp_path: Path) -> Iterator[umpire.PlayedGame]:
        with umpire.open(tmp_path / "umpire.db") as desk:
            game = desk.new_from_text("freeform", scenario(7, "0909"), id="g")
            game.seat("japan").order("show", unit="japan-11", to=["siam"])
            game.seat("japan").order("remove", unit="japan-11", fate="sunk")
            yield game

    def test_seats_know_the_same_in_the_new_game(self, sea: umpire.PlayedGame) -> None:
        text = sea.referee.scenario()
        assert "# It contains 2 hidden units: do not show it to the players.\n" in text
        again = sea.desk.new_from_text("freeform", text, id="again")
        assert again.referee.scenario() == text
        for seat in (*BLIND, "japan", "referee"):
            assert again.seat(seat).plain_units(gone=True) == sea.seat(seat).plain_units(gone=True), seat
        told = [line.visible_to for line in again.referee.audit() if line.event == "hidden.done"]
        assert told == [("allies", "referee"), ("japan", "referee"), ("siam", "referee")]

    def test_player_cannot_write_a_scenario_with_hidden_units(self, sea: umpire.PlayedGame) -> None:
        with pytest.raises(RuleViolation) as refused:
            sea.seat("japan").scenario()
        assert (refused.value.code, refused.value.fields["seat"]) == ("answers-closed", "japan")

    def test_scenario_with_a_unit_out_of_sight_is_refused(self, sea: umpire.PlayedGame) -> None:
        sea.seat("japan").order("hide", unit="japan-1")
        with pytest.raises(RuleViolation) as refused:
            sea.referee.scenario()
        assert refused.value.code == "units-out-of-sight"

    def test_hidden_units_without_fog_are_a_fault(self, sea: umpire.PlayedGame) -> None:
        text = sea.referee.scenario()
        with pytest.raises(ScenarioError) as refused:
            sea.desk.new_from_text("freeform", text, id="again", options={"fog": False})
        assert "japan-10" in refused.value.what.split()
        assert "`fog = true`" in refused.value.remedy

    def test_seen_by_names_a_side(self, sea: umpire.PlayedGame) -> None:
        text = sea.referee.scenario().replace('seen_by = ["japan"]', 'seen_by = ["nippon"]')
        with pytest.raises(ScenarioError) as refused:
            sea.desk.new_from_text("freeform", text, id="again")
        assert "nippon" in refused.value.what.split()
        assert refused.value.remedy.endswith(": allies, japan, siam")


def test_unit_out_of_sight_has_turn_and_position(worlds: tuple[umpire.Desk, umpire.Desk]) -> None:
    mine = worlds[0].game("g").seat("allies")
    (seen,) = mine.status.last_seen
    assert (seen.unit, seen.at) == ("japan-1", "0101")
    assert "is hidden at 0101" in mine.audit(start=seen.position, stop=seen.position)[0].text
    assert mine.plain_units()[-1]["last_seen"] == {"turn": 0, "position": seen.position}


class TestContacts:
    """Unseen contacts are reported to the referee, who rules on them."""

    @pytest.fixture
    def sea(self, tmp_path: Path) -> Iterator[umpire.PlayedGame]:
        with umpire.open(tmp_path / "umpire.db") as desk:
            game = desk.new_from_text("freeform", SCENARIO, id="g")
            game.seat("japan").order(next(orders(7, "0909", ()))[1])
            yield game

    def found(self, game: umpire.PlayedGame) -> list[tuple[str, str, str, tuple[str, ...], bool]]:
        seen = game.referee.status.contacts
        return [(one.place, one.unit, one.other, one.hidden, one.passing) for one in seen]

    def test_contact_by_a_hidden_unit_is_reported(self, sea: umpire.PlayedGame) -> None:
        assert self.found(sea) == []
        sea.seat("japan").order({"order": "move", "unit": "japan-7", "path": ["0808", "0610"]})
        assert self.found(sea) == [("0610", "japan-7", "hood", ("japan-7",), False)]
        for seat in (*BLIND, "japan"):
            assert sea.seat(seat).status.contacts == ()

    def test_contact_along_a_path_is_reported(self, sea: umpire.PlayedGame) -> None:
        sea.seat("allies").order({"order": "move", "unit": "hood", "path": ["0909", "0910"]})
        assert self.found(sea) == [("0909", "hood", "japan-7", ("japan-7",), True)]
        sea.referee.note("nobody looked out", about=sea.referee.status.contacts[0].position)
        assert self.found(sea) == []

    def test_contact_is_closed_when_the_unit_is_shown(self, sea: umpire.PlayedGame) -> None:
        sea.seat("allies").order({"order": "move", "unit": "hood", "path": ["0909"]})
        sea.referee.order({"order": "show", "unit": "japan-7", "to": ["allies"]})
        assert self.found(sea) == []
        assert "japan-7" in sea.seat("allies").known().units
        assert "japan-7" not in sea.seat("siam").known().units

    def test_contact_has_an_answer_at_each_position_of_a_hide(self, sea: umpire.PlayedGame) -> None:
        # The units have met; then Hood goes out of sight, in three records.
        sea.seat("allies").order({"order": "move", "unit": "hood", "path": ["0909"]})
        first = sea.size
        sea.seat("allies").order({"order": "hide", "unit": "hood"})
        met = [bool(sea.referee.status_at(at).contacts) for at in range(first, sea.size + 1)]
        assert met == [True, False, False, True]

    def test_contact_is_closed_when_the_units_part(self, sea: umpire.PlayedGame) -> None:
        sea.seat("allies").order({"order": "move", "unit": "hood", "path": ["0909"]})
        sea.seat("japan").order({"order": "move", "unit": "japan-7", "path": ["0910"]})
        assert self.found(sea) == []
