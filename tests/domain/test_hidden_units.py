"""Check hidden units with three sides: Japan hides ships, shows some to its ally Siam, and the Allies search."""

import random
import re
from typing import Any

import msgspec
import pytest

from tests.face.domain import (
    REFEREE,
    SPECTATOR,
    AccountChanged,
    ActText,
    Change,
    Dice,
    DiceRolled,
    DoText,
    FreeformScenario,
    FreePiece,
    Game,
    HiddenDone,
    HiddenOrdered,
    Hide,
    Mark,
    Move,
    Order,
    OrderText,
    Piece,
    Place,
    PlaceText,
    Remove,
    RestrictedEvent,
    Result,
    Roll,
    Rule,
    ScenarioError,
    Show,
    Side,
    Undo,
    UnitChanged,
    UnitCovered,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    UnitShown,
    decide_hide,
    does,
    evolve,
    freeform_TITLE as TITLE,
    in_the_open,
    known_to,
    may_see,
    paid,
)
from tests.face.testing import Story

ALLIES, JAPAN, SIAM = "allies", "japan", "siam"
SIDES = (Side(id=ALLIES, name="Allies", plural=True), Side(id=JAPAN, name="Japan"), Side(id=SIAM, name="Siam"))
PIECES = (
    FreePiece(id="hood", side=ALLIES, kind="cruiser", at="0610"),
    FreePiece(id="japan-1", side=JAPAN, kind="cruiser", at="0101", attributes={"steps": 2}),
)
OURS = (JAPAN, REFEREE)


def at_sea(fog: bool = True, **options: Any) -> Story:
    """Open a game of freeform with one visible ship of each side."""
    sea = FreeformScenario(title="freeform", name="In the dark", sides=SIDES, units=PIECES)
    return Story(TITLE, sea, options={**({"fog": True} if fog else {}), **options})


def counting() -> Story:
    """Return the same game, in which `hide` counts the hidden units publicly."""

    def hides(game: Game, order: Hide, dice: Dice) -> list[Result]:
        return [*paid(game, "out of sight", 1), *decide_hide(game, order, dice)]

    sea = FreeformScenario(title="freeform", name="In the dark", sides=SIDES, units=PIECES)
    return Story(msgspec.structs.replace(TITLE, orders=(*TITLE.orders, does(Hide, hides))), sea, options={"fog": True})


def sub(only: tuple[str, ...] = (), at: str = "0909", name: str = "japan-7") -> Place:
    return Place(seat=JAPAN, unit=name, side=JAPAN, kind="submarine", at=at, hidden=True, only=only)


@pytest.fixture
def sea() -> Story:
    """Set up a Japanese submarine at 0909 that only Japan and the referee see."""
    table = at_sea()
    table.when(sub())
    return table


def seen_by(story: Story, seat: str) -> list[str]:
    """Return the records of the last order as a seat sees them, with "hidden" for each record it may not see."""
    side = story.game.side_of(seat)
    return [
        type(one.event).__name__
        if may_see(seat, side, one.visible_to)
        else "hidden"
        if isinstance(one, RestrictedEvent)
        else type(one).__name__
        for one in story.told
    ]


class TestSeveralByOneOrder:
    """A fleet whose units name each other; they are hidden and shown together."""

    @pytest.fixture
    def fleet(self) -> Story:
        table = at_sea()
        attributes: dict[str, Any] = {"sails_with": "japan-1"}
        table.play(
            Place(seat=JAPAN, unit="japan-2", side=JAPAN, kind="destroyer", at="0101", attributes=attributes),
            Change(seat=JAPAN, unit="japan-1", attribute="leads", to="japan-2"),
        )
        return table

    def test_unit_named_by_another_cannot_hide_alone(self, fleet: Story) -> None:
        fleet.when(Hide(seat=JAPAN, unit="japan-1")).then_refused("unit-is-named", rule="hidden units")
        fleet.when(Hide(seat=JAPAN, unit="japan-2")).then_refused("unit-is-named", rule="hidden units")

    @pytest.mark.parametrize("names", [("japan-1", "japan-2"), ("japan-2", "japan-1")])
    def test_hide_with_units_covers_all_at_once(self, fleet: Story, names: tuple[str, str]) -> None:
        fleet.when(Hide(seat=JAPAN, unit=names[0], units=names[1:]))
        assert [type(one).__name__ for one in fleet.told] == [
            "UnitCovered",
            "UnitCovered",
            "HiddenOrdered",
            "RestrictedEvent",
        ]
        assert not {"japan-1", "japan-2"} & set(fleet.game.units)
        assert {"japan-1", "japan-2"} <= set(known_to(fleet.game, JAPAN).units)
        assert not {"japan-1", "japan-2"} & set(known_to(fleet.game, ALLIES).units)

    def test_show_with_units_shows_all_at_once(self, fleet: Story) -> None:
        fleet.play(Hide(seat=JAPAN, unit="japan-1", units=("japan-2",)))
        fleet.when(Show(seat=JAPAN, unit="japan-1", units=("japan-2",)))
        assert {"japan-1", "japan-2"} <= set(fleet.game.units)

    def test_unit_named_twice_is_hidden_once(self, fleet: Story) -> None:
        fleet.when(Hide(seat=JAPAN, unit="japan-1", units=("japan-2", "japan-1")))
        assert [type(one).__name__ for one in fleet.told].count("UnitCovered") == 2

    def test_unit_of_another_side_refuses_the_whole_order(self, fleet: Story) -> None:
        fleet.when(Hide(seat=JAPAN, unit="japan-1", units=("japan-2", "hood"))).then_refused(
            "unit-of-another-side", rule="hidden units", unit="hood", owner="Allies"
        )
        assert {"japan-1", "japan-2", "hood"} <= set(fleet.game.units)


class TestOnlyItsSideSeesIt:
    def test_others_learn_that_a_hidden_order_was_given(self, sea: Story) -> None:
        placed = UnitPlaced(unit="japan-7", side=JAPAN, kind="submarine", at="0909", seen_by=(JAPAN,))
        assert sea.told == [HiddenOrdered(side=JAPAN), RestrictedEvent(placed, OURS)]
        assert "japan-7" not in sea.game.units
        assert "japan-7" in known_to(sea.game, JAPAN).units
        assert "japan-7" in known_to(sea.game, REFEREE).units
        assert "japan-7" not in known_to(sea.game, ALLIES).units
        assert "japan-7" not in known_to(sea.game, SPECTATOR).units

    def test_hidden_unit_moves_is_damaged_and_sinks_unseen(self, sea: Story) -> None:
        sea.when(Move(seat=JAPAN, unit="japan-7", path=("0808", "0707")))
        moved = UnitMoved(unit="japan-7", path=("0909", "0808", "0707"))
        assert sea.told == [HiddenOrdered(side=JAPAN), RestrictedEvent(moved, OURS)]
        sea.when(Change(seat=JAPAN, unit="japan-7", attribute="hurt", to=True))
        changed = UnitChanged(unit="japan-7", attribute="hurt", before=None, after=True)
        assert sea.told == [HiddenOrdered(side=JAPAN), RestrictedEvent(changed, OURS)]
        sea.when(Remove(seat=JAPAN, unit="japan-7", fate="sunk"))
        assert sea.told == [
            HiddenOrdered(side=JAPAN),
            RestrictedEvent(UnitRemoved(unit="japan-7", fate="sunk", at="0707"), OURS),
        ]

    def test_hidden_unit_can_be_shown_to_an_ally(self) -> None:
        table = at_sea()
        table.when(sub(only=(SIAM,)))
        assert known_to(table.game, SIAM).units["japan-7"].at == "0909"
        assert "japan-7" not in known_to(table.game, ALLIES).units
        assert table.told[1] == RestrictedEvent(table.told[1].event, (JAPAN, SIAM, REFEREE))

    def test_dice_about_it_are_private_and_a_record_of_their_own(self, sea: Story) -> None:
        sea.when(Roll(seat=JAPAN, purpose="torpedoes", subjects=("japan-7",)), pips=(4,))
        rolled, ordered, done = sea.told
        assert isinstance(rolled, RestrictedEvent)
        assert isinstance(rolled.event, DiceRolled)
        assert rolled.visible_to == OURS
        assert (ordered, done) == (HiddenOrdered(side=JAPAN), RestrictedEvent(HiddenDone(), OURS))

    def test_slipping_out_of_sight_is_one_order_and_two_deeds(self) -> None:
        """Show every seat that the unit left 0101, and only Japan its destination."""
        table = at_sea()
        table.when(Move(seat=JAPAN, unit="japan-1", path=("0202",), only=(JAPAN,)))
        covered, ordered, done = table.told
        assert covered == UnitCovered(unit="japan-1", at="0101", blind=(ALLIES, SIAM, SPECTATOR))
        assert ordered == HiddenOrdered(side=JAPAN)
        assert isinstance(done, RestrictedEvent)
        assert isinstance(done.event, HiddenDone)
        assert [type(one) for one in done.event.events] == [UnitPlaced, UnitMoved]
        assert known_to(table.game, JAPAN).units["japan-1"].at == "0202"

    def test_side_sees_the_referee_move_its_hidden_unit(self, sea: Story) -> None:
        sea.when(
            Rule(
                seat=REFEREE,
                ruling="it drifts",
                reason="no fuel",
                grounds="house rule",
                orders=({"order": "move", "unit": "japan-7", "path": ["0910"]},),
            )
        )
        assert [type(one.event) for one in sea.told if isinstance(one, RestrictedEvent)] == [UnitMoved]
        assert HiddenOrdered(side="", overridden=True) in sea.told
        assert known_to(sea.game, JAPAN).units["japan-7"].at == "0910"


class TestShownAndHiddenAgain:
    def test_shown_unit_appears_at_its_present_place(self, sea: Story) -> None:
        sea.when(Move(seat=JAPAN, unit="japan-7", path=("0610",)))
        sea.when(Show(seat=JAPAN, unit="japan-7"))
        assert sea.told == [UnitShown(unit="japan-7", side=JAPAN, kind="submarine", at="0610")]
        assert sea.game.units["japan-7"].at == "0610"
        assert not sea.game.hidden

    def test_unit_can_be_shown_to_a_single_side(self, sea: Story) -> None:
        sea.when(Show(seat=REFEREE, unit="japan-7", to=(ALLIES,)))
        assert sea.told[0] == HiddenOrdered(side="")
        assert known_to(sea.game, ALLIES).units["japan-7"].at == "0909"
        assert "japan-7" not in known_to(sea.game, SIAM).units

    def test_shown_to_the_last_side_everybody_sees_it(self, sea: Story) -> None:
        sea.when(Show(seat=JAPAN, unit="japan-7", to=(ALLIES, SIAM)))
        assert "japan-7" in sea.game.units

    def test_side_keeps_time_and_place_of_its_sighting(self, sea: Story) -> None:
        sea.when(Show(seat=JAPAN, unit="japan-7", to=(ALLIES,)))
        sea.when(Hide(seat=JAPAN, unit="japan-7"))
        sea.when(Move(seat=JAPAN, unit="japan-7", path=("0303",)))
        (seen,) = known_to(sea.game, ALLIES).sightings.values()
        assert (seen.unit.at, seen.unit.kind) == ("0909", "submarine")
        assert not known_to(sea.game, SIAM).sightings
        sea.when(Move(seat=ALLIES, unit="japan-7", path=("0101",))).then_refused(
            "unit-not-seen", rule="units", last_seen="last seen at 0909"
        )

    def test_seat_cannot_undo_showing_a_unit(self, sea: Story) -> None:
        sea.when(Show(seat=JAPAN, unit="japan-7", to=(ALLIES,)))
        refusal = sea.when(Undo(seat=JAPAN)).then_refused("only-the-referee-undoes", rule="undo").refusal
        assert str(refusal.fields["stop"]).endswith("(japan-7)")  # type: ignore[union-attr]


ALIKE = [
    Move(seat=ALLIES, unit="japan-7", path=("0101",)),
    Change(seat=ALLIES, unit="japan-7", attribute="hurt", to=True),
    Remove(seat=ALLIES, unit="japan-7"),
    Show(seat=ALLIES, unit="japan-7"),
    Hide(seat=ALLIES, unit="japan-7"),
    Place(seat=ALLIES, unit="japan-7", side=ALLIES, kind="tug", at="0101"),
    Place(seat=ALLIES, unit="japan-7", side=JAPAN, kind="tug", at="0101"),
]


class TestAnOrderIsJudgedByWhatItsSeatKnows:
    @pytest.mark.parametrize("order", ALIKE, ids=lambda order: f"{order.tag()} {getattr(order, 'side', '')}")
    def test_refusal_does_not_reveal_a_hidden_unit(self, sea: Story, order: Order) -> None:
        empty = at_sea()
        empty.when(sub(name="japan-8"))
        there, not_there = sea.when(order).refusal, empty.when(order).refusal
        assert there is not None
        assert not_there is not None
        assert [getattr(there, part) for part in ("what", "where", "rule", "remedy")] == [
            getattr(not_there, part) for part in ("what", "where", "rule", "remedy")
        ]

    def test_its_own_side_names_it_as_any_other(self, sea: Story) -> None:
        sea.when(Move(seat=JAPAN, unit="japan-7", path=("0909",))).then_refused("already-there", rule="move", at="0909")
        sea.when(sub()).then_refused("unit-in-play", rule="place")


class TestWhatIsRefused:
    def test_without_fog_nothing_is_hidden(self) -> None:
        table = at_sea(fog=False)
        for order in (sub(), Hide(seat=JAPAN, unit="japan-1"), Show(seat=JAPAN, unit="japan-1")):
            table.when(order).then_refused("only-with-fog", rule="hidden units")
        table.when(Move(seat=JAPAN, unit="japan-1", path=("0202",), only=(JAPAN,))).then_refused(
            "only-with-fog", rule="hidden units"
        )

    def test_id_of_a_hidden_unit_must_begin_with_its_side(self) -> None:
        at_sea().when(sub(name="wolf")).then_refused(
            "unit-id-not-of-the-side", rule="hidden units", unit="wolf", side_id="japan"
        )

    def test_public_id_cannot_be_reused_for_a_hidden_unit(self) -> None:
        table = at_sea()
        table.when(Remove(seat=JAPAN, unit="japan-1"))
        table.when(sub(name="japan-1")).then_refused("unit-id-used", rule="hidden units")

    def test_id_of_a_unit_out_of_sight_stays_reserved(self) -> None:
        table = at_sea()
        table.when(Hide(seat=ALLIES, unit="hood"))
        table.when(Place(seat=JAPAN, unit="hood", side=JAPAN, kind="tug", at="0101")).then_refused(
            "unit-out-of-sight", rule="place", last_seen="last seen at 0610"
        )

    @pytest.mark.parametrize(
        ("order", "code", "fields"),
        [
            (Show(seat=JAPAN, unit="japan-1"), "unit-not-hidden", {"unit": "japan-1", "at": "0101"}),
            (Show(seat=JAPAN, unit="japan-7", to=(JAPAN,)), "seen-already", {"unit": "japan-7", "side": ("japan",)}),
            (Hide(seat=JAPAN, unit="japan-7"), "hidden-already", {"unit": "japan-7"}),
            (Hide(seat=JAPAN, unit="hood"), "unit-of-another-side", {"unit": "hood", "owner": "Allies"}),
            (Hide(seat=JAPAN, unit="japan-1", only=(SIAM, ALLIES)), "hidden-from-no-side", {}),
            (
                Change(seat=JAPAN, unit="japan-7", attribute="side", to=SIAM),
                "unit-not-seen",
                {"unit": "japan-7", "side_id": "siam"},
            ),
        ],
        ids=lambda value: value.tag() if isinstance(value, Order) else "",
    )
    def test_covers(self, sea: Story, order: Order, code: str, fields: dict[str, object]) -> None:
        sea.when(order).then_refused(code, rule="hidden units", **fields)

    @pytest.mark.parametrize(
        "hides", [Hide(seat=JAPAN, unit="japan-1"), Move(seat=JAPAN, unit="japan-1", path=("0202",), only=(JAPAN,))]
    )
    def test_unit_named_by_a_public_fact_cannot_hide(self, hides: Order) -> None:
        """Refuse to hide a unit that a rule may look up, such as a fleet in a battle or a grappled ship."""
        table = at_sea()
        table.play(
            {
                "as": REFEREE,
                "order": "rule",
                "ruling": "x",
                "reason": "y",
                "grounds": "house rule",
                "orders": [{"order": "mark", "marker": "fought", "to": "hood japan-1"}],
            }
        )
        table.when(hides).then_refused("unit-is-named", rule="hidden units", says="`fought`", unit="japan-1")
        table.play(
            Mark(seat=JAPAN, marker="fought", to=None),
            Change(seat=ALLIES, unit="hood", attribute="grapples", to="japan-1"),
        )
        table.when(hides).then_refused("unit-is-named", rule="hidden units", what="hood (grapples)")
        table.play(Change(seat=ALLIES, unit="hood", attribute="grapples", to="japan-12"))
        table.when(hides).then(UnitCovered, unit="japan-1")

    def test_hide_of_unit_seen_by_few_counts_nothing(self) -> None:
        table = counting()
        table.when(Hide(seat=JAPAN, unit="japan-1", only=(SIAM,)))
        assert any(isinstance(one, AccountChanged) for one in table.told)
        assert table.game.accounts["out of sight"] == 1
        table.when(Hide(seat=JAPAN, unit="japan-1")).then_refused(
            "open-and-hidden-at-once", rule="hidden units", order="account.changed"
        )
        assert table.game.accounts["out of sight"] == 1

    def test_showing_to_an_unknown_side_is_refused(self, sea: Story) -> None:
        sea.when(Show(seat=JAPAN, unit="japan-7", to=("china",))).then_refused(
            "no-such-side", rule="sides", side="china", known="allies, japan, siam"
        )

    def test_dice_about_units_that_not_the_same_sides_see(self, sea: Story) -> None:
        sea.when(sub(name="japan-8", only=(SIAM,)))
        sea.when(Roll(seat=JAPAN, purpose="both", subjects=("japan-7", "japan-8")), pips=(1,)).then_refused(
            "different-viewers", rule="hidden units"
        )


# --- whatever is ordered, a seat's records tell it just what it may know ----------------------------------------------


def draw(chance: random.Random, table: Story) -> Order:
    """Return a random order about a random unit, by a side or the referee."""
    seat = chance.choice((ALLIES, JAPAN, SIAM, REFEREE))
    units = sorted(known_to(table.game, REFEREE).units)
    unit, place = chance.choice(units), f"0{chance.randint(1, 9)}0{chance.randint(1, 9)}"
    only = tuple(chance.sample((ALLIES, JAPAN, SIAM), chance.randint(0, 2)))
    side = seat if seat != REFEREE else JAPAN
    return chance.choice(
        [
            Place(seat=seat, unit=f"{side}-{chance.randint(2, 9)}", side=side, kind="ship", at=place, hidden=True),
            Place(seat=seat, unit=f"{side}-{chance.randint(2, 9)}", side=side, kind="ship", at=place, only=only),
            Move(seat=seat, unit=unit, path=(place,)),
            Move(seat=seat, unit=unit, path=(place,), only=only),
            Change(seat=seat, unit=unit, attribute="steps", to=chance.randint(0, 3)),
            Remove(seat=seat, unit=unit) if chance.random() < 0.1 else Show(seat=seat, unit=unit),
            Show(seat=seat, unit=unit, to=only),
            Hide(seat=seat, unit=unit, only=only),
            Roll(seat=seat, purpose="luck", subjects=(unit,)),
        ]
    )


@pytest.mark.parametrize("seed", range(12))
def test_folding_visible_records_gives_the_state_of_the_seat(seed: int) -> None:
    chance, table = random.Random(seed), at_sea()
    folds = dict.fromkeys((ALLIES, JAPAN, SIAM, SPECTATOR), table.game)
    taken = 0
    for _ in range(150):
        order = draw(chance, table)
        if table.when(order, pips=(3,) if isinstance(order, Roll) else ()).refusal is not None:
            continue
        taken += 1
        for seat in folds:
            for one in table.told:
                if not isinstance(one, RestrictedEvent):
                    folds[seat] = evolve(folds[seat], one)
                elif may_see(seat, table.game.side_of(seat), one.visible_to):
                    folds[seat] = evolve(folds[seat], one.event)
            mine, truly = known_to(folds[seat], seat), known_to(table.game, seat)
            assert dict(mine.units) == dict(truly.units)
            assert (mine.hidden, mine.sightings) == (truly.hidden, truly.sightings)
            assert folds[seat].units == table.game.units == in_the_open(truly).units
    assert taken > 40


# --- orders of a scenario's own, and titles --------------------------------------------------------------------------

SAIL = {
    "sail": OrderText(
        words="Sail",
        takes={"ship": "unit", "to": "place"},
        does=(DoText(move="id = ship", to="to"), DoText(pay="fuel", amount=-1)),
    ),
    "drift": OrderText(
        words="Drift",
        takes={"ship": "unit", "to": "place"},
        does=(DoText(move="id = ship", to="to"), DoText(change="adrift", of="id = ship", to=True)),
    ),
}


class TestOrdersOfTheScenario:
    @pytest.fixture
    def sea(self) -> Story:
        own = FreeformScenario(
            title="freeform", name="In the dark", sides=SIDES, units=PIECES, accounts={"fuel": 9}, orders=SAIL
        )
        table = Story(TITLE, own, options={"fog": True})
        table.when(sub())
        return table

    def test_all_that_one_does_is_one_private_record(self, sea: Story) -> None:
        sea.when({"as": JAPAN, "order": "drift", "ship": "japan-7", "to": "0808"}).then_accepted()
        ordered, done = sea.told
        assert ordered == HiddenOrdered(side=JAPAN)
        assert isinstance(done, RestrictedEvent)
        assert isinstance(done.event, HiddenDone)
        assert [type(one) for one in done.event.events] == [UnitMoved, UnitChanged]

    def test_order_with_public_payment_cannot_name_a_hidden_unit(self, sea: Story) -> None:
        sea.when({"as": JAPAN, "order": "sail", "ship": "japan-7", "to": "0808"}).then_refused(
            "open-and-hidden-at-once", rule="hidden units", order="account.changed"
        )
        sea.when({"as": JAPAN, "order": "sail", "ship": "japan-1", "to": "0808"}).then_accepted()

    def test_order_naming_an_unseen_unit_does_nothing(self, sea: Story) -> None:
        sea.when({"as": ALLIES, "order": "drift", "ship": "japan-7", "to": "0808"})
        assert sea.events == ()


BEGINS_HIDDEN = FreePiece(id="japan-9", side=JAPAN, kind="submarine", at="0303", hidden=True)


def opened_with(*pieces: FreePiece, fog: bool = True) -> Story:
    sea = FreeformScenario(title="freeform", name="In the dark", sides=SIDES, units=(*PIECES, *pieces))
    return Story(TITLE, sea, options={"fog": True} if fog else {})


class TestFromTheOpening:
    def test_only_its_side_and_the_referee_see_it(self) -> None:
        table = opened_with(BEGINS_HIDDEN)
        assert known_to(table.game, JAPAN).units["japan-9"].at == "0303"
        assert known_to(table.game, REFEREE).units["japan-9"].at == "0303"
        for seat in (ALLIES, SIAM, SPECTATOR):
            assert "japan-9" not in known_to(table.game, seat).units
        assert table.game.hidden["japan-9"].unit.attributes == {}

    def test_hidden_setup_adds_only_one_private_record_a_side(self) -> None:
        with_it, without = opened_with(BEGINS_HIDDEN), opened_with()
        placed = UnitPlaced(unit="japan-9", side=JAPAN, kind="submarine", at="0303", cause="set-up", seen_by=(JAPAN,))
        assert [one for one in with_it.told if isinstance(one, RestrictedEvent)] == [
            RestrictedEvent(HiddenDone(), (ALLIES, REFEREE)),
            RestrictedEvent(HiddenDone(events=(placed,)), OURS),
            RestrictedEvent(HiddenDone(), (SIAM, REFEREE)),
        ]
        public = [[one for one in table.told if not isinstance(one, RestrictedEvent)] for table in (with_it, without)]
        assert public[0] == public[1]
        assert [type(one) for one in with_it.told] == [type(one) for one in without.told]
        assert with_it.game.acts == without.game.acts

    def test_without_fog_there_is_no_such_record(self) -> None:
        assert not [one for one in opened_with(fog=False).told if isinstance(one, RestrictedEvent)]

    def test_unit_hidden_at_setup_moves_and_is_shown(self) -> None:
        table = opened_with(BEGINS_HIDDEN)
        table.when(Move(seat=JAPAN, unit="japan-9", path=("0404",))).then_accepted()
        table.when(Show(seat=JAPAN, unit="japan-9")).then_accepted()
        assert table.game.units["japan-9"].at == "0404"

    def test_without_fog_it_is_a_fault_of_the_scenario(self) -> None:
        with pytest.raises(ScenarioError) as refused:
            opened_with(BEGINS_HIDDEN, fog=False)
        assert "japan-9" in refused.value.what
        assert refused.value.where == "$.units[2].hidden"
        assert refused.value.rule == "hidden units"
        assert re.findall("`(.+?)`", refused.value.remedy) == ["fog = true", "hidden"]

    def test_id_of_a_unit_hidden_at_setup_begins_with_its_side(self) -> None:
        with pytest.raises(ScenarioError) as refused:
            opened_with(FreePiece(id="nautilus", side=JAPAN, kind="submarine", at="0303", hidden=True))
        assert "nautilus" in refused.value.what
        assert refused.value.where == "$.units[2].id"
        assert "japan-" in refused.value.remedy

    def test_title_with_pieces_elsewhere_cannot_hide_them(self) -> None:
        class Drawer(FreeformScenario, frozen=True, kw_only=True):
            kept: dict[str, FreePiece] = msgspec.field(default_factory=dict)

            def pieces(self) -> tuple[Piece, ...]:
                return (*self.units, *self.kept.values())

        sea = Drawer(title="freeform", name="Drawer", sides=SIDES, units=PIECES, kept={"deep": BEGINS_HIDDEN})
        with pytest.raises(ScenarioError) as refused:
            Story(TITLE, sea, options={"fog": True})
        assert (refused.value.where, refused.value.rule) == ("$.units[2].hidden", "hidden units")
        assert "japan-9" in refused.value.what
        assert re.findall("`(.+?)`", refused.value.remedy) == ["hidden", "hide"]


def test_fog_needs_a_referee_who_sees() -> None:
    with pytest.raises(ScenarioError) as refused:
        at_sea(secrets_closed_to_referee=True)
    assert refused.value.where == "$.options.secrets_closed_to_referee"
    assert re.findall("secrets_closed_to_referee|fog", refused.value.remedy) == ["secrets_closed_to_referee", "fog"]


class TestAStepThatSearches:
    """A step of the sequence that shows the hidden units at the place that the Allies named."""

    @pytest.fixture
    def sea(self) -> Story:
        play = (
            PlaceText(rounds="T", name="turns", counts_turns=True, until="nth(9, 'T')"),
            PlaceText(step="1", name="sailing", by=(JAPAN,), allows=("place", "move"), inside="T"),
            PlaceText(step="2", name="search", by=(ALLIES,), allows=("mark",), inside="T"),
            PlaceText(
                step="3",
                name="found",
                by=(ALLIES,),
                does=(ActText(show="side = 'japan' and at = marker('searched')"),),
                inside="T",
            ),
        )
        own = FreeformScenario(
            title="freeform", name="The search", sides=SIDES, units=PIECES, markers={"searched": "0000"}, play=play
        )
        table = Story(TITLE, own, options={"fog": True})
        table.play(sub(), sub(name="japan-8", at="0303"), {"as": JAPAN, "order": "done"})
        return table

    def test_search_shows_only_units_at_the_place(self, sea: Story) -> None:
        sea.play({"as": ALLIES, "order": "mark", "marker": "searched", "to": "0909"})
        sea.when({"as": ALLIES, "order": "done"}).then(UnitShown, unit="japan-7", at="0909", seen_by=())
        assert set(sea.game.hidden) == {"japan-8"}

    def test_search_of_an_empty_place_shows_no_unit(self, sea: Story) -> None:
        sea.play({"as": ALLIES, "order": "mark", "marker": "searched", "to": "0101"})
        sea.when({"as": ALLIES, "order": "done"}).then_not(UnitShown)
