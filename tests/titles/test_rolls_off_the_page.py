"""Roll on tables that no page prints: the group adds modifiers and reads outcomes off its own table.

War Galley's wind and boarding cover every case; every other title shows that its rolls work alike.
"""

from typing import Any

import msgspec
import pytest

from tests.face.desk import need_title
from tests.face.domain import (
    DiceRolled,
    MarkerSet,
    Modified,
    Modifier,
    Order,
    Plus,
    ReadOff,
    ScenarioError,
    StepClosed,
    UnitChanged,
    UnitRemoved,
    WarGalleyScenario,
    open_steps,
    owed,
    read_scenario,
    red_coat_rags_TITLE as RED_COATS,
    war_galley_TITLE as TITLE,
)
from tests.face.testing import Story, titles
from tests.naming import Naming
from tests.titles import (
    federation_table as fe,
    pacific_war_table as pw,
    red_coat_rags_table as rcr,
    twilight_imperium_3_table as ti,
)
from tests.titles.war_galley_table import BASE, battle, change, flag, says as says_wg, scenario, ship, tie, to_movement

BOOK = "War Galley, second edition"
RAIN = {"amount": 1, "source": "rain"}


def by_the_book(outcome: Any, source: str = BOOK) -> dict[str, Any]:
    return {"outcome": outcome, "source": source}


def read_by_the_group(base: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the tables of a scenario, some without rows: the group reads those off its own."""
    dice = {name: base[name].get("dice", "") for name in names}
    return {**base, **{name: {"dice": dice[name], "by_the_book": BOOK} for name in names}}


def at_the_wind(*names: str, dice: Any = "table") -> Story:
    """Open the first step of War Galley."""
    fleet = flag("athens-1", "0505", "left"), flag("syracuse-1", "0510", "foe")
    return Story(TITLE, scenario(*fleet, tables=read_by_the_group(BASE["tables"], *names)), dice=dice)


NORTH = {"direction": "N", "speed": 6}


class TestModifiers:
    def test_modifiers_of_the_group_are_recorded_with_their_sources(self) -> None:
        """Add 1 for the rain: 2 and 3 are 5, and the rain makes it 6."""
        table = at_the_wind().when(
            says_wg("athens", "roll-wind", 2, 3, modifiers=[RAIN, {"amount": -2, "source": "W"}])
        )
        rolled = table.then(DiceRolled, total=4, row="2..4", table="wind")
        assert rolled.modifiers == (Modifier(amount=1, source="rain"), Modifier(amount=-2, source="W"))
        table.then(MarkerSet, marker="wind_direction", after="N")

    def test_total_beyond_the_rows_is_read_off_the_groups_table(self) -> None:
        """Keep the roll and wait for its outcome: a refusal would be a free look at the ledger's dice."""
        storm = [{"amount": 19, "source": "storm"}]
        table = at_the_wind(dice="ledger").play(says_wg("athens", "roll-wind", modifiers=storm))
        rolled = table.then(DiceRolled, table="wind", row="", outcome="", book="")
        table.then(MarkerSet, marker="unread/wind", cause=Naming(1, rolled.total, "wind"))
        table.play(says_wg("athens", "roll-wind", by_the_book=by_the_book(NORTH))).then(MarkerSet, marker="wind_speed")

    def test_boarding_adds_modifiers_to_the_manpower(self) -> None:
        table = grappled().when(
            says_wg("athens", "board", 1, 2, ships=["athens-1"], target="syracuse-1", modifiers=[RAIN])
        )
        rolled = table.then(DiceRolled, total=3 + 3 - 2 + 1)
        assert [one.source for one in rolled.modifiers][-1] == "rain"


def grappled(*names: str) -> Story:
    """Open E.2 for Athens, with manpower 3 against 2."""
    table = battle(
        flag("athens-1", "0505", "left", manpower=3),
        ship("athens-9", "1915"),
        flag("syracuse-1", "0504", "foe"),
        tables=read_by_the_group(BASE["tables"], *names),
    )
    tie(table, "athens-1", "syracuse-1")
    to_movement(table, "left")
    return table.play(says_wg("athens", "done"))


class TestBookInOneOrder:
    """Dice of the table: the group throws, reads, and says both."""

    def test_boarding_uses_the_outcome_read_by_the_group(self) -> None:
        table = grappled("boarding")
        outcome = {"result": "captured", "boarders_lose": 1}
        order = says_wg(
            "athens", "board", 5, 5, ships=["athens-1"], target="syracuse-1", by_the_book=by_the_book(outcome)
        )
        table.when(order)
        table.then(
            DiceRolled, total=11, table="boarding", row="", book=BOOK, outcome="result captured, boarders_lose 1"
        )
        table.then(UnitChanged, unit="syracuse-1", attribute="side", after="athens")
        table.then(UnitChanged, unit="athens-1", attribute="manpower", before=3, after=2)

    def test_outcome_read_by_the_group_precedes_the_rows(self) -> None:
        """Repel by the group's book, although the scenario's table would let 6 and 4 capture."""
        book = by_the_book({"result": "repelled"})
        table = grappled().when(
            says_wg("athens", "board", 6, 4, ships=["athens-1"], target="syracuse-1", by_the_book=book)
        )
        table.then(DiceRolled, book=BOOK, outcome="result repelled")
        table.then_not(UnitChanged, attribute="side")

    def test_outcome_that_the_table_cannot_have_is_refused(self) -> None:
        book = by_the_book({"result": "sunk"})
        table = grappled("boarding").when(
            says_wg("athens", "board", 6, 4, ships=["athens-1"], target="syracuse-1", by_the_book=book)
        )
        table.then_refused(
            "not-an-outcome", rule="E.2", outcome="result sunk", purpose=Naming("syracuse-1"), table="boarding"
        )

    def test_outcome_can_be_chosen_by_its_name(self) -> None:
        table = grappled("double-activation")
        change(table, "athens-1", "fouled", ("syracuse-1",))
        while table.game.cursor.open[0].step != "G.1":
            side = table.game.cursor.waiting()[0]
            step = table.game.cursor.open[0].step
            if step == "F.ship":
                table.play(says_wg(side, "pick", member="athens-9"))
            elif step == "F.crew":
                table.play(says_wg(side, "test-crew", 1))
            elif step == "E.squadron":
                table.play(says_wg(side, "pick", member="foe"))
            elif table.when(says_wg(side, "done")).refusal:
                table.play(says_wg(side, "stay"))
        table.when(says_wg("athens", "disengage", 3, ship="athens-1", by_the_book=by_the_book("loose")))
        table.then_refused(
            "not-an-outcome",
            rule="G.1 [8.35]",
            outcome="loose",
            purpose=Naming("athens-1"),
            example='{"outcome": "free" or "held", "source": "…"}',
        )
        table.when(says_wg("athens", "disengage", 3, ship="athens-1", by_the_book=by_the_book("free")))
        table.then(DiceRolled, outcome="free", book=BOOK)
        table.then(UnitChanged, attribute="fouled", unit="athens-1", after=())


class TestBookInTwoOrders:
    """Throw in one order and read in the next: with ledger dice, no player can read the table earlier."""

    def test_roll_then_outcome_come_in_two_orders(self) -> None:
        table = at_the_wind("wind", dice="ledger").play(says_wg("athens", "roll-wind", modifiers=[RAIN]))
        rolled = table.then(DiceRolled, table="wind", outcome="", book=BOOK)
        table.then_not(MarkerSet, marker="wind_direction").then_open("A")
        assert rolled.total == sum(rolled.pips) + 1
        table.play(says_wg("athens", "roll-wind", by_the_book=by_the_book(NORTH)))
        table.then_not(DiceRolled)
        cause = Naming(1, rolled.total, "direction N, speed 6", BOOK)
        table.then(MarkerSet, marker="unread/wind", after=None, cause=cause)
        table.then(MarkerSet, marker="wind_speed", after=6, cause=Naming(rolled.total))

    def test_roll_at_the_table_is_read_in_a_later_order(self) -> None:
        table = at_the_wind("wind").play(says_wg("athens", "roll-wind", 4, 4))
        table.play(says_wg("syracuse", "roll-wind", by_the_book=by_the_book(NORTH)))
        table.then(MarkerSet, marker="wind_direction", after="N")

    def test_outcome_is_required_until_it_is_read(self) -> None:
        table = at_the_wind("wind").play(says_wg("athens", "roll-wind", 4, 4))
        (step,) = open_steps(TITLE, table.game)
        assert owed(TITLE, table.game, step, "athens")[0] == Naming(1, "wind", 8, "`by_the_book`")
        table.when(says_wg("athens", "done")).then_refused("orders-required", rule="A", orders=("roll-wind",))

    def test_roll_with_an_unread_outcome_repeated_is_refused(self) -> None:
        table = at_the_wind("wind").play(says_wg("athens", "roll-wind", 4, 4))
        table.when(says_wg("athens", "roll-wind", 6, 6))
        table.then_refused(
            "cannot-be-read-so",
            rule="A",
            shown=Naming(1, "wind", 8),
            remedy=Naming('"by_the_book": {"outcome": {"direction": …, "speed": …}'),
        )

    def test_modifier_added_after_the_roll_is_refused(self) -> None:
        table = at_the_wind("wind").play(says_wg("athens", "roll-wind", 4, 4))
        table.when(says_wg("athens", "roll-wind", modifiers=[RAIN], by_the_book=by_the_book(NORTH)))
        table.then_refused("cannot-be-read-so", rule="A", shown=Naming(1, "wind", 8), remedy=Naming("`modifiers`"))

    def test_outcome_read_for_other_units_is_refused(self) -> None:
        table = grappled("boarding")
        table.play(says_wg("athens", "board", 4, 4, ships=["athens-1"], target="syracuse-1"))
        table.given(UnitChanged(unit="athens-9", attribute="squadron", before="athens-9", after="left"))
        tie(table, "athens-9", "syracuse-1")
        book = by_the_book({"result": "captured"})
        order = {"ships": ["athens-1", "athens-9"], "target": "syracuse-1", "by_the_book": book}
        table.when(says_wg("athens", "board", **order))
        table.then_refused(
            "cannot-be-read-so",
            rule="E.2",
            shown=Naming(4, "syracuse-1", 9),
            what=Naming("athens-1", "syracuse-1"),
        )

    def test_another_roll_waits_until_it_is_read(self) -> None:
        """Wait, because the outcome of the first may end the step."""
        table = battle(
            flag("athens-1", "0505", "left", manpower=3),
            ship("athens-9", "1915"),
            flag("syracuse-1", "0504", "foe"),
            ship("syracuse-2", "0605"),
            tables=read_by_the_group(BASE["tables"], "boarding"),
        )
        tie(table, "athens-1", "syracuse-1")
        tie(table, "athens-1", "syracuse-2")
        to_movement(table, "left").play(says_wg("athens", "done"))
        order = {"ships": ["athens-1"], "send": {"athens-1": 1}}
        table.play(says_wg("athens", "board", 4, 4, target="syracuse-1", **order))
        table.when(says_wg("athens", "board", 4, 4, target="syracuse-2", **order))
        table.then_refused("read-the-other-first", rule="E.2", purpose=Naming("syracuse-2"))

    def test_outcome_before_the_ledger_rolls_is_refused(self) -> None:
        table = at_the_wind("wind", dice="ledger").when(says_wg("athens", "roll-wind", by_the_book=by_the_book(NORTH)))
        table.then_refused("not-rolled-yet", rule="A", purpose="wind", rows="")
        table = at_the_wind(dice="ledger").when(says_wg("athens", "roll-wind", by_the_book=by_the_book(NORTH)))
        table.then_refused("not-rolled-yet", rule="A", purpose="wind", rows=Naming("wind"))
        assert table.game.rolls == 0


class TestScenarioTables:
    def test_table_with_neither_or_both_rows_and_book_is_refused(self) -> None:
        both = {**BASE["tables"]["wind"], "by_the_book": BOOK}
        for wind in ({"dice": "2d6"}, both):
            with pytest.raises(ScenarioError) as refusal:
                read_scenario({**BASE, "tables": {**BASE["tables"], "wind": wind}}, WarGalleyScenario)
            assert refusal.value.what == Naming("`by_the_book`")
            assert refusal.value.where.startswith("$.tables")

    def test_game_opens_on_tables_without_rows(self) -> None:
        every = scenario(
            flag("athens-1", "0505", "left"),
            flag("syracuse-1", "0510", "foe"),
            tables={name: {"dice": "2d6", "by_the_book": BOOK} for name in BASE["tables"]},
        )
        assert Story(TITLE, every).game.tables["wind"]["by_the_book"] == BOOK

    def test_table_that_is_not_rolled_on_requires_rows(self) -> None:
        base = pw.scenario("solomons")
        tables = {**base.tables, "strategic-initiative": {"by_the_book": BOOK}}
        raw = {**msgspec.to_builtins(base), "tables": msgspec.to_builtins(tables)}
        with pytest.raises(ScenarioError) as refusal:
            read_scenario(raw, type(base))
        assert refusal.value.what == Naming("strategic-initiative")


class TestPacificWar:
    def test_attack_uses_the_book(self) -> None:
        table = pw.until(pw.cycle(pw.campaign(), "shokaku", "rabaul-air"), "5.2.D")
        pw.sets_out(table, pw.JAPAN, "rabaul-air", "san-francisco")
        order = {"units": ["rabaul-air"], "target": "san-francisco"}
        table.when(pw.says(pw.JAPAN, "attack", 1, **order, by_the_book=by_the_book({"hits": 1}, "Air table")))
        table.then(DiceRolled, book="Air table", outcome="hits 1")
        table.then(UnitChanged, unit="san-francisco", attribute="hits", after=1)

    def test_secret_level_is_rolled_and_read_in_secret(self) -> None:
        base = pw.scenario("solomons")
        table = base.tables["strategic-intelligence/japan"]
        bare = msgspec.structs.replace(table, rows={}, by_the_book=BOOK)
        tables = {**base.tables, "strategic-intelligence/japan": bare}
        story = pw.until(Story(need_title("pacific-war"), msgspec.structs.replace(base, tables=tables)), "5.1.B")
        story.play(pw.says(pw.JAPAN, "determine-level", 4))
        assert {getattr(one, "visible_to", None) for one in story.told} == {("japan", "referee")}
        story.play(pw.says(pw.JAPAN, "determine-level", by_the_book=by_the_book({"level": 3})))
        assert story.game.choices["strategic intelligence/japan"].choice == 3

    def test_weather_by_the_book_names_every_zone(self) -> None:
        story = pw.until(pw.strategic(), "5.1.A")
        zones = story.game.markers["weather_zones"]
        assert isinstance(zones, tuple)
        pips = (1,) * len(zones)
        sky = dict.fromkeys(zones, "foul")
        story.when(pw.says(pw.JAPAN, "roll-weather", *pips, by_the_book=by_the_book({zones[0]: "foul"})))
        story.then_refused("zone-missing", rule="5.1.A [6.0]", zone="central")
        story.when(pw.says(pw.JAPAN, "roll-weather", *pips, by_the_book=by_the_book(sky)))
        story.then(MarkerSet, marker=f"weather/{zones[1]}", after="foul")
        story.then(StepClosed, step="5.1.A")


class TestRedCoatRags:
    def fired(self, **more: Any) -> Story:
        story = rcr.table(**more)
        for piece in ("forlorn-1", "forlorn-2"):
            rcr.change(story, piece, "range", 12)
        return rcr.to_actions(story, dice=3).play(rcr.says(rcr.KING, "fire", piece="forlorn-1", target="blues-4"))

    def test_fire_goes_by_the_book(self) -> None:
        story = self.fired()
        book = by_the_book({"target": "destroyed"}, "our fire chart")
        story.when(rcr.says(rcr.KING, "resolve-fire", 1, 6, by_the_book=book))
        story.then(DiceRolled, book="our fire chart", outcome="forlorn-1 -5: target destroyed")
        story.then(UnitRemoved, unit="blues-4", fate="destroyed")

    def test_fire_is_thrown_first_and_read_then(self) -> None:
        story = self.fired(tables=read_by_the_group(rcr.BASE["tables"], "fire"))
        story.play(rcr.says(rcr.KING, "resolve-fire", 1, 6)).then_open("4b")
        story.play(rcr.says(rcr.KING, "resolve-fire", by_the_book=by_the_book({"target": "stands"})))
        story.then(UnitChanged, unit="forlorn-1", attribute="red_cube").unit.startswith("forlorn")
        story.then_open("4a")

    def test_activation_uses_the_chart_of_the_group(self) -> None:
        """Both dice fail against quality 4; the chart lets the unit act once all the same."""
        story = rcr.to_activation(rcr.table())
        book = by_the_book({"actions": 1}, "chart 1-12-16")
        story.when(rcr.says(rcr.KING, "activate", 1, 1, unit="forlorn", dice=2, by_the_book=book))
        said = Naming(0, 2, "actions 1")
        story.then(DiceRolled, table="activation", book="chart 1-12-16", outcome=said)
        story.then(MarkerSet, marker="actions", after=1)

    def test_activation_is_rolled_first_and_read_next(self) -> None:
        tables = {**rcr.BASE["tables"], "activation": {"by_the_book": BOOK}}
        story = rcr.to_activation(rcr.table(tables=tables))
        story.play(rcr.says(rcr.KING, "activate", 6, 1, unit="forlorn", dice=2)).then_open("3")
        story.play(rcr.says(rcr.KING, "activate", unit="forlorn", dice=2, by_the_book=by_the_book({"fails": True})))
        story.then(MarkerSet, marker="failed", after="forlorn", cause=Naming(1, 2))

    def test_modifiers_count_for_each_die_of_an_activation(self) -> None:
        story = rcr.to_activation(rcr.table())
        quality = story.game.units["forlorn"].number("qv")
        order = {"unit": "forlorn", "dice": 2, "modifiers": [{"amount": 1, "source": "drums"}]}
        story.when(rcr.says(rcr.KING, "activate", quality - 1, 1, **order))
        story.then(DiceRolled, total=quality, outcome="success")
        story.then(MarkerSet, marker="actions", after=1)


class TestFederationAndEmpire:
    def test_capture_uses_the_book(self) -> None:
        cripple = fe.ship("K-D7", "klingon", "1105")
        mine = fe.ship("Z-CC", "kzinti", "1105", attack=40)
        war = fe.battle(cripple, fe.ship("K-D6", "klingon", "1105"), mine).to("5-4C4")
        side, foe = (war.game.units[one].side for one in ("Z-CC", "K-D7"))
        war.says(side, "score", points=4).to("5-6B").says(foe, "allot", unit="K-D7", result="crippled").to("5-6X1")
        war.says(side, "capture", 2, unit="K-D7", by_the_book=by_the_book("success", "305.1"))
        assert war.game.units["K-D7"].side == side

    def test_damage_die_takes_modifiers(self) -> None:
        war = fe.battle(fe.ship("K-D7", "klingon", "1105"), fe.ship("Z-CC", "kzinti", "1105")).to("5-4C3")
        side = war.game.cursor.waiting()[0]
        war.says(side, "roll-damage", 3, modifiers=[{"amount": -1, "source": "shift 1"}])
        war.story.then(DiceRolled, total=2, modifiers=(Modifier(amount=-1, source="shift 1"),))


class TestTwilightImperium:
    def test_card_modifies_each_die_of_the_combat(self) -> None:
        """Hit with a 6 but not with a 5: cruisers hit on 7, and the card adds 1."""
        way = ("wellon-space", "quann-space")
        table = ti.galaxy(*ti.some("sol-cruiser", 2, "wellon-space"), ti.unit("mentak-cruiser-1", "quann-space"))
        ti.to_dice(ti.attack(table, way, "sol-cruiser-1", "sol-cruiser-2"))
        card = [{"amount": 1, "source": "Morale Boost"}]
        table.when(ti.says("sol", "roll-combat", 6, 5, modifiers=card))
        plus = (Modifier(amount=1, source="Morale Boost"),)
        table.then(DiceRolled, needed=Naming(7, "+1"), outcome=Naming(1), modifiers=plus)


ROLLS = [
    pytest.param(title.id, one.order, id=f"{title.id}/{one.order.tag()}")
    for title in titles()
    for one in title.orders
    if one.tables
]


@pytest.mark.parametrize(("title", "order"), ROLLS)
def test_orders_with_a_table_can_read_it_off_the_groups_own(title: str, order: type[Order]) -> None:
    assert issubclass(order, ReadOff)


def test_modifiers_are_limited_as_those_of_roll_are() -> None:
    for order in (one.order for title in titles() for one in title.orders):
        if issubclass(order, Modified | ReadOff) and "modifiers" in order.__struct_fields__:
            assert order.__annotations__.get("modifiers") in (None, "tuple[Plus, ...]", tuple[Plus, ...])
    assert RED_COATS.decisions
