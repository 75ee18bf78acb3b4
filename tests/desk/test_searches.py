"""Searches for hidden units at the desk: visibility of their results, and dry runs of a search."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import umpire_ledger as umpire
from tests.desk.test_in_the_dark import plain
from tests.face.domain import RuleViolation
from tests.face.testing import folder_of
from tests.naming import Naming

SWEEP = (folder_of("freeform") / "your-own" / "sweep.toml").read_text(encoding="utf-8")
SEARCH = {"order": "search", "ship": "convoy-1", "hex": "0609", "pips": [5], "id": "search"}


def world(folder: Path, there: str, pips: int) -> umpire.Desk:
    """Play the sweep with a submarine at a place, and a search of 0609 with these dice results."""
    desk = umpire.open(folder)
    game = desk.new_from_text("freeform", SWEEP.replace('at = "0612"', f'at = "{there}"'), id="g")
    game.seat("wolves").order({"order": "done", "id": "done"})
    game.seat("convoy").order({**SEARCH, "pips": [pips]})
    return desk


def looks(desk: umpire.Desk, seat: str) -> Any:
    mine = desk.game("g").seat(seat)
    trail = [(line.position, line.seat, line.event, line.text, line.units, line.visible_to) for line in mine.audit()]
    sentences = [(one.position, one.text) for one in mine.orders()]
    legal = [] if seat == "spectator" else list(mine.legal_orders())
    found = [msgspec.structs.replace(mine.status, waits=()), trail, sentences, mine.plain_units(), mine.map(), legal]
    return plain(msgspec.json.decode(msgspec.json.encode(found, enc_hook=str)))


@pytest.mark.parametrize(("pips", "blind"), [(5, ("watch", "spectator")), (2, ("convoy", "watch", "spectator"))])
def test_search_reveals_nothing_to_others_or_after_a_failure(tmp_path: Path, pips: int, blind: tuple[str, ...]) -> None:
    with world(tmp_path / "one.db", "0609", pips) as one, world(tmp_path / "other.db", "0202", pips) as other:
        for seat in blind:
            assert looks(one, seat) == looks(other, seat), seat
        assert looks(one, "wolves") != looks(other, "wolves")
        if pips == 5:
            assert looks(one, "convoy") != looks(other, "convoy")


@pytest.fixture
def sea(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    with umpire.open(tmp_path / "umpire.db") as desk:
        game = desk.new_from_text("freeform", SWEEP.replace('at = "0612"', 'at = "0609"'), id="g")
        game.seat("wolves").order("done")
        yield game


FOUND = "wolves-1 at 0609, submarine"


def test_search_result_is_read_by_searcher_and_owner(sea: umpire.PlayedGame) -> None:
    sea.seat("convoy").order(SEARCH)
    said = {seat: sea.seat(seat).orders()[-1].text for seat in ("convoy", "wolves", "watch")}
    assert said == {
        "convoy": Naming("Convoy", "convoy-1", "(hex 0609)", "convoy-1", "2 → 1", "5 +1 = 6", FOUND),
        "wolves": Naming("Convoy", "convoy-1", "2 → 1", "5 +1 = 6", FOUND),
        "watch": Naming("Convoy", "convoy-1", "2 → 1", "5 +1 = 6"),
    }
    assert [seat for seat in ("wolves", "watch") if "(hex 0609)" in said[seat]] == []
    assert "wolves-1" not in said["watch"]


def test_dry_run_of_a_search_finds_nothing(sea: umpire.PlayedGame, tmp_path: Path) -> None:
    """Otherwise it would be free: later orders of the dry run would name a unit that its seat does not see."""
    lines = ({"as": "convoy", **SEARCH}, {"as": "convoy", "order": "show", "unit": "wolves-1"})
    file = tmp_path / "orders.jsonl"
    file.write_bytes(b"\n".join(map(msgspec.json.encode, lines)))
    with pytest.raises(RuleViolation) as refused:
        sea.play(file, check=True)
    assert (refused.value.rule, refused.value.what) == ("units", Naming("wolves-1"))
    with pytest.raises(RuleViolation) as given:
        sea.play(file)
    assert given.value.what == Naming("Wolves", "wolves-1")


def test_others_hidden_units_move_on_in_a_trial(sea: umpire.PlayedGame, tmp_path: Path) -> None:
    lines = (
        {"as": "convoy", **SEARCH},
        {"as": "convoy", "order": "done"},
        {"as": "wolves", "order": "move", "unit": "wolves-1", "path": ["0610"]},
    )
    file = tmp_path / "orders.jsonl"
    file.write_bytes(b"\n".join(map(msgspec.json.encode, lines)))
    assert sea.play(file, check=True).orders == 3


def test_found_unit_is_a_contact_once(sea: umpire.PlayedGame) -> None:
    # Contacts are for the referee; a unit found by a search is no longer a contact of the seats that see it.
    sea.seat("convoy").order("move", unit="convoy-1", path=["0609"])
    assert [one.other for one in sea.referee.status.contacts] == ["wolves-1"]
    sea.seat("convoy").order({**SEARCH, "hex": "0609"})
    assert sea.referee.status.contacts == ()
