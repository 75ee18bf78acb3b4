"""Orders of a clicked unit: the rules accept every offer, and every played order is offered."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import umpire_ledger as umpire
from tests.desk.test_order_forms import game_after
from tests.face.desk import (
    MOST_ANSWERS,
    Candidates,
    ClickableOrder,
    CompletionContext,
    LedgerHistory,
    Subject,
    UnitOrder,
    UnitOrders,
    asks_again,
    first_argument,
    open_ledger,
    shortest_ways,
    typed_by,
    unit_orders,
    way_over,
)
from tests.face.domain import Game, PlayedOrder, Title, decide, events_of, known_to, read_order, replace
from tests.face.testing import FIXTURES, HistoryAt, replay_folders, titles
from umpire_ledger.ledger import replay_log

POSITIONS = 10
LOADED = "11" * 32
REPLAYS = [
    pytest.param(title, file, id=f"{title.id}/{file.stem}")
    for title in titles()
    for folder in replay_folders(title.id)
    for file in sorted((folder / "replays").glob("*.jsonl"))
]
Raw = dict[str, Any]


def choices(found: UnitOrders | UnitOrder) -> Iterator[ClickableOrder]:
    if isinstance(found, UnitOrders):
        for one in found.orders:
            yield from choices(one)
        return
    yield from (*found.targets, *([found.whole] if found.whole else []))


def subject_of(title: Title, known: Game, raw: Raw) -> Subject:
    """Return what a player clicks to give an order."""
    first = first_argument(title.every_order[raw["order"]])
    named = raw.get(first.name, ()) if first is not None else ()
    name = named if isinstance(named, str) else next(iter(named), "")
    if first is not None and first.names == "place":
        return Subject(place=name)
    return Subject(unit=name if name in known.units else "")


@pytest.mark.parametrize(("title", "file"), REPLAYS)
def test_rules_accept_every_offer_and_given_orders_were_offered(title: Title, file: Path) -> None:
    with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
        name = replay_log.read_into(ledger, stream)
        title = title.of(ledger.state(name, 1))
        own = {one.order.tag() for one in title.orders}
        given = [one for one in LedgerHistory(ledger, name).newest_first() if one.cause]
        given = [one for one in given if msgspec.json.decode(one.cause)["order"] in own]
        assert given
        for taken in given[:: max(1, len(given) // POSITIONS)]:
            at = taken.first - 1
            _verify(title, ledger.state(name, at), HistoryAt(ledger, name, at), taken)


def _verify(title: Title, whole: Game, history: HistoryAt, taken: PlayedOrder) -> None:
    raw = msgspec.json.decode(taken.cause)
    known = known_to(whole, raw["as"])
    table = CompletionContext(title, known, raw["as"])
    subject = subject_of(title, known, raw)
    found = unit_orders(table, Candidates(table, history.tip), subject, history)
    trial = replace(whole, dice="ledger", seed=LOADED, awaits_dice="", keep=None, dice_open=False)
    for one in choices(found):
        order = read_order(title, typed_by(title, known, one.typed, raw["as"]))
        events = tuple(events_of(decide(title, trial, order, history).told))
        assert one.asks_again in (asks_again(events, order.order.seat), "no undo"), one.typed
        assert bool(one.pays) <= (one.asks_again == "pays"), one.typed
    if subject.unit and known.units[subject.unit].side not in ("", known.side_of(raw["as"])):
        return  # an order at another side's unit is listed only if it is offered
    labels = [(one.seat, one.words) for one in found.orders]
    assert len(set(labels)) == len(labels), labels
    entries = [one for one in found.orders if one.order == raw["order"]]
    assert entries, (history.tip, raw)
    ends = {one.place for entry in entries for one in entry.targets if one.path}
    if ends and subject.unit and title.next_to(known, known.units[subject.unit].at):
        assert raw["path"][-1] in ends, (history.tip, raw)


# --- a unit and its neighbours ----------------------------------------------------------------------------------------


@pytest.fixture
def desk() -> Iterator[umpire.Desk]:
    with umpire.open(":memory:") as found:
        yield found


@pytest.fixture
def harbour(desk: umpire.Desk) -> umpire.PlayedGame:
    return game_after(desk, "war-galley", "great-harbour", 60)


def entry(found: UnitOrders, order: str) -> UnitOrder:
    return next(one for one in found.orders if one.order == order)


class TestUnit:
    def test_far_target_has_the_shortest_path_and_its_costs(self, harbour: umpire.PlayedGame) -> None:
        found = entry(harbour.seat("athens").unit_orders("athens-7"), "move-ship")
        far = next(one for one in found.targets if one.place == "1504")
        assert (far.cost, far.costs, far.path[-1]) == (6, (1, 2, 3, 4, 5, 6), "1504")
        assert far.typed == f"move-ship athens-7 {','.join(far.path)}"
        assert found.form == {"ship": ("athens-7",)}
        assert len({one.place for one in found.targets}) == len(found.targets) > 100

    def test_target_is_a_unit(self, harbour: umpire.PlayedGame) -> None:
        (ram,) = entry(harbour.seat("athens").unit_orders("athens-7"), "ram").targets
        assert (ram.unit, ram.typed, ram.asks_again) == ("syracuse-7", "ram athens-7 syracuse-7", "")

    def test_offer_that_asks_nothing_can_be_undone(self, harbour: umpire.PlayedGame) -> None:
        athens = harbour.seat("athens")
        offers = [one for one in choices(athens.unit_orders("athens-7")) if not one.asks_again]
        before = athens.known().units
        for one in (offers[0], offers[-1]):
            athens.typed(one.typed)
            athens.undo()
        assert athens.known().units == before

    def test_dice_of_the_table_are_counted(self, harbour: umpire.PlayedGame) -> None:
        roll = entry(harbour.seat("athens").unit_orders(), "roll").whole
        assert roll is not None
        assert (roll.asks_again, roll.dice) == ("dice", 2)

    def test_payment_is_named_with_its_account(self, desk: umpire.Desk) -> None:
        game = game_after(desk, "twilight-imperium-3", "full-round", 24, "three-players")
        pays = [one.pays for one in choices(game.seat("mentak").unit_orders()) if one.asks_again == "pays"]
        assert {"action-cards/mentak": 1} in pays

    def test_refusal_at_several_targets_is_about_the_unit(self, desk: umpire.Desk) -> None:
        game = game_after(desk, "war-galley", "great-harbour", 27)
        ram = entry(game.seat("syracuse").unit_orders("syracuse-2"), "ram")
        assert ram.refused is not None
        assert (ram.refused.code, ram.refused.text.split()[0]) == ("not-adjacent", "syracuse-2")

    def test_labels_of_one_order_differ(self, desk: umpire.Desk) -> None:
        game = game_after(desk, "war-galley", "great-harbour", 9)
        offers = game.seat("syracuse").unit_orders().orders
        labels = [one.words for one in offers if one.order == "set-levels"]
        assert labels == ["Set levels cruise", "Set levels maximum", "Set levels cruise, but syracuse-1"]

    def test_pick_is_offered_without_a_unit(self, desk: umpire.Desk) -> None:
        game = game_after(desk, "war-galley", "great-harbour", 8)
        offers = game.seat("syracuse").unit_orders().orders
        assert "Pick agatharchus" in [one.words for one in offers if one.order == "pick"]

    def test_refused_order_has_its_reason(self, harbour: umpire.PlayedGame) -> None:
        sails = entry(harbour.seat("athens").unit_orders("athens-7"), "set-sails")
        assert sails.refused is not None
        assert "maximum speed" in sails.refused.text
        assert (sails.refused.code, sails.whole, sails.targets) == ("cannot-set-sails", None, ())


class TestNeighbors:
    def test_unit_of_the_other_side_offers_only_what_is_done_to_it(self, harbour: umpire.PlayedGame) -> None:
        found = harbour.seat("athens").unit_orders("syracuse-7")
        assert {one.order for one in found.orders} == {"hit"}
        assert found.side == "syracuse"
        assert not harbour.seat("syracuse").unit_orders("athens-7").orders

    def test_spectator_is_offered_nothing(self, harbour: umpire.PlayedGame) -> None:
        assert harbour.spectator.unit_orders("athens-7").orders == ()

    def test_referee_is_offered_the_orders_of_each_seat(self, harbour: umpire.PlayedGame) -> None:
        own, found = harbour.seat("athens").unit_orders("athens-7"), harbour.referee.unit_orders("athens-7")
        assert [one.typed for one in choices(found)] == [f"{one.typed} --as athens" for one in choices(own)]
        assert {one.seat for one in found.orders} == {"athens"}
        assert harbour.referee.looking_as("athens").unit_orders("athens-7") == own
        harbour.referee.typed(next(choices(found)).typed)

    def test_unknown_unit_is_not_there(self, harbour: umpire.PlayedGame) -> None:
        with pytest.raises(umpire.NotThere, match="athens-77"):
            harbour.seat("athens").unit_orders("athens-77")

    def test_destroyed_unit_has_no_orders(self, desk: umpire.Desk) -> None:
        game = desk.new("freeform", FIXTURES / "freeform/scenarios/ford.toml", id="ford")
        side = game.sides[0]
        unit = game.referee.units(side=side)[0].id
        assert game.seat(side).unit_orders(unit).orders
        game.seat(side).order("remove", unit=unit)
        assert game.seat(side).unit_orders(unit).orders == ()

    def test_rewind_brings_the_answer_back(self, harbour: umpire.PlayedGame) -> None:
        athens = harbour.seat("athens")
        before = athens.unit_orders("athens-7")
        athens.typed(entry(before, "move-ship").targets[0].typed)
        assert not any(one.targets for one in athens.unit_orders("athens-7").orders if one.order == "move-ship")
        athens.undo()
        after = athens.unit_orders("athens-7")
        assert (after.orders, after.root_at) == (before.orders, harbour.size)

    def test_sealed_step_offers_no_more_than_its_side_knows(self, desk: umpire.Desk) -> None:
        """Give sealed orders of different secrets on one side: the other side is answered alike."""
        answers = []
        for number, choice in enumerate(("yes", "no")):
            game = desk.new("freeform", FIXTURES / "freeform/scenarios/ford.toml", id=f"sealed-{number}")
            one, other = game.sides[:2]
            game.seat(one).order("seal-choice", question="in secret", choice=choice)
            unit = game.seat(other).units(side=other)[0].id
            answers.append([game.seat(other).unit_orders(name) for name in ("", unit)])
        assert answers[0] == answers[1]


# --- paths ------------------------------------------------------------------------------------------------------------

LINE = {"a": "b", "b": "ac", "c": "bd", "d": "c"}


def test_place_to_pass_is_passed_and_a_wall_is_not() -> None:
    def beside(place: str) -> str:
        return LINE[place]

    assert list(shortest_ways("a", beside, lambda way: "b is full" if way[-1] == "b" else None)) == [
        ("b", "c"),
        ("b", "c", "d"),
    ]
    assert way_over("a", ("c", "d"), beside, lambda way: "b is full" if way[-1] == "b" else None) == ("b", "c", "d")
    assert way_over("a", ("d", "c"), beside, lambda way: None) is None
    asked: list[tuple[str, ...]] = []
    assert not list(shortest_ways("a", beside, lambda way: asked.append(way) or "it has moved"))
    assert asked == [("b",)]


def test_path_leads_over_the_places_that_a_player_names() -> None:
    with umpire.open(":memory:") as desk:
        game = desk.import_log(FIXTURES / "war-galley" / "replays" / "great-harbour.jsonl")
        seat = game.fork("copy", at=list(game.referee.orders())[29].last).seat("syracuse")
        (over,) = seat.unit_orders("syracuse-4", order="move-ship", over=("1108", "1009")).orders
        assert [(one.place, one.cost) for one in over.targets] == [("1009", 4)]
        assert "1108" in over.targets[0].path
        assert seat.unit_orders("syracuse-4", order="move-ship", over=("1001", "1009")).orders[0].targets == ()
        assert len(seat.unit_orders("syracuse-4").orders) > 1


def test_answers_about_invented_places_do_not_accumulate(harbour: umpire.PlayedGame) -> None:
    table = harbour.seat("athens")._table()
    history, kept = LedgerHistory(harbour.ledger, harbour.id), Candidates(table, harbour.size)
    answer = unit_orders(table, kept, Subject(place="0"), history)
    kept.answers |= {Subject(place=str(nth)): answer for nth in range(1, MOST_ANSWERS)}
    unit_orders(table, kept, Subject(place="another"), history)
    assert list(kept.answers) == [Subject(place="another")]
