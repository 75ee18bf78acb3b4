"""Decide undo, redo and rewind. Each adds a record, after which play continues from an earlier position.

Nothing is deleted, so the log is a tree. A seat can take back only its own orders, up to the last roll, reveal, seal or
change of the acting side (`undo_blocker`). The referee can take back any order, and needs a reason to cross these.

The ledger (`ledger/branches.py`), not this module, determines which records count after a rewind.
"""

from itertools import chain
from typing import Literal

import msgspec

from umpire_ledger.domain.game.errors import NoSuchPosition, RuleViolation
from umpire_ledger.domain.game.events import (
    ChoiceRevealed,
    DiceAsked,
    DicePolicy,
    DiceRolled,
    HiddenOrdered,
    LineSealed,
    MessageArrived,
    NoteOpened,
    PlayRewound,
    SecretsOpened,
    StepClosed,
    StepOpened,
    UnitShown,
    inner_events,
)
from umpire_ledger.domain.game.orders import AskRewind, Order, Redo, Rewind, Undo
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import COPY_MARK, REFEREE, Game
from umpire_ledger.domain.history.dice_seeds import is_open
from umpire_ledger.domain.history.history import History, PlayedOrder
from umpire_ledger.domain.history.refusals import REFUSALS
from umpire_ledger.domain.history.rewind_targets import target_of

__all__ = ["History", "PlayedOrder", "decide_redo", "decide_rewind", "decide_undo", "target_position", "undo_blocker"]
ASK = "ask the referee to undo it, or ask all other sides for a rewind: `umpire ask-rewind`"
SAY_WHY = 'add one: `--why "…"`, in JSON "why": "…"'


def undo_blocker(taken: PlayedOrder, side: str) -> str:
    """Return the reason why a seat may not take an order back alone, in words; "" if it may.

    If the order opened another side's step and closed it again, because no side could act there, it does not block.
    """
    theirs: dict[str, str] = {}
    for event in chain.from_iterable(map(inner_events, taken.events)):
        match event:
            case DiceRolled(purpose=purpose):
                return f"dice were rolled ({purpose})"
            case DiceAsked():
                return "the order waits for its dice"
            case ChoiceRevealed(question=question):
                return f"a choice was revealed ({question})"
            case HiddenOrdered(search=True):
                return "it searched for hidden units"
            case UnitShown(unit=unit):
                return f"a hidden unit was revealed ({unit})"
            case LineSealed(seat=seat):
                return f"{seat} has sealed the log"
            case MessageArrived():
                return "a message arrived"
            case SecretsOpened(upto=upto) if upto:
                return "secrets were revealed"
            case StepOpened(waits=waits, step=step) if side and waits and side not in waits:
                theirs[step] = f"another side's turn to act has begun (step {step})"
            case StepClosed(step=step):
                theirs.pop(step, None)
            case _:
                pass
    return next(iter(theirs.values()), "")


def decide_undo(game: Game, order: Undo, history: History) -> PlayRewound:
    """Take back the newest orders of the branch.

    Raises:
        RuleViolation: There is nothing to undo, or the seat would undo another's order or one that `undo_blocker`
            blocks. The referee needs a reason for a blocked order.
    """
    if order.dice is not None:
        verify_may_choose_dice(game, order.seat)
    left, sealed = order.orders, ""
    for taken in history.newest_first():
        sealed = sealed or seal_in(taken)
        if taken.is_talk or taken.is_bare_rewind:
            continue
        if taken.first == 1:
            break
        _verify_may_undo(game, order, taken, sealed)
        left -= 1
        if left == 0:
            to, dice = taken.first - 1, order.dice
            return rewound(game, history, to, "undo", order.why, dice=policy_of(game, history, to, order.seat, dice))
    raise _refuse(game, "nothing-to-undo")


def seal_in(taken: PlayedOrder) -> str:
    """Return in words the seal in an order that covers all earlier records; "" if there is none.

    A seal blocks an undo although it is a comment. So does the reveal of sealed orders, because a seat that undoes an
    earlier order knows them now.
    """
    if any(isinstance(event, NoteOpened) and not event.withdrawn for event in taken.events):
        return "sealed orders were revealed"
    return next((f"{event.seat} has sealed the log" for event in taken.events if isinstance(event, LineSealed)), "")


def _verify_may_undo(game: Game, order: Undo | Rewind, taken: PlayedOrder, sealed: str) -> None:
    stop = sealed or undo_blocker(taken, game.side_of(order.seat))
    if order.seat == REFEREE:
        if stop and not order.why:
            raise _refuse(game, "reason-needed", first=taken.first, stop=stop)
        return
    if taken.seat != order.seat:
        raise _refuse(game, "order-of-another-seat", first=taken.first, seat=taken.seat)
    if stop:
        raise _refuse(game, "only-the-referee-undoes", first=taken.first, stop=stop)


def decide_redo(game: Game, order: Redo, history: History) -> PlayRewound:
    """Return to the branch that the last undo or rewind abandoned.

    Raises:
        RuleViolation: An order was given since, nothing was undone, or another seat or all sides made the rewind.
    """
    for taken in history.newest_first():
        back = taken.rewound
        if back is None and taken.is_talk:
            continue
        if back is None or not taken.is_bare_rewind:
            break
        if back.kind == "redo":
            continue
        if back.consent and order.seat != REFEREE:
            raise _refuse(game, "all-sides-agreed", first=taken.first)
        if order.seat not in (REFEREE, taken.seat):
            raise _refuse(
                game,
                "undone-by-the-referee" if taken.seat == REFEREE else "undone-by-another-seat",
                first=taken.first,
                seat=taken.seat,
                kind=back.kind,
            )
        return PlayRewound(to=back.tip, kind="redo", rolls=game.rolls, tip=history.tip, secrets_open=game.secrets_open)
    raise _refuse(game, "nothing-to-redo")


def decide_rewind(game: Game, order: Rewind, history: History) -> PlayRewound:
    """Return to the end of any order in the log, including abandoned branches, or to the newest opening of a step.

    A seat can return only over its own orders, up to those that it could undo one by one. The referee can return
    anywhere.

    Raises:
        RuleViolation: The position is inside the opening, play is there already, the referee gives no reason for a
            blocked order, or the seat would undo more than it may.
        NoSuchPosition: The log does not have the position.
        UnknownName: The step or turn never began on the current branch.
    """
    to = rewind_target(game, order, history)
    if order.seat != REFEREE:
        _verify_own_orders(game, order, to, history)
    elif not order.why and (stop := _crossed(history, to)):
        raise _refuse(game, "reason-needed-to-return", to=to, stop=stop)
    dice = policy_of(game, history, to, order.seat, order.dice)
    return rewound(game, history, to, "rewind", order.why, dice=dice)


def rewind_target(game: Game, order: Rewind | AskRewind, history: History) -> int:
    """Return the position that a rewind leads to.

    Raises:
        RuleViolation: Play is there already, or `end_of_order` refuses.
        NoSuchPosition: The log does not have the position.
        UnknownName: The step or turn never began on the current branch.
    """
    to = end_of_order(game, order.to, history)
    if not _changes(game, history, to):
        raise _refuse(game, "already-there", to=to)
    return to


def policy_of(game: Game, history: History, to: int, seat: str, dice: DicePolicy | None) -> DicePolicy:
    """Return the dice policy of a rewind to a position: the given one, by default `reroll`.

    By default, the policy in force stays in two cases: if a seat goes back, because it takes back no roll and may not
    choose; and if the referee rewinds into a waiting amendment, because the rewind belongs to that amendment.
    """
    keep = game.active_keep
    if dice is None and keep is not None and (seat != REFEREE or history.state(to).amending is not None):
        return keep.policy
    return dice or "reroll"


def _verify_own_orders(game: Game, order: Rewind, to: int, history: History) -> None:
    """Check that a seat may undo all orders of this branch after a position.

    Raises:
        RuleViolation: The seat may not undo one of them, or the position is not on this branch.
    """
    if order.dice is not None:
        verify_may_choose_dice(game, order.seat)
    sealed = ""
    for taken in history.newest_first():
        if taken.last <= to:
            if taken.last < to:
                raise _refuse(game, "not-on-current-branch", to=to)
            return
        sealed = sealed or seal_in(taken)
        if not (taken.is_talk or taken.is_bare_rewind):
            _verify_may_undo(game, order, taken, sealed)


def end_of_order(game: Game, to: int | str, history: History) -> int:
    """Return the last position of the order at a target. Inside an order, the target is the end of the order before it.

    Raises:
        NoSuchPosition: The log does not have the position.
        UnknownName: The step or turn never began.
        RuleViolation: The position is inside the opening, or the game had other dice there.
    """
    found = target_of(game, to, history)
    first, last = history.order_at(found)
    if last == 0:
        raise refusal(
            NoSuchPosition,
            REFUSALS,
            "no-such-position",
            {"found": found, "tip": history.tip},
            where=game.where,
            rule="rewind",
        )
    if found != last:
        if first == 1:
            raise _refuse(game, "inside-the-opening", found=found, last=last)
        found = first - 1
    verify_same_dice(game, found, history)
    return found


def verify_same_dice(game: Game, to: int, history: History) -> None:
    """Check that the game had its present dice at a position.

    From an earlier position, a copy would use the dice of the original game and so reveal its future rolls. The same
    game in another ledger may return farther, because it gets its own seed after such a rewind
    (`dice_seeds.rewind_with_dice`).

    Raises:
        RuleViolation: The position is before the copy was made.
    """
    then = history.state(to)
    is_same_game = COPY_MARK in game.label and then.id == game.id
    if then.label != game.label and not is_same_game:
        raise _refuse(game, "dice-of-another-game", to=to)


def verify_may_choose_dice(game: Game, seat: str) -> None:
    """Check that a seat may choose the policy for dice. Only the referee may, because a seat takes back no roll.

    Raises:
        RuleViolation: The seat is not the referee.
    """
    if seat != REFEREE:
        raise _refuse(game, "only-the-referee-sets-dice")


def target_position(game: Game, order: Order, history: History) -> int:
    """Return the position to which an undo, redo or rewind would lead if the referee gave it.

    Raises:
        DomainError: As the decisions do.
    """
    match order:
        case Undo():
            return decide_undo(game, msgspec.structs.replace(order, seat=REFEREE, why="asked only"), history).to
        case Redo():
            return decide_redo(game, msgspec.structs.replace(order, seat=REFEREE), history).to
        case Rewind(to=to) | AskRewind(to=to):
            return end_of_order(game, to, history)
        case _:
            raise _refuse(game, "no-target", tag=order.tag())


def _changes(game: Game, history: History, to: int) -> bool:
    """Return whether a rewind to a position changes anything: orders, a waiting amendment, or the dice to come."""
    if game.amending is not None or game.keep is not None or (is_open(game, history) and not game.ended):
        return True
    for taken in history.newest_first():
        if taken.last <= to:
            return taken.last < to
        if not (taken.is_talk or taken.is_bare_rewind):
            return True
    return True


def _crossed(history: History, to: int) -> str:
    """Return the first blocker between now and an earlier position of the branch, in words.

    It is "" if there is none, or if the position is on another branch.
    """
    for taken in history.newest_first():
        if taken.last <= to:
            return ""
        if stop := undo_blocker(taken, ""):
            return stop
    return ""


def rewound(
    game: Game,
    history: History,
    to: int,
    kind: Literal["undo", "rewind", "amend"],
    why: str = "",
    *,
    dice: DicePolicy,
    fresh: tuple[int, ...] = (),
    consent: tuple[str, ...] = (),
) -> PlayRewound:
    """Return the record of a rewind.

    Raises:
        RuleViolation: The game had other dice at the position.
    """
    verify_same_dice(game, to, history)
    return PlayRewound(
        to=to,
        kind=kind,
        why=why,
        rolls=game.rolls,
        tip=history.tip,
        dice=dice,
        fresh=fresh,
        consent=consent,
        secrets_open=game.secrets_open,
    )


def _refuse(game: Game, code: str, /, **fields: object) -> RuleViolation:
    return refusal(
        RuleViolation, REFUSALS, code, fields, where=game.where, rule="undo and rewind", names=game.seat_names
    )
