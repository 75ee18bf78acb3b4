"""Check which dice of small fights in Phase 5 (5-3H, 5-3K, 5-6X4) are rolled, and for which dice a side must wait."""

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import battlers, foe_in_battle
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import hex_in_hand, refuse, serving
from umpire_ledger.domain.titles.federation_and_empire.counters.size import small_round_is_due
from umpire_ledger.kit import Game, Unit, step_open

DUEL, SMALL, GROUND = "5-3H", "5-3K", "5-6X4"
CITED = {DUEL: "528.43", SMALL: "310.0", GROUND: "521.3"}


def dice_awaited(game: Game, side: str) -> tuple[str, ...]:
    """Return the names of the opponents whose die of the open step may still bring a side losses."""
    foes = (foe for foe in foe_in_battle(game, side) if foe != side)
    return tuple(game.side_name(foe) for foe in foes if _is_awaited(game, side, foe))


def die_is_awaited(game: Game, side: str) -> bool:
    """Check whether an opponent's die may still bring a side losses, so that the side cannot end the step yet."""
    return bool(dice_awaited(game, side))


def _is_awaited(game: Game, side: str, foe: str) -> bool:
    match step_open(game):
        case "5-3K":
            return bool(serving(game, side)) and small_round_is_due(game, foe)
        case "5-3H":
            return stays(game, foe) and has_rolled(game, side) and not has_rolled(game, foe)
        case "5-6X4":
            return bool(assaults_due(game, foe))
    return False


def stays(game: Game, side: str) -> bool:
    """Check whether a side has not ended the open step."""
    return side in game.cursor.open[0].waits


def has_rolled(game: Game, side: str) -> bool:
    """Check whether a unit of a side has fought in the open step."""
    return any(unit.side == side and unit.get("fought") == step_open(game) for unit in game.units.values())


def assaults_due(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the units of a side that were designated in 5-6X3 and have not assaulted, if their target is still there.

    [reading] A designated assault must be made; until then the target's side cannot end the step.
    """
    foes = {unit.id for foe in foe_in_battle(game, side) for unit in serving(game, foe)}
    waiting = (unit for unit in serving(game, side) if unit.get("assaults") and unit.get("fought") != GROUND)
    return tuple(unit for unit in waiting if foes and _target(unit) in ("", *foes))


def _target(unit: Unit) -> str:
    """Return the target of a unit's assault; "" if none was named."""
    return str(unit.get("assaults")).partition(" ")[2]


def assault_is_due(game: Game, side: str) -> bool:
    """Check whether a side has designated an assault and not made it."""
    return bool(assaults_due(game, side))


def in_assaults(game: Game) -> tuple[str, ...]:
    """Return both sides if an assault was designated in 5-6X3: otherwise 5-6X4 is empty."""
    return battlers(game) if any(unit.get("assaults") for unit in serving(game)) else ()


def verify_dice_thrown(game: Game, unit: Unit) -> None:
    """Check that the dice that may cause a unit's loss are rolled.

    In 5-3K these are all dice, in a duel the enemy's die, and in 5-6X4 the dice of all designated assaults.

    Raises:
        RuleViolation: One of these dice is not rolled.
    """
    step = step_open(game)
    if step not in CITED or not hex_in_hand(game):
        return
    foes = [foe for foe in foe_in_battle(game, unit.side) if foe != unit.side]
    waits = {SMALL: small_round_is_due, GROUND: assault_is_due}.get(step)
    due = [one for one in (unit.side, *foes) if waits is not None and waits(game, one)]
    if unit.side in due:
        raise refuse(game, "skirmish-not-rolled" if step == SMALL else "assaults-not-made", CITED[step])
    rolled = [one for one in ((unit.side, *foes) if step == GROUND else foes) if has_rolled(game, one)]
    if due or not rolled:
        names = " and ".join(game.side_name(foe) for foe in due or foes)
        raise refuse(game, "skirmish-not-answered", CITED[step], units=names, unit=unit.id)


def verify_not_declined(game: Game, side: str) -> None:
    """Check that an opponent has not declined the duel by ending the step, and so can suffer a loss.

    Raises:
        RuleViolation: Every opponent has ended the step without a roll.
    """
    foes = [foe for foe in foe_in_battle(game, side) if foe != side]
    if step_open(game) == DUEL and not any(stays(game, foe) or has_rolled(game, foe) for foe in foes):
        raise refuse(game, "duel-declined", CITED[DUEL])
