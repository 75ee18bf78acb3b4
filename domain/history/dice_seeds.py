"""Rotate the seeds of the ledger's dice. A revealed seed is never used for further rolls.

A log may commit to several seeds, one after the other. All except the newest are revealed. The referee reveals a seed
when a turn ends, and the same order commits to the next seed; the last seed is revealed when the game is over. A rewind
takes no seed back: after it, the ledger commits again to the newest seed, or to a new one if that seed is revealed.
"""

from collections.abc import Iterator

from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.dice import SCHEME
from umpire_ledger.domain.game.dice_notation import commitment_of
from umpire_ledger.domain.game.dice_shares import awaited
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import (
    AnyEvent,
    CopyKind,
    DiceCommitted,
    DiceOpened,
    DicePledges,
    DiceRolled,
    DiceSeeded,
    GameCopied,
    PlayRewound,
    RestrictedEvent,
)
from umpire_ledger.domain.game.evolve import evolve, fold
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import COPY_MARK, Game
from umpire_ledger.domain.history.history import History
from umpire_ledger.domain.history.refusals import REFUSALS
from umpire_ledger.domain.history.seat_keys import keys_behind

Seeding = tuple[AnyEvent | RestrictedEvent, ...]
OPENED = ("opened",)
"""Memo key of the seeds that the log had revealed when it was searched. The game itself knows later ones."""


def commit_to_seed(seed: str, label: str, scheme: int = SCHEME) -> Seeding:
    """Return the records of a new seed: its public commitment, and the seed in a record that no one may see."""
    committed = DiceCommitted(commitment=commitment_of(seed), label=label, scheme=scheme)
    return (committed, RestrictedEvent(DiceSeeded(seed=seed), ()))


def rewind_with_dice(game: Game, back: PlayRewound, history: History, seed: str) -> Decision:
    """Return a rewind, followed by the events that restore keys and dice.

    `seed`: a new one, needed if the game's is revealed.

    Raises:
        RuleViolation: A new seed is needed, but none was given.
    """
    then = evolve(history.state(back.to), back)
    dice = _dice_behind(game, then, seed, is_open=is_open(game, history))
    behind = (*keys_behind(game, then), *dice)
    stands = fold(then, events_of(behind))
    if stands.commitment == game.commitment and stands.pledges != game.pledges:
        pledges = DicePledges(pledges=dict(game.pledges))
        behind, stands = (*behind, pledges), evolve(stands, pledges)
    return Decision(told=(back, *behind), game=stands)


def copied_dice(game: Game, name: str, at: int, seed: str, how: CopyKind, why: str = "") -> Seeding:
    """Return the records with which a game continues in another ledger: a public record, and a new seed for its dice.

    Args:
        name: The id of the game.
        at: The last position that was copied.
        seed: A new seed. If the dice use shares, sides commit to new ones.
        how: The way in which the game reached that ledger.
        why: The reason, if one was given.
    """
    copied = GameCopied(of=name, at=at, game=name, how=how, why=why)
    return (copied, *commit_to_seed(seed, f"{name}{COPY_MARK}{at}", _next_scheme(game)))


def is_open(game: Game, history: History) -> bool:
    """Return whether the seed of a game's dice is public. No rewind makes it secret again.

    The first edition continued after a rewind as if the seed were secret, so the whole log is searched once.
    """
    if game.dice_open or not game.commitment:
        return game.dice_open
    seeds = history.memo.get(OPENED)
    if seeds is None:
        seeds = history.memo[OPENED] = frozenset(history.opened())
    return game.commitment in map(_commitment_of, seeds)


def _commitment_of(seed: str) -> str:
    """Return the commitment of a seed; "" if the value in the log is not a seed."""
    try:
        return commitment_of(seed)
    except ValueError:
        return ""


def _dice_behind(game: Game, then: Game, seed: str, *, is_open: bool) -> Seeding:
    is_same = game.commitment == then.commitment
    if game.dice != "ledger" or (is_same and (then.dice_open or not is_open)):
        return ()
    if is_open:
        return commit_to_seed(_brought(game, seed), game.label, _next_scheme(game))
    if game.seed:
        return commit_to_seed(game.seed, game.label, game.scheme)
    return (DiceCommitted(commitment=game.commitment, label=game.label, scheme=game.scheme),)


def open_dice(game: Game, history: History, seed: str) -> Decision:
    """Reveal the seed; while play continues, also commit to the next one, `seed`.

    Raises:
        RuleViolation: The ledger does not roll the dice, the seed is public already, this turn has rolls, the seed has
            no rolls yet, or some of its rolls are secret.
    """
    if game.dice != "ledger" or not game.seed:
        raise _refuse(game, "no-seed")
    if is_open(game, history):
        raise _refuse(game, "dice-revealed-already")
    opened = DiceOpened(seed=game.seed, missing=() if game.ended else awaited(game))
    earlier = tuple(DiceOpened(seed=one) for one in _earlier_seeds(game, history))
    if game.ended:
        if game.options.get(CLOSED_TO_REFEREE):  # otherwise the referee could end a game early to read secret rolls
            _verify_nothing_secret(game, history, "let each side reveal its secrets first: `umpire reveal GAME --all`")
        return Decision(told=(opened, *earlier), game=evolve(game, opened))
    if not opened.missing:
        _verify_between_turns(game, history)
    _verify_nothing_secret(game, history, "reveal the seed after the end of the game")
    told = (opened, *earlier, *commit_to_seed(_brought(game, seed), game.label, _next_scheme(game)))
    return Decision(told=told, game=fold(game, events_of(told)))


def _earlier_seeds(game: Game, history: History) -> Iterator[str]:
    """Yield the secret seeds of a restored ledger from before its restore.

    For other copies the original reveals them.
    """
    known = {game.seed, *history.opened()}
    for taken in history.newest_first() if COPY_MARK in game.label else ():
        for event in reversed(taken.events):
            if isinstance(event, GameCopied) and event.how != "restored":
                return
            if isinstance(event, DiceSeeded) and event.seed not in known:
                known.add(event.seed)
                yield event.seed


def _next_scheme(game: Game) -> int:
    """Return the scheme after a rotation: scheme 1 changes to the ledger's newer scheme, and other schemes stay."""
    return max(game.scheme, SCHEME)


def _verify_between_turns(game: Game, history: History) -> None:
    """Check that a seed is revealed only between turns and only if it has rolls.

    Raises:
        RuleViolation: The seed has rolls of this turn, or none at all.
    """
    for is_this_turn, event in _newest_dice(game, history):
        if isinstance(event, DiceCommitted):
            break
        if not is_this_turn:
            return
        raise _refuse(game, "rolled-this-turn", roll=event.roll, purpose=event.purpose)
    raise _refuse(game, "nothing-rolled")


def _verify_nothing_secret(game: Game, history: History, remedy: str) -> None:
    """Check that no roll of the seed is secret, on any branch.

    Raises:
        RuleViolation: A roll after the last reveal of secrets is not public.
    """
    position = history.tip
    while position > game.secrets_open:
        first, last = history.order_at(position)
        taken = next(history.newest_first(last))
        if any(isinstance(event, DiceOpened) for event in taken.events):
            return
        if taken.hidden and any(isinstance(event, DiceRolled) for event in taken.events):
            raise _refuse(game, "secret-rolls", first=first, remedy=remedy)
        position = first - 1


def _newest_dice(game: Game, history: History) -> Iterator[tuple[bool, DiceRolled | DiceCommitted]]:
    """Yield the rolls and commitments of the branch, newest first, each with whether it is of this turn.

    In a game without turns, none is, so its seed can be revealed at any time.
    """
    for taken in history.newest_first():
        found = [event for event in taken.events if isinstance(event, DiceRolled | DiceCommitted)]
        is_this_turn = bool(found and game.turn) and history.state(taken.first - 1).turn == game.turn
        yield from ((is_this_turn, event) for event in reversed(found))


def _brought(game: Game, seed: str) -> str:
    if not seed:
        raise _refuse(game, "no-new-seed")
    return seed


def _refuse(game: Game, code: str, /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule="dice")
