"""Check the sentences of War Galley for refused orders, skipped steps and the end of the battle."""

from collections.abc import Callable

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    GameEnded,
    MarkerSet,
    RulingMade,
    StepPassed,
    UnitChanged,
    UnitRemoved,
)
from tests.face.testing import Story
from tests.titles.test_war_galley_scenario import refused
from tests.titles.test_war_galley_status import lone_ships, to_status
from tests.titles.war_galley_table import (
    battle,
    change,
    finish_activations,
    flag,
    says,
    ship,
    tie,
    to_command,
    to_levels,
    to_movement,
    to_squadrons,
)


def why(table: Story, order: dict[str, object]) -> str:
    """Return the reason why the order is refused."""
    table.when(order)
    assert table.refusal is not None, "accepted"
    return str(table.refusal.fields.get("why") or table.refusal.what)


def passed(table: Story, step: str) -> str:
    """Return the reason why the last order skipped the step."""
    return table.then(StepPassed, step=step).why


# --- the squadron `left` of Athens: athens-1 at 0505, and athens-2 at 0506; syracuse-1 at 0504 ------------------------


def squadron(one: str = "", attribute: str = "", value: object = None, level: str = "cruise", **more: object) -> Story:
    """Let the squadron move, after a change of one ship of it."""
    table = battle(
        flag("athens-1", "0505", "left", **more),
        ship("athens-2", "0506"),
        flag("syracuse-1", "0504", "foe"),
        ship("syracuse-2", "1515"),
    )
    if one:
        change(table, one, attribute, value)
    return to_movement(table, "left", level=level)


def boards(attribute: str, value: object) -> str:
    """Board with a ship that cannot."""
    table = battle(flag("athens-1", "0505", "left"), ship("athens-2", "0506", manpower=0), ship("syracuse-1", "0504"))
    change(table, "athens-2", attribute, value)
    tie(table, "athens-1", "syracuse-1")
    tie(table, "athens-2", "syracuse-1")
    to_movement(table, "left").play(says("athens", "done"))
    return why(table, says("athens", "board", 6, 6, ships=["athens-2"], target="syracuse-1"))


def moves(tie: str) -> str:
    table = squadron("athens-2", tie, ("syracuse-1",))
    return why(table, says("athens", "move-ship", ship="athens-2", path=["0507"]))


def rams(tie: str) -> str:
    table = squadron("athens-1", tie, ("syracuse-2",))
    return why(table, says("athens", "ram", ship="athens-1", target="syracuse-1"))


def sets_sails(attribute: str = "", value: object = None, level: str = "cruise") -> str:
    table = squadron("athens-1" if attribute else "", attribute, value, level)
    return why(table, says("athens", "set-sails", ship="athens-1", to="up"))


def sets_fire() -> str:
    table = battle(flag("athens-1", "0505", "left"), ship("syracuse-1", "0508"), ship("syracuse-2", "1515"))
    return why(to_movement(table, "left"), says("athens", "set-fire", ship="athens-1", target="syracuse-1"))


def under_sail(wind: tuple[int, int]) -> Story:
    """Give the squadron `left` a prize under sail."""
    table = battle(
        flag("athens-1", "0505", "left"), ship("athens-2", "0605", natural_sails=True), ship("syracuse-1", "1915")
    )
    change(table, "athens-2", "captured_by", "athens")
    table.play(says("athens", "roll-wind", *wind), says("syracuse", "roll-initiative", 1))
    table.play(says("athens", "roll-initiative", 6), says("athens", "name-first", side="athens"))
    for side, member in (("athens", "left"), ("syracuse", "syracuse-1")):
        table.play(says(side, "pick", member=member), says(side, "set-levels", level="cruise"))
    return table.play(says("athens", "pick", member="left"))


def half_an_odd_wind() -> str:
    table = under_sail((1, 2)).when(says("athens", "move-ship", ship="athens-2", path=["0606", "0607"]))
    return table.then(RulingMade, rule="E.2").ruling


def half_the_wind() -> str:
    return why(under_sail((3, 4)), says("athens", "move-ship", ship="athens-2", path=["0606", "0607", "0608"]))


# --- the Admiral's squadron `own` and the squadron `other` of Athens --------------------------------------------------


def two(picked: str, *orders: dict[str, object], apart: str = "0805", admiral: bool = True) -> str:
    """Try a double activation after these orders."""
    fleet = battle(
        flag("athens-1", "0505", "own", admiral=admiral, command_range=3),
        flag("athens-2", apart, "other"),
        flag("syracuse-1", "1515", "foe"),
    )
    table = to_command(fleet).play(says("athens", "pick", member=picked), *orders)
    return why(table, says("athens", "activate-both", 4))


STAY = says("athens", "stay")
OWN_HAS_GONE = (
    STAY,
    says("athens", "done"),
    says("syracuse", "pick", member="foe"),
    says("syracuse", "stay"),
    says("syracuse", "done"),
    says("athens", "pick", member="other"),
)


# --- levels, and the status phase -------------------------------------------------------------------------------------


def maximum(**more: object) -> str:
    """Set a level that the ship of Athens cannot use."""
    table = battle(ship("athens-1", "0505", **more), ship("syracuse-1", "1515"))
    if not more:
        change(table, "athens-1", "captured_by", "athens")
    to_levels(table).play(says("athens", "pick", member="athens-1"))
    return why(table, says("athens", "set-levels", level="maximum"))


def disengages(name: str) -> str:
    """Disengage athens-1 in vain, and then that ship."""
    table = lone_ships()
    tie(table, "athens-1", "syracuse-1", "fouled")
    tie(table, "athens-1", "athens-2", "fouled")
    to_status(table).play(says("athens", "disengage", 1, ship="athens-1"))
    return why(table, says("athens", "disengage", 6, ship=name))


def fights_fire(name: str) -> str:
    """Fight the fire on athens-1 in vain, and then that on the ship."""
    table = lone_ships()
    change(table, "athens-1", "fire", True)
    change(table, "athens-2", "fire", True)
    to_status(table).play(says("athens", "fight-fire", 4, ship="athens-1"))
    return why(table, says("athens", "fight-fire", 6, ship=name))


def sinks() -> Story:
    """Sink athens-1 with the ship that is grappled to it; no ship is left."""
    table = battle(ship("athens-1", "0505"), ship("syracuse-1", "0506"))
    tie(table, "athens-1", "syracuse-1")
    change(table, "athens-1", "rammed", True)
    return to_status(table).when(says("athens", "check-sinking", 6))


def sinks_unrammed() -> str:
    table = lone_ships()
    change(table, "athens-1", "rammed", True)
    return why(to_status(table), says("athens", "check-sinking", 6, ship="athens-3"))


def enough_points() -> Story:
    table = battle(ship("athens-1", "0505"), ship("syracuse-1", "1515"), victory={"points": 3})
    change(table, "athens-1", "rammed", True)
    change(table, "athens-1", "worth_to", "syracuse")
    return to_status(table).when(says("athens", "check-sinking", 1))


def last_turn() -> Story:
    return to_status(battle(ship("athens-1", "0505"), ship("syracuse-1", "1515"), victory={"turns": 1}))


def takes_the_last_ship() -> Story:
    table = battle(ship("athens-1", "0505"), ship("syracuse-1", "0506"))
    tie(table, "athens-1", "syracuse-1")
    to_command(table).play(says("athens", "pick", member="athens-1"), says("athens", "done"), says("athens", "done"))
    return table.when(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))


def next_to_an_enemy() -> Story:
    table = to_command(battle(ship("athens-1", "0505"), ship("syracuse-1", "0506")))
    return table.when(says("athens", "pick", member="athens-1"))


def burns() -> str:
    table = squadron().when(says("athens", "set-fire", ship="athens-1", target="syracuse-1"))
    return table.then(UnitChanged, unit="syracuse-1", attribute="fire").cause


def same_initiative() -> str:
    table = to_squadrons(lone_ships()).play(says("athens", "roll-initiative", 3))
    table.when(says("syracuse", "roll-initiative", 3))
    return table.then(MarkerSet, marker="initiative/athens", after=None).cause


def taken_back() -> tuple[str, str]:
    """Score a prize, let Athens take it back, and return the causes of both changes of the account."""
    table = battle(ship("athens-1", "0505"), ship("syracuse-1", "0506"), ship("syracuse-2", "1515"))
    change(table, "syracuse-1", "captured_by", "syracuse")
    tie(table, "athens-1", "syracuse-1")
    taken = to_status(table).then(AccountChanged, account="vp/syracuse", amount=4).cause
    to_command(table).play(says("athens", "pick", member="athens-1"), says("athens", "done"), says("athens", "done"))
    table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
    return taken, finish_activations(table).then(AccountChanged, account="vp/syracuse", amount=-4).cause


def aground() -> str:
    table = battle(ship("athens-1", "0505"), ship("syracuse-1", "1515"))
    to_command(table).play(says("athens", "pick", member="athens-1"), says("athens", "test-crew", 1))
    table.play(says("athens", "run-aground", ship="athens-1"))
    return finish_activations(table).then(AccountChanged, account="vp/syracuse").cause


def crew(rating: int) -> DiceRolled:
    """Throw 1 for the crew of that rating."""
    table = battle(ship("athens-1", "0505", crew=rating), ship("syracuse-1", "1515"))
    to_command(table).play(says("athens", "pick", member="athens-1")).when(says("athens", "test-crew", 1))
    return table.then(DiceRolled)


def goes_far(level: str, path: list[str]) -> str:
    return why(squadron(level=level), says("athens", "move-ship", ship="athens-2", path=path))


def ended(table: Story) -> str:
    return table.then(GameEnded).why


SENTENCES: dict[str, tuple[Callable[[], str], str]] = {
    "board without manpower": (lambda: boards("moved", 0), "it has manpower 0"),
    "board from a prize": (lambda: boards("captured_by", "athens"), "a captured ship has manpower 0"),
    "move a fouled ship": (lambda: moves("fouled"), "it is fouled with syracuse-1"),
    "move a grappled ship": (lambda: moves("grappled"), "it is grappled to syracuse-1"),
    "ram by a fouled ship": (lambda: rams("fouled"), "it is fouled with syracuse-2"),
    "ram by a grappled ship": (lambda: rams("grappled"), "it is grappled to syracuse-2"),
    "natural sails": (lambda: sets_sails("natural_sails", True), "its sails are always set"),
    "masts down": (lambda: sets_sails("masts_down", True), "its masts are down"),
    "sails of a ship that moved": (lambda: sets_sails("moved", 1), "it has already moved or set its sails this turn"),
    "sails up": (lambda: sets_sails("sails_up", True), "they are already up"),
    "sails at maximum": (lambda: sets_sails(level="maximum"), "it is moving at maximum speed"),
    "half the wind": (half_the_wind, "athens-2 cannot move 3 hexes: half the wind of 4 allows 2"),
    "half an odd wind": (
        half_an_odd_wind,
        "half of wind speed 3 is 2 for the captured athens-2: fractions are rounded up",
    ),
    "fire from afar": (
        sets_fire,
        "athens-1 cannot set fire to syracuse-1: it is 3 hexes away, and missile-range is 1",
    ),
    "fire": (burns, "set on fire by athens-1"),
    "both after the own": (lambda: two("own", *OWN_HAS_GONE), "the Admiral's squadron has already acted"),
    "both, own too far": (lambda: two("own", apart="0905"), "no squadron that can still act is in the Admiral's range"),
    "both, other too far": (lambda: two("other", apart="0905"), "other is out of the Admiral's range"),
    "both after a move": (lambda: two("own", STAY), "the Admiral's squadron has already acted"),
    "both after a try": (
        lambda: two("own", says("athens", "activate-both", 3)),
        "the attempt with other has ended, so it acts alone",
    ),
    "both without an Admiral": (lambda: two("other", admiral=False), "Athens has no Admiral"),
    "level of a prize": (maximum, "a captured ship may use cruise speed only"),
    "level without crew": (lambda: maximum(crew=0), "a ship without crew cannot use maximum speed"),
    "disengage twice": (lambda: disengages("athens-1"), "athens-1 cannot disengage: it has already tried this turn"),
    "disengage a free ship": (lambda: disengages("athens-3"), "athens-3 cannot disengage: it is not fouled"),
    "fight fire twice": (
        lambda: fights_fire("athens-1"),
        "the fire on athens-1 cannot be fought: it has already been tried this turn",
    ),
    "fight no fire": (lambda: fights_fire("athens-3"), "the fire on athens-3 cannot be fought: it is not burning"),
    "sink an unrammed ship": (sinks_unrammed, "athens-3 has no die to roll in step G.4"),
    "sunk": (lambda: sinks().then(UnitRemoved, unit="athens-1").cause, "rammed"),
    "taken down": (lambda: sinks().then(UnitRemoved, unit="syracuse-1").cause, "taken down by athens-1"),
    "stays": (lambda: squadron().when(STAY).then(UnitChanged, unit="athens-2", attribute="moved").cause, "stays"),
    "cruise too far": (
        lambda: goes_far("cruise", ["0507", "0508", "0509", "0510", "0511"]),
        "athens-2 cannot move 5 hexes: cruise speed allows 4",
    ),
    "maximum too far": (
        lambda: goes_far("maximum", ["0507", "0508", "0509", "0510", "0511", "0512", "0513"]),
        "athens-2 cannot move 7 hexes: maximum speed allows 6",
    ),
    "free crew": (lambda: crew(4).needed, "4 or less"),
    "restrained crew": (lambda: crew(0).outcome, "cruise, and not next to an enemy"),
    "points for a ram": (
        lambda: enough_points().then(AccountChanged, account="vp/syracuse").cause,
        "athens-1 rammed",
    ),
    "points for a ship aground": (aground, "athens-1 aground"),
    "points for a prize": (lambda: taken_back()[0], "syracuse-1 captured"),
    "points for a prize lost": (lambda: taken_back()[1], "syracuse-1 no longer captured"),
    "die for sinking": (lambda: sinks().then(DiceRolled).needed, "6 sinks"),
    "same initiative": (same_initiative, "tie, roll again"),
    "no choice in B": (
        lambda: passed(to_squadrons(lone_ships()), "B.choice"),
        "every ship in range of several commanders has its squadron",
    ),
    "no enemy to board": (
        lambda: passed(squadron().play(STAY).when(says("athens", "done")), "E.2"),
        "no ship of the squadron is grappled to an enemy",
    ),
    "no die for the crew": (lambda: passed(next_to_an_enemy(), "F.crew"), "the ship is next to an enemy"),
    "no ship to disengage": (lambda: passed(to_status(lone_ships()), "G.1"), "no ship is fouled"),
    "points reached": (lambda: ended(enough_points()), "3 victory points are reached"),
    "last turn": (lambda: ended(last_turn()), "turn 1 was the last"),
    "no ship left": (lambda: ended(takes_the_last_ship()), "Syracuse has no ship left"),
    "no ships left": (lambda: ended(sinks()), "Athens and Syracuse has no ship left"),
    "scenario's rule": (lambda: refused("crew = 4\n", "").rule, "the title's scenario schema"),
    "scenario's remedy": (lambda: refused("turns = 8", "turn = 8").remedy, "did you mean turns?"),
    "entry too many": (lambda: refused("turns = 8", "turn = 8").what, "there is no entry turn"),
    "table too many": (
        lambda: refused("[tables.wind]", "[tables.weather]").what,
        "this title has no table weather",
    ),
    "hex off the map": (lambda: refused('at = "0510"', 'at = "2110"').what, "2110 is off the map"),
    "row missing": (
        lambda: refused('rows."5..6" = { direction', 'rows."6" = { direction').what,
        "the table has no row for a total of 5",
    ),
    "dice not printed": (
        lambda: refused('dice = "1d6"\nsource', "source").what,
        "'' is not a dice notation: the summary does not print the dice of this table",
    ),
    "wrong dice": (lambda: refused('"2d6"\nsource', '"1d6"\nsource').what, "the wind table needs 2d6"),
    "two squadrons of a name": (
        lambda: refused('leads = "menander"', 'leads = "demosthenes"').what,
        "two squadrons, or a squadron and a ship, have the name demosthenes",
    ),
    "two Admirals": (
        lambda: refused('leads = "menander"', 'leads = "menander"\nadmiral = true').what,
        "athens has two Admirals",
    ),
    "Admiral without a squadron": (
        lambda: refused('leads = "menander"', "admiral = true").what,
        "an Admiral leads a squadron",
    ),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_sentence_says_why(name: str) -> None:
    get, sentence = SENTENCES[name]
    assert get() == sentence
