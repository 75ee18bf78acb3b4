"""Small fights of Phase 5 (5-3H, 5-3K, 5-6X4): whose dice are thrown, and whose are awaited before one may leave."""

from umpire_ledger.domain.titles.federation_and_empire.battle import foe_in_battle
from umpire_ledger.domain.titles.federation_and_empire.empires import hex_in_hand, phasing, refuse, serving
from umpire_ledger.domain.titles.federation_and_empire.size import small_round_is_due
from umpire_ledger.kit import Game, Unit, step_open

DUEL, SMALL, GROUND = "5-3H", "5-3K", "5-6X4"
CITED = {DUEL: "528.43", SMALL: "310.0", GROUND: "521.3"}


def dice_awaited(game: Game, side: str) -> tuple[str, ...]:
    """The opponents whose die of the open step may still bring a side losses, by name."""
    foes = (foe for foe in foe_in_battle(game, side) if foe != side)
    return tuple(game.side_name(foe) for foe in foes if _is_awaited(game, side, foe))


def die_is_awaited(game: Game, side: str) -> bool:
    """Whether an opponent's die may still bring a side losses: it does not leave before."""
    return bool(dice_awaited(game, side))


def _is_awaited(game: Game, side: str, foe: str) -> bool:
    match step_open(game):
        case "5-3K":
            return bool(serving(game, side)) and small_round_is_due(game, foe)
        case "5-3H":
            return stays(game, foe) and has_rolled(game, side) and not has_rolled(game, foe)
        case "5-6X4":
            first = side == phasing(game) and _may_assault(game, side)
            return stays(game, foe) and _may_assault(game, foe) and not first
    return False


def stays(game: Game, side: str) -> bool:
    """Whether a side has not left the open step."""
    return side in game.cursor.open[0].waits


def has_rolled(game: Game, side: str) -> bool:
    """Whether a unit of a side has fought in the open step."""
    return any(unit.side == side and unit.get("fought") == step_open(game) for unit in game.units.values())


def _may_assault(game: Game, side: str) -> bool:
    return any(unit.get("assaults") and unit.get("fought") != GROUND for unit in serving(game, side))


def verify_dice_thrown(game: Game, unit: Unit) -> None:
    """Raises RuleViolation for a loss before the dice that bring it: 5-3K all of them, a duel's enemy, one assault."""
    step = step_open(game)
    if step not in CITED or not hex_in_hand(game):
        return
    foes = [foe for foe in foe_in_battle(game, unit.side) if foe != unit.side]
    due = [one for one in (unit.side, *foes) if step == SMALL and small_round_is_due(game, one)]
    if unit.side in due:
        raise refuse(game, "the round is not rolled", "roll for it with `skirmish` first", CITED[step])
    rolled = [one for one in ((unit.side, *foes) if step == GROUND else foes) if has_rolled(game, one)]
    if due or not rolled:
        names = " and ".join(game.side_name(foe) for foe in due or foes)
        raise refuse(game, f"{names} has not rolled against {unit.id}", "wait for their `skirmish`", CITED[step])


def verify_not_declined(game: Game, side: str) -> None:
    """Raises RuleViolation for a duel that every opponent has left: he has declined it, and could suffer no loss."""
    foes = [foe for foe in foe_in_battle(game, side) if foe != side]
    if step_open(game) == DUEL and not any(stays(game, foe) or has_rolled(game, foe) for foe in foes):
        raise refuse(game, "the duel is declined: your opponent has left the step", "`done`", CITED[DUEL])
