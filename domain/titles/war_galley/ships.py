"""Ships as units: what their attributes mean, and the small questions that every chapter asks.

From the scenario: crew, manpower, ram_defense, cruise, maximum (hexes), natural_sails, commander, leads (the squadron),
command_range, admiral, initiative. From play, absent until it happens:

    squadron    a command squadron's id; its own id: an individual squadron of one ship; null: none this turn
    level       cruise or maximum            fatigue     F counters
    moved       turn of its last move        restrained  turn in which its crew test failed
    rigged      turn in which its sails were changed
    grappled    ids, on both ships           fouled      ids, on both ships
    fire        it burns                     caught      turn in which fire spread to it
    sails_up    sails raised                 masts_down  it lost them in a collision
    rammed, aground                          worth_to    the enemy who may count its ram defense for that
    captured_by the side that took it        sent        manpower that boards in the segment under way
    boarded, disengaging, firefighting, spread_tested, sinking_tested: the turn in which it was tried
    ram_points, capture_points: the side that holds the points for it
"""

from collections.abc import Callable, Iterable

from umpire_ledger.domain.titles.war_galley.hexes import distance
from umpire_ledger.kit import (
    Closes,
    Dice,
    DiceRolled,
    Game,
    MarkerSet,
    Modifier,
    Result,
    RuleViolation,
    SideDone,
    Told,
    Unit,
    UnitChanged,
    Value,
    fold,
    look_up,
    replace,
    row_text,
    table_dice,
    unit_of,
)

NAME = "War Galley"


def refuse(game: Game, what: str, remedy: str, rule: str) -> RuleViolation:
    """A refusal under a printed label, for instance `E.2`."""
    return RuleViolation(what, where=game.where, rule=f"{NAME} {rule}", remedy=remedy)


def label(game: Game) -> str:
    """The label of the step that is open, the same for orders that E and F share."""
    return game.cursor.open[0].step if game.cursor.open else ""


def enemy_of(game: Game, side: str) -> str:
    """The other side; a game has two."""
    return next((one for one in game.side_ids if one != side), "")


def afloat(game: Game, side: str = "") -> tuple[Unit, ...]:
    """The ships in play, of one side or of both, by id."""
    return game.in_play(side)


def own_ship(game: Game, side: str, ship: str, rule: str) -> Unit:
    """A ship in play that belongs to the side; raises RuleViolation for any other."""
    found = unit_of(game, ship, f"{NAME} {rule}")
    if found.side != side:
        raise refuse(game, f"{ship} is a ship of {game.side_name(found.side)}", "name a ship of your own", rule)
    return found


def hostile_ship(game: Game, side: str, ship: str, rule: str) -> Unit:
    """A ship in play that belongs to the enemy; raises RuleViolation for any other."""
    found = unit_of(game, ship, f"{NAME} {rule}")
    if found.side == side:
        raise refuse(game, f"{ship} is a ship of your own", "name a ship of the enemy", rule)
    return found


def beside_enemy(game: Game, side: str, at: str) -> bool:
    """Whether an enemy of the side stands in or next to a hex."""
    return any(distance(at, enemy.at) <= 1 for enemy in afloat(game, enemy_of(game, side)))


def is_captured(ship: Unit) -> bool:
    return bool(ship.get("captured_by"))


def has_sails(ship: Unit) -> bool:
    """Natural sails, or Sails Up."""
    return bool(ship.get("natural_sails") or ship.get("sails_up"))


def partners(ship: Unit) -> tuple[str, ...]:
    """The ships directly grappled or fouled with it, each once."""
    return tuple(dict.fromkeys((*ship.names("grappled"), *ship.names("fouled"))))


def changed(ship: Unit, attribute: str, after: Value, cause: str = "", rule: str = "") -> list[Result]:
    """One attribute becomes another; nothing where it already is so."""
    before = ship.side if attribute == "side" else ship.get(attribute)
    if before == after or (not before and after in (None, ())):
        return []
    return [UnitChanged(unit=ship.id, attribute=attribute, before=before, after=after, cause=cause, rule=rule)]


def marked(game: Game, marker: str, after: Value, cause: str = "", rule: str = "") -> list[Result]:
    """A marker of the game becomes another; nothing where it already is so."""
    before = game.markers.get(marker)
    return [] if before == after else [MarkerSet(marker=marker, before=before, after=after, cause=cause, rule=rule)]


def untied(game: Game, ships: Iterable[str], ties: tuple[str, ...], cause: str, rule: str) -> list[Result]:
    """Everybody else lets go of these ships."""
    gone = set(ships)
    results: list[Result] = []
    for ship in afloat(game):
        for tie in ties if ship.id not in gone else ():
            left = tuple(one for one in ship.names(tie) if one not in gone)
            if left != ship.names(tie):
                results += changed(ship, tie, left, cause, rule)
    return results


def roll_on_table(
    game: Game,
    dice: Dice,
    table: str,
    *,
    purpose: str,
    rule: str,
    default: str = "1d6",
    subjects: tuple[str, ...] = (),
    modifiers: tuple[Modifier, ...] = (),
) -> tuple[DiceRolled, str | dict[str, Value]]:
    """A roll on one of the scenario's tables: the record with its row, and what stands in the row."""
    notation = table_dice(game, table, default)
    rolled = dice.roll(notation, purpose=purpose, modifiers=modifiers, rule=rule, subjects=subjects)
    row, result = look_up(game, table, rolled.total)
    return replace(rolled, table=table, row=row, outcome=row_text(result)), result


def after(game: Game, results: Iterable[Result]) -> Game:
    """The game as it will stand when the results so far are told."""
    told = (one.event if isinstance(one, Told) else one for one in results if not isinstance(one, Closes))
    return fold(game, told)


def leave_when_nothing_is_due(game: Game, results: list[Result], due: Callable[[Game, str], bool]) -> list[Result]:
    """Whoever has nothing left to do in the open step is done with it; when that is everybody, the step closes."""
    then = after(game, results)
    one = then.cursor.open[0]
    free = [side for side in one.waits if not due(then, side)]
    if len(free) == len(one.waits):
        return [*results, Closes(everybody=True)]
    return [*results, *(SideDone(step=one.step, side=side) for side in free)]
