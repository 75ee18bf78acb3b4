"""Resolve close combat (4c) between pieces edge to edge, when the activated unit has done all its actions.

Every piece rolls 1d6 and adds its close combat factor. For each pair, the scenario's table `close` determines the
result by the difference: the total of the phasing player's piece minus the total of its enemy. The players may read the
result off their own table instead. Pieces that are in contact with each other, directly or through others, are a group.
All pieces of a group roll, then all pairs are compared, and only then do the results take effect. So the order of the
pairs does not matter. A piece that fights several enemies suffers the worst of its results. No piece stays engaged; a
row may leave a pair corner locked.
"""

import msgspec

from umpire_ledger.domain.titles.red_coat_rags.contact import tie_together
from umpire_ledger.domain.titles.red_coat_rags.fire import compare, die_of, suffered
from umpire_ledger.domain.titles.red_coat_rags.locks import MOST_LOCKS, locks
from umpire_ledger.domain.titles.red_coat_rags.pieces import NAME, phasing, pieces, refuse, tied
from umpire_ledger.domain.titles.red_coat_rags.tables import CloseRow, Suffers
from umpire_ledger.kit import (
    Dice,
    DiceRolled,
    Game,
    Plus,
    ReadOff,
    Result,
    RollTable,
    Unit,
    UnitName,
    after,
    changed,
    found,
    leave_when_nothing_is_due,
    marked,
    names_in,
    read_or_ready,
    replace,
    row_text,
    unit_of,
)

RULE = "4c"
TABLE = RollTable("close", CloseRow)
READ = "close/"
"""Prefix of the markers with rows read off the players' own table, until all pairs of the group have their rows."""
WORSE: tuple[Suffers, ...] = ("stands", "disrupted", "destroyed")
"""Results for a piece, the worst last."""
Pair = tuple[str, str]


class ResolveClose(ReadOff, frozen=True, kw_only=True, tag="resolve-close"):
    """Roll one die for a piece of the phasing player and one for the enemy it is in contact with, in this order.

    If more pieces are in contact with either, it is a group: one die for each piece, those of the phasing player first,
    by id. `piece_plus` and `enemy_plus` are for the two that are named, `plus` for the others. If you read your own
    table (`by_the_book`), give the order again for each pair of the group.
    """

    piece: UnitName
    enemy: UnitName
    piece_plus: tuple[Plus, ...] = ()
    enemy_plus: tuple[Plus, ...] = ()
    plus: dict[UnitName, tuple[Plus, ...]] = msgspec.field(default_factory=dict)


# --- pairs and groups -------------------------------------------------------------------------------------------------


def contacts(game: Game) -> tuple[Pair, ...]:
    """Return the pairs of pieces that are edge to edge, the phasing player's piece first."""
    return tuple((one.id, foe.id) for one in pieces(game, phasing(game)) for foe in tied(one, game, "contact"))


def contacts_to_resolve(game: Game, _: str) -> tuple[str, ...]:
    """Describe the pairs and groups still to resolve, the pieces of each group in the order of its dice."""
    groups = dict.fromkeys(group_of(game, piece) for piece, _ in contacts(game))
    return tuple(_in_words(game, one) for one in groups)


def _in_words(game: Game, group: tuple[str, ...]) -> str:
    ours = [one for one in group if game.units[one].side == phasing(game)]
    return f"{', '.join(ours)} with {', '.join(one for one in group if one not in ours)}"


def contact_is_open(game: Game, _: str) -> bool:
    return bool(contacts(game))


def group_of(game: Game, piece: str) -> tuple[str, ...]:
    """Return a piece and all pieces in contact with it, directly or through others.

    The phasing player's pieces come first; each side's are in order of their ids.
    """
    found, waiting = {piece}, [piece]
    while waiting:
        near = {foe.id for foe in tied(game.units[waiting.pop()], game, "contact")} - found
        found |= near
        waiting += near
    return tuple(sorted(found, key=lambda one: (game.units[one].side != phasing(game), one)))


def decide_resolve_close(game: Game, order: ResolveClose, dice: Dice) -> list[Result]:
    """Roll all dice of a pair or group, on the order of either player.

    Raises:
        RuleViolation: The two are not in contact, `plus` names a piece that is not in the group, or a result must be
            read off the table first.
    """
    piece, enemy = (unit_of(game, name, f"{NAME} {RULE}") for name in (order.piece, order.enemy))
    if (piece.id, enemy.id) not in contacts(game):
        pairs = ", ".join(f"{one} with {foe}" for one, foe in contacts(game)) or "none"
        raise refuse(game, "not-in-close-combat", RULE, piece=piece.id, enemy=enemy.id, pairs=pairs)
    group = tuple(game.units[one] for one in group_of(game, piece.id))
    strangers = [one for one in order.plus if one not in {unit.id for unit in group} - {piece.id, enemy.id}]
    if strangers:
        raise refuse(game, "not-of-this-combat", RULE, strangers=strangers, pieces=tuple(unit.id for unit in group))
    is_pair = len(group) == len((piece, enemy)) and not any(map(has_thrown, group))
    results = _duel(game, order, dice, (piece, enemy)) if is_pair else _melee(game, order, dice, group)
    return leave_when_nothing_is_due(game, results, contact_is_open)


# --- two pieces -------------------------------------------------------------------------------------------------------


def _duel(game: Game, order: ResolveClose, dice: Dice, pair: tuple[Unit, Unit]) -> list[Result]:
    piece, enemy = pair
    fought = compare(game, dice, order, TABLE.name, pair, (order.piece_plus, order.enemy_plus), RULE)
    if fought.row is None:
        return list(fought.told)
    row = msgspec.convert(fought.row, CloseRow)
    return [*fought.told, *_carried_out(after(game, fought.told), pair, {(piece.id, enemy.id): row})]


# --- a group ----------------------------------------------------------------------------------------------------------


def _melee(game: Game, order: ResolveClose, dice: Dice, group: tuple[Unit, ...]) -> list[Result]:
    """Roll once for the whole group, and carry out the results when every pair has its row."""
    pair = (order.piece, order.enemy)
    if _noted(game, pair) is not None:
        raise refuse(game, "outcome-not-read", RULE, pair=" with ".join(pair), next_pair=_unread(game, pair))
    read = read_or_ready(game, order, TABLE, purpose=_purpose(pair), rule=RULE, subjects=pair[::-1])
    rows = {one: row for one in _pairs(game, group) if (row := _noted(game, one)) is not None}
    if read is not None:
        rows[pair] = msgspec.convert(read.row, CloseRow)
        told = list(read.told)
    else:
        rolls = _thrown(game, order, dice, group)
        totals = _totals(order, group, rolls)
        told = _compared(game, order, rolls, totals, rows)
    if len(rows) == len(_pairs(game, group)):
        return [*told, *_carried_out(after(game, told), group, rows)]
    return [*told, *_note(game, order)]


def _pairs(game: Game, group: tuple[Unit, ...]) -> list[Pair]:
    members = {one.id for one in group}
    return [pair for pair in contacts(game) if pair[0] in members]


def _purpose(pair: Pair) -> str:
    return f"{TABLE.name}: {pair[1]} against {pair[0]}"


def _unread(game: Game, pair: Pair) -> str:
    group = tuple(game.units[one] for one in group_of(game, pair[0]))
    return ", ".join(" with ".join(one) for one in _pairs(game, group) if _noted(game, one) is None)


def _thrown(game: Game, order: ResolveClose, dice: Dice, group: tuple[Unit, ...]) -> list[DiceRolled]:
    waiting = tuple(one for one in group if not has_thrown(one))
    dice.expects(tuple((one.id, 1) for one in waiting))
    return [
        die_of(dice, TABLE.name, one, tuple(foe.id for foe in tied(one, game, "contact")), _plus(order, one), RULE)
        for one in waiting
    ]


def has_thrown(piece: Unit) -> bool:
    """Check whether a piece has already rolled, in a game of an older edition that resolved pair by pair."""
    return isinstance(piece.get("close_die"), int)


def _plus(order: ResolveClose, piece: Unit) -> tuple[Plus, ...]:
    named = {order.piece: order.piece_plus, order.enemy: order.enemy_plus}
    return named.get(piece.id, order.plus.get(piece.id, ()))


def _totals(order: ResolveClose, group: tuple[Unit, ...], rolls: list[DiceRolled]) -> dict[str, int]:
    """Return the total of each piece, from its roll now or from a die of an older edition with all modifiers."""
    totals = {rolled.subjects[0]: rolled.total for rolled in rolls}
    for one in group:
        if has_thrown(one):
            added = sum(plus.amount for plus in _plus(order, one))
            totals[one.id] = one.number("close_die") + one.number(TABLE.name) + added
    return totals


def _compared(
    game: Game, order: ResolveClose, rolls: list[DiceRolled], totals: dict[str, int], rows: dict[Pair, CloseRow]
) -> list[Result]:
    """Return the rolls and the events of pairs that wait to be read off a table; add known rows to `rows`.

    The last roll gets the outcome of every pair as its text.
    """
    waits: list[Result] = []
    said: list[str] = []
    group = tuple(game.units[one] for one in totals)
    last = max((one.roll for one in rolls), default=game.rolls)
    for pair in _pairs(game, group):
        apart = totals[pair[0]] - totals[pair[1]]
        row, waiting = (rows[pair], []) if pair in rows else _row_of(game, order, pair, apart, last)
        if row is not None:
            rows[pair] = row
        waits += waiting
        outcome = "to be read" if row is None else row_text(msgspec.to_builtins(row))
        said.append(f"{pair[0]} {apart:+d} against {pair[1]}: {outcome}")
    return [*rolls[:-1], *(replace(last, outcome="; ".join(said)) for last in rolls[-1:]), *waits]


def _row_of(game: Game, order: ResolveClose, pair: Pair, apart: int, roll: int) -> tuple[CloseRow | None, list[Result]]:
    """Return the row of a pair, from the order or the scenario, or else the events that let it wait to be read.

    Args:
        apart: The difference of the two totals.
        roll: The number of the last roll.
    """
    read = order.by_the_book if pair == (order.piece, order.enemy) else None
    compared = DiceRolled(
        roll=roll, dice="", pips=(), total=apart, purpose=_purpose(pair), subjects=pair[::-1], rule=RULE, step=RULE
    )
    outcome = found(game, replace(order, by_the_book=read), TABLE, compared, apart)
    if outcome.row is None:
        return None, list(outcome.told[1:])
    return msgspec.convert(outcome.row, CloseRow), []


# --- rows read off the players' own table -----------------------------------------------------------------------------


def _note(game: Game, order: ResolveClose) -> list[Result]:
    """Mark a row that was read off the players' own table, until the other pairs of its group have theirs."""
    read = order.by_the_book
    if read is None:
        return []
    row = msgspec.convert(read.outcome, CloseRow)
    words = (row.piece, row.enemy, *(("lock",) if row.lock else ()))
    return marked(game, f"{READ}{order.piece}/{order.enemy}", words, f"read off {read.source}", RULE)


def _noted(game: Game, pair: Pair) -> CloseRow | None:
    words = names_in(game, READ + "/".join(pair))
    if not words:
        return None
    piece, enemy, *lock = words
    return msgspec.convert({"piece": piece, "enemy": enemy, "lock": bool(lock)}, CloseRow)


# --- results ----------------------------------------------------------------------------------------------------------


def _carried_out(game: Game, group: tuple[Unit, ...], rows: dict[Pair, CloseRow]) -> list[Result]:
    """Carry out all results of a group at once.

    The pieces part, each suffers the worst of its results, and survivors may be locked.
    """
    results = [event for one in group for event in _apart(game, one, rows)]
    for one in group:
        worst, foes = _worst(one.id, rows)
        then = after(game, results)
        results += suffered(then, then.units[one.id], worst, f"close combat with {' and '.join(foes)}", RULE)
    for pair, row in rows.items():
        if row.lock:
            results += _locked(after(game, results), *pair)
    return results


def _apart(game: Game, piece: Unit, rows: dict[Pair, CloseRow]) -> list[Result]:
    gone = {other for pair in rows for other in pair if piece.id in pair}
    left = tuple(one for one in piece.names("contact") if one not in gone)
    noted = (pair for pair in rows if pair[0] == piece.id and _noted(game, pair) is not None)
    return [
        *changed(piece, "contact", left, rule=RULE),
        *changed(piece, "close_die", None, rule=RULE),
        *(event for pair in noted for event in marked(game, READ + "/".join(pair), None, rule=RULE)),
    ]


def _worst(piece: str, rows: dict[Pair, CloseRow]) -> tuple[Suffers, list[str]]:
    """Return the worst result for a piece, and the enemies who caused it."""
    found = [
        (row.piece if piece == one else row.enemy, foe if piece == one else one)
        for (one, foe), row in rows.items()
        if piece in (one, foe)
    ]
    worst = max((result for result, _ in found), key=WORSE.index)
    return worst, [foe for result, foe in found if result == worst]


def _locked(game: Game, *names: str) -> list[Result]:
    """Lock two pieces at a corner, if both survive and have a free corner."""
    one, other = (game.units[name] for name in names)
    if one.fate or other.fate or other.id in one.names("locked"):
        return []
    if any(locks(game, unit) >= MOST_LOCKS for unit in (one, other)):
        return []
    return tie_together(game, one, other, "locked", RULE)
