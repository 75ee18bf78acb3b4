"""Suggest orders for lists of possible actions and for random play. `decide` may still refuse them."""

from collections.abc import Iterator

from umpire_ledger.domain.titles.red_coat_rags.actions import (
    Form,
    Load,
    MovePiece,
    Special,
    special_action_taken,
)
from umpire_ledger.domain.titles.red_coat_rags.activation import Activate, active_unit, can_activate
from umpire_ledger.domain.titles.red_coat_rags.chance import LetDieDecide
from umpire_ledger.domain.titles.red_coat_rags.close_combat import ResolveClose, contacts
from umpire_ledger.domain.titles.red_coat_rags.command import MoveCommand, OutOfCommand, Reposition
from umpire_ledger.domain.titles.red_coat_rags.contact import Engage, LockCorner
from umpire_ledger.domain.titles.red_coat_rags.fire import Fire
from umpire_ledger.domain.titles.red_coat_rags.ground import (
    POINTS,
    ahead,
    bearing,
    distance,
    hundredths,
    in_words,
    is_facing,
)
from umpire_ledger.domain.titles.red_coat_rags.leadership import leaders_of
from umpire_ledger.domain.titles.red_coat_rags.locks import BreakLock, single_locked
from umpire_ledger.domain.titles.red_coat_rags.morale import CheckMorale, Rally, must_check, must_rally
from umpire_ledger.domain.titles.red_coat_rags.pieces import COMMAND, officers, other_side, phasing, pieces, pieces_of
from umpire_ledger.domain.titles.red_coat_rags.special_moves import MoveOfficer, SpecialMove
from umpire_ledger.domain.titles.red_coat_rags.turn import Concede
from umpire_ledger.kit import REFEREE, Change, Game, Move, Order, Place, Remove, Roll, Unit


def _towards(here: str, there: str, length: int) -> str:
    """Return the point `length` hundredths from one place towards another, at most the other place.

    A negative length leads away from the other place.
    """
    apart = distance(here, there)
    if not apart:
        return there
    (x1, y1), (x2, y2) = (tuple(map(hundredths, place.split(","))) for place in (here, there))
    step = min(length, apart)
    ends = (max(0, start + (end - start) * step // apart) for start, end in ((x1, x2), (y1, y2)))
    return ",".join(map(in_words, ends))


def _nearest(unit: Unit, others: tuple[Unit, ...]) -> Unit:
    return min(others, key=lambda one: (distance(unit.at, one.at) or 0, one.id), default=unit)


def _way(unit: Unit, goal: Unit, moves: int = 1) -> tuple[str, ...]:
    """Return a path towards a goal, a little shorter than the allowance; empty if the unit is at the goal."""
    most = (hundredths(unit.get("move")) or 600) * moves
    to = _towards(unit.at, goal.at, most - 5)
    return (to,) if to != unit.at else ()


def _cubes(game: Game, led: tuple[Unit, ...]) -> dict[str, int]:
    """Return one cube of the first officer who could spend it; empty if there is none."""
    leaders = leaders_of(game, led) if led else ()
    return {leaders[0].id: 1} if leaders else {}


def reposition(game: Game, side: str) -> Iterator[Order]:
    """Yield a reposition of every officer towards the side's nearest piece."""
    for officer in officers(game, side):
        if path := _way(officer, _nearest(officer, pieces(game, side))):
            yield Reposition(seat=side, officer=officer.id, path=path)


def check_morale(game: Game, side: str) -> Iterator[Order]:
    """Yield a check for every unit that must check, without a cube and with one."""
    for unit in must_check(game, side):
        yield CheckMorale(seat=side, unit=unit.id)
        yield CheckMorale(seat=side, unit=unit.id, cubes=_cubes(game, pieces_of(game, unit.id)))


def rally(game: Game, side: str) -> Iterator[Order]:
    """Yield a roll for every piece that must roll, without a cube and with one."""
    for piece in must_rally(game, side):
        yield Rally(seat=side, piece=piece.id)
        yield Rally(seat=side, piece=piece.id, cubes=_cubes(game, (piece,)))


def break_lock(game: Game, side: str) -> Iterator[Order]:
    """Yield attempts for every piece that may try, away from the nearest enemy and straight back."""
    for piece in single_locked(game, side):
        foe = _nearest(piece, pieces(game, other_side(game, side)))
        back = _towards(piece.at, foe.at, -(hundredths(piece.get("length")) or 100))
        yield BreakLock(seat=side, piece=piece.id, to=back if distance(piece.at, foe.at) is not None else "behind")
        yield from _straight_back(piece)


def _straight_back(piece: Unit) -> Iterator[Order]:
    """Yield moves opposite to the facing, or in every direction if it is unknown; none if places are words."""
    known, length = piece.get("facing"), hundredths(piece.get("length")) or 100
    for facing in POINTS:
        if known == facing and (to := ahead(piece.at, facing, -length)):
            yield BreakLock(seat=piece.side, piece=piece.id, to=to)
        elif not is_facing(known) and (to := ahead(piece.at, facing, -length)):
            yield BreakLock(seat=piece.side, piece=piece.id, to=to, facing=facing)


def move_command(game: Game, side: str) -> Iterator[Order]:
    """Yield a move of every line command towards the farthest piece of its unit."""
    for figure in game.in_play(side):
        own = pieces_of(game, str(figure.get("unit"))) if figure.kind == COMMAND else ()
        farthest = max(own, key=lambda one: (distance(figure.at, one.at) or 0, one.id), default=figure)
        if path := _way(figure, farthest):
            yield MoveCommand(seat=side, command=figure.id, path=path)


def out_of_command(game: Game, side: str) -> Iterator[Order]:
    """Yield a report of the first piece of a side, if the side has more than three."""
    for piece in pieces(game, side)[:-3][:1]:
        yield OutOfCommand(seat=side, pieces=(piece.id,))


def activate(game: Game, side: str) -> Iterator[Order]:
    """Yield, for every unit, activations with one die, with three, and with two and a cube on the first."""
    for unit in can_activate(game, side):
        for dice in (1, 3):
            yield Activate(seat=side, unit=unit.id, dice=dice)
        yield Activate(seat=side, unit=unit.id, dice=2, cubes=(_cubes(game, pieces_of(game, unit.id)),))


def _active(game: Game, side: str) -> tuple[Unit, ...]:
    return pieces_of(game, active_unit(game)) if side == phasing(game) else ()


def move_piece(game: Game, side: str) -> Iterator[Order]:
    """Yield a move of every piece of the activated unit towards its nearest enemy."""
    for piece in _active(game, side):
        if path := _way(piece, _nearest(piece, pieces(game, other_side(game, side)))):
            yield MovePiece(seat=side, piece=piece.id, path=path, facing=bearing(piece.at, path[-1]))


def form(game: Game, side: str) -> Iterator[Order]:
    """Yield the formations line and column."""
    if _active(game, side):
        yield Form(seat=side, formation="line")
        yield Form(seat=side, formation="column")


def load(game: Game, side: str) -> Iterator[Order]:
    """Yield an order to load the whole unit."""
    if _active(game, side):
        yield Load(seat=side)


def special(game: Game, side: str) -> Iterator[Order]:
    """Yield a fixed special action."""
    if _active(game, side):
        yield Special(seat=side, what="cross the ditch")


def _pairs(game: Game, side: str) -> Iterator[tuple[str, str]]:
    """Yield the ids of each piece of the activated unit and of its nearest enemy, if near or not measured."""
    for piece in _active(game, side):
        foes = pieces(game, other_side(game, side))
        foe = _nearest(piece, foes)
        apart = distance(piece.at, foe.at)
        if foes and (apart is None or apart <= 2 * (hundredths(piece.get("length")) or 100)):
            yield piece.id, foe.id


def engage(game: Game, side: str) -> Iterator[Order]:
    """Return an order for each piece to engage its nearest enemy."""
    return (Engage(seat=side, piece=piece, enemy=foe) for piece, foe in _pairs(game, side))


def lock_corner(game: Game, side: str) -> Iterator[Order]:
    """Return an order to lock each piece with its nearest enemy."""
    return (LockCorner(seat=side, piece=piece, enemy=foe) for piece, foe in _pairs(game, side))


def fire(game: Game, side: str) -> Iterator[Order]:
    """Yield fire of each loaded piece at its nearest target.

    The phasing player fires with the activated unit, the other player at it.
    """
    mine = side == phasing(game)
    active = pieces_of(game, active_unit(game))
    foes = pieces(game, other_side(game, side)) if mine else active
    for piece in active if mine else pieces(game, side):
        if piece.get("red_cube") == "loaded" and foes:
            yield Fire(seat=side, piece=piece.id, target=_nearest(piece, foes).id)


def resolve_close(game: Game, side: str) -> Iterator[Order]:
    """Return an order to resolve each pair in contact."""
    return (ResolveClose(seat=side, piece=piece, enemy=foe) for piece, foe in contacts(game))


def special_move(game: Game, side: str) -> Iterator[Order]:
    """Return a special move roll for every officer."""
    return (SpecialMove(seat=side, officer=officer.id) for officer in officers(game, side))


def move_officer(game: Game, side: str) -> Iterator[Order]:
    """Yield a move of every officer towards the side's nearest piece."""
    for officer in officers(game, side):
        if path := _way(officer, _nearest(officer, pieces(game, side))):
            yield MoveOfficer(seat=side, officer=officer.id, path=path)


def concede(game: Game, side: str) -> Iterator[Order]:
    """Yield a concession only if the side has less than half as many pieces as the enemy."""
    if len(pieces(game, side)) * 2 < len(pieces(game, other_side(game, side))):
        yield Concede(seat=side)


def let_die_decide(_: Game, side: str) -> Iterator[Order]:
    """Yield the referee's fixed question at even odds."""
    if side == REFEREE:
        yield LetDieDecide(seat=side, question="Is the ford deep?", odds={"1..3": "yes", "4 or more": "no"})


def roll(game: Game, side: str) -> Iterator[Order]:
    """Yield a die roll for a special action."""
    if _active(game, side) and special_action_taken(game):
        yield Roll(seat=side, dice="1d6", purpose="a special action")


def move(game: Game, side: str) -> Iterator[Order]:
    """Yield the referee's move of the first piece to a fixed point."""
    if side == REFEREE:
        yield from (Move(seat=side, unit=piece.id, path=("10,10",)) for piece in pieces(game)[:1])


def place(game: Game, side: str) -> Iterator[Order]:
    """Yield the referee's order to bring back the removed unit with the last id."""
    if side == REFEREE:
        gone = sorted((one for one in game.units.values() if one.fate), key=lambda one: one.id)
        for one in gone[-1:]:
            attributes = dict(one.attributes)
            yield Place(seat=side, unit=one.id, side=one.side, kind=one.kind, at=one.at, attributes=attributes)


def remove(game: Game, side: str) -> Iterator[Order]:
    """Yield the referee's removal of the last piece, if there are more than six."""
    if side == REFEREE:
        yield from (Remove(seat=side, unit=piece.id) for piece in pieces(game)[6:][-1:])


def change(game: Game, side: str) -> Iterator[Order]:
    """Yield a turn of the first piece of the activated unit after a special action."""
    for piece in _active(game, side)[:1] if special_action_taken(game) else ():
        facing = "N" if piece.get("facing") != "N" else "S"
        yield Change(seat=side, unit=piece.id, attribute="facing", to=facing)


# --- words of the table -----------------------------------------------------------------------------------------------


def wings(game: Game) -> tuple[str, ...]:
    """Return the wings of the armies."""
    return tuple(sorted({str(unit.get("wing")) for unit in game.units.values() if unit.get("wing")}))


FORMATIONS = ("line", "line of two", "line of three", "column", "square", "open order")
SPECIAL_ACTIONS = ("sound the charge", "draw swords", "cross the ditch", "dismount", "mount")
COVER = ("1:gabions", "1:hedge", "1:building", "1:higher ground")
SPECIAL_STATES = {"swords": ("drawn", "sheathed"), "horses": ("mounted", "dismounted")}


def cubes(game: Game) -> tuple[str, ...]:
    """Return a white cube of each officer."""
    return tuple(f"{officer.id}=1" for side in game.side_ids for officer in officers(game, side))


NAMES = {
    "activate wing": wings,
    "activate cubes": cubes,
    "form formation": lambda _: FORMATIONS,
    "special-action what": lambda _: SPECIAL_ACTIONS,
    "change attribute": lambda _: tuple(SPECIAL_STATES),
    "change to": lambda _: tuple(state for states in SPECIAL_STATES.values() for state in states),
    "resolve-fire target": lambda _: COVER,
    "resolve-fire firing": lambda _: COVER,
}
"""Words that the rules leave to the table, as choices of its forms; any other word is as good."""
