"""4c: close combat between pieces edge to edge, pair by pair, when the activated unit has done all its actions.

Both pieces roll 1d6 and add their factor for close combat; the scenario's table `close` is read with the difference,
the piece of the phasing player minus its enemy. A piece in contact with several enemies throws one die, which counts
against each of them. Nobody stays engaged; a row may leave the two corner locked.
"""

from collections.abc import Iterable

from umpire_ledger.domain.titles.red_coat_rags.actions import tie_together
from umpire_ledger.domain.titles.red_coat_rags.fire import compare, suffered
from umpire_ledger.domain.titles.red_coat_rags.locks import MOST_LOCKS, locks
from umpire_ledger.domain.titles.red_coat_rags.pieces import NAME, phasing, pieces, refuse, tied
from umpire_ledger.kit import (
    Dice,
    DiceRolled,
    Game,
    Plus,
    ReadOff,
    Result,
    Unit,
    UnitName,
    after,
    changed,
    leave_when_nothing_is_due,
    unit_of,
)

RULE = "4c"


class ResolveClose(ReadOff, frozen=True, kw_only=True, tag="resolve-close"):
    """Throw one die for a piece of the phasing player and one for the enemy it is in contact with, in this order.

    A piece that fought another one before in this step has thrown its die, and throws none again.
    """

    piece: UnitName
    enemy: UnitName
    piece_plus: tuple[Plus, ...] = ()
    enemy_plus: tuple[Plus, ...] = ()


def contacts(game: Game) -> tuple[tuple[str, str], ...]:
    """Who is edge to edge with whom, the phasing player's piece first."""
    return tuple((one.id, foe.id) for one in pieces(game, phasing(game)) for foe in tied(one, game, "contact"))


def contacts_to_resolve(game: Game, _: str) -> tuple[str, ...]:
    """The pairs that are open, in words."""
    return tuple(f"{piece} with {enemy}" for piece, enemy in contacts(game))


def contact_is_open(game: Game, _: str) -> bool:
    return bool(contacts(game))


def decide_resolve_close(game: Game, order: ResolveClose, dice: Dice) -> list[Result]:
    """Either player throws both dice of a pair.

    Raises:
        RuleViolation: the two are not in contact.
    """
    piece, enemy = (unit_of(game, name, f"{NAME} {RULE}") for name in (order.piece, order.enemy))
    if (piece.id, enemy.id) not in contacts(game):
        pairs = ", ".join(f"{one} with {foe}" for one, foe in contacts(game)) or "none"
        what = f"{piece.id} of the phasing player is not in contact with {enemy.id}"
        raise refuse(game, what, f"resolve one of: {pairs}", RULE)
    pair, plus = (piece, enemy), (order.piece_plus, order.enemy_plus)
    fought = compare(game, dice, order, "close", pair, plus, RULE, thrown(game, pair))
    if fought.row is None:
        return [*fought.told, *_remembered(game, fought.told)]
    results: list[Result] = [*fought.told, *_remembered(game, fought.told), *_apart(piece, enemy)]
    results += suffered(after(game, results), piece, fought.value("piece"), f"close combat with {enemy.id}", RULE)
    then = after(game, results)
    results += suffered(then, then.units[enemy.id], fought.value("enemy"), f"close combat with {piece.id}", RULE)
    if fought.value("lock"):
        results += _locked(after(game, results), piece.id, enemy.id)
    return leave_when_nothing_is_due(game, results, contact_is_open)


def thrown(game: Game, pair: Iterable[Unit]) -> dict[str, int]:
    """The pips of those who have thrown in this step, by piece."""
    return {one.id: die for one in pair if isinstance(die := one.get("close_die"), int)}


def _remembered(game: Game, told: Iterable[Result]) -> list[Result]:
    """A piece with more than one enemy at its edges keeps its die for the others."""
    rolls = [one for one in told if isinstance(one, DiceRolled)]
    thrower = {one.subjects[0]: one.pips[0] for one in rolls}
    several = (game.units[name] for name in thrower if len(tied(game.units[name], game, "contact")) > 1)
    return [event for one in several for event in changed(one, "close_die", thrower[one.id], "thrown", RULE)]


def _apart(piece: Unit, enemy: Unit) -> list[Result]:
    return [
        event
        for one, other in ((piece, enemy), (enemy, piece))
        for event in changed(
            one, "contact", tuple(mate for mate in one.names("contact") if mate != other.id), rule=RULE
        )
    ]


def _locked(game: Game, *names: str) -> list[Result]:
    """Both stay locked at a corner, if both are left and have one free."""
    one, other = (game.units[name] for name in names)
    if one.fate or other.fate or other.id in one.names("locked"):
        return []
    if any(locks(game, unit) >= MOST_LOCKS for unit in (one, other)):
        return []
    return tie_together(game, one, other, "locked", RULE)
