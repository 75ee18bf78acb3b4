"""Epochs of the ledger's dice: from one seed to the next. What is open is thrown from no more.

A log may commit to several seeds, one after the other. All but the newest are open: the referee opens one when a turn
ends, and the next is committed to in the same order; or opens the last when the game is over. A rewind takes no seed
back: behind it the newest is committed to again, or, where that is open, one that nobody has seen.
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
from umpire_ledger.domain.game.state import COPY_MARK, Game
from umpire_ledger.domain.game.visibility import CLOSED_TO_REFEREE
from umpire_ledger.domain.history.history import History
from umpire_ledger.domain.history.seat_keys import keys_behind

Seeding = tuple[AnyEvent | RestrictedEvent, ...]
OPENED = ("opened",)
"""In a past's memo: the seeds that the log has opened so far. What is opened behind that, the game itself knows."""


def commit_to_seed(seed: str, label: str, scheme: int = SCHEME) -> Seeding:
    """A seed for the ledger's dice: its commitment for all, itself for nobody."""
    committed = DiceCommitted(commitment=commitment_of(seed), label=label, scheme=scheme)
    return (committed, RestrictedEvent(DiceSeeded(seed=seed), ()))


def rewind_with_dice(game: Game, back: PlayRewound, past: History, seed: str) -> Decision:
    """A rewind, with the keys and the dice behind it. `seed`: a new one, for the case that the game's own is open.

    Raises RuleViolation where a new seed is needed and none was brought.
    """
    then = evolve(past.state(back.to), back)
    dice = _dice_behind(game, then, seed, is_open=is_open(game, past))
    behind = (*keys_behind(game, then), *dice)
    stands = fold(then, events_of(behind))
    if stands.commitment == game.commitment and stands.pledges != game.pledges:
        pledges = DicePledges(pledges=dict(game.pledges))
        behind, stands = (*behind, pledges), evolve(stands, pledges)
    return Decision(told=(back, *behind), game=stands)


def copied_dice(game: Game, name: str, at: int, seed: str, how: CopyKind, why: str = "") -> Seeding:
    """Return the records with which a game continues in another ledger: a public one, and a new seed for its dice.

    Args:
        name: The id of the game.
        at: The last position that was copied.
        seed: A new one. Sides pledge again where the dice take shares.
        how: How the game came into that ledger.
        why: The reason, if one was given.
    """
    copied = GameCopied(of=name, at=at, game=name, how=how, why=why)
    return (copied, *commit_to_seed(seed, f"{name}{COPY_MARK}{at}", _next_scheme(game)))


def is_open(game: Game, past: History) -> bool:
    """Whether everybody may know the seed of a game's dice. A rewind takes it back from nobody: the first edition went
    on behind one as if it were closed, so that the whole log is asked, once.
    """
    if game.dice_open or not game.commitment:
        return game.dice_open
    seeds = past.memo.get(OPENED)
    if seeds is None:
        seeds = past.memo[OPENED] = frozenset(past.opened())
    return game.commitment in map(_commitment_of, seeds)


def _commitment_of(seed: str) -> str:
    """That of a seed; "" where a log says that it opens what is none."""
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


def open_dice(game: Game, past: History, seed: str) -> Decision:
    """The seed is laid open; while play goes on, the next is committed to. `seed`: that next one.

    Raises RuleViolation: no dice of the ledger; they are open; dice of this turn lie on the table; none was thrown; or
    some were thrown in secret.
    """
    if game.dice != "ledger" or not game.seed:
        raise _refuse(game, "there is no seed to open", "only a game with ledger dice has one")
    if is_open(game, past):
        raise _refuse(game, "the dice are open already", "`umpire verify` throws every die again")
    opened = DiceOpened(seed=game.seed, missing=() if game.ended else awaited(game))
    earlier = tuple(DiceOpened(seed=one) for one in _earlier_seeds(game, past))
    if game.ended:
        if game.options.get(CLOSED_TO_REFEREE):  # else the referee could end a game early to read secret rolls
            _verify_nothing_secret(game, past, "let each side reveal its secrets first: `umpire reveal GAME --all`")
        return Decision(told=(opened, *earlier), game=evolve(game, opened))
    if not opened.missing:
        _verify_between_turns(game, past)
    _verify_nothing_secret(game, past, "open the dice when the game is over")
    told = (opened, *earlier, *commit_to_seed(_brought(game, seed), game.label, _next_scheme(game)))
    return Decision(told=told, game=fold(game, events_of(told)))


def _earlier_seeds(game: Game, past: History) -> Iterator[str]:
    """Yield the closed seeds of a restored ledger from before its restore; another copy leaves them to the original."""
    known = {game.seed, *past.opened()}
    for taken in past.newest_first() if COPY_MARK in game.label else ():
        for event in reversed(taken.events):
            if isinstance(event, GameCopied) and event.how != "restored":
                return
            if isinstance(event, DiceSeeded) and event.seed not in known:
                known.add(event.seed)
                yield event.seed


def _next_scheme(game: Game) -> int:
    """Dice of scheme 1 go on in the next one; shared and witnessed dice stay what they are."""
    return max(game.scheme, SCHEME)


def _verify_between_turns(game: Game, past: History) -> None:
    """A turn is thrown from one seed; and no seed is changed for another before a die was thrown from it."""
    for is_this_turn, event in _newest_dice(game, past):
        if isinstance(event, DiceCommitted):
            break
        if not is_this_turn:
            return
        what = f"dice were thrown in this turn: roll {event.roll}, {event.purpose}"
        raise _refuse(game, what, "open them before the first roll of the next turn, or when the game is over")
    raise _refuse(game, "no roll that counts is from this seed yet", "open it when there are rolls to be thrown again")


def _verify_nothing_secret(game: Game, past: History, remedy: str) -> None:
    """Verify that no roll of the seed is secret, on any branch.

    Raises:
        RuleViolation: A roll later than the last opening of secrets is not for everybody.
    """
    position = past.tip
    while position > game.secrets_open:
        first, last = past.order_at(position)
        taken = next(past.newest_first(last))
        if any(isinstance(event, DiceOpened) for event in taken.events):
            return
        if taken.hidden and any(isinstance(event, DiceRolled) for event in taken.events):
            what = f"#{first} was thrown from this seed, and not all of it is for everybody"
            raise _refuse(game, what, remedy)
        position = first - 1


def _newest_dice(game: Game, past: History) -> Iterator[tuple[bool, DiceRolled | DiceCommitted]]:
    """Rolls and commitments of the line, the newest first, each with whether it is of this turn.

    In a game without turns none is: its dice may be opened at any moment.
    """
    for taken in past.newest_first():
        found = [event for event in taken.events if isinstance(event, DiceRolled | DiceCommitted)]
        is_this_turn = bool(found and game.turn) and past.state(taken.first - 1).turn == game.turn
        yield from ((is_this_turn, event) for event in reversed(found))


def _brought(game: Game, seed: str) -> str:
    if not seed:
        raise _refuse(game, "the ledger's dice need a new seed, and none was brought", "give the order to a ledger")
    return seed


def _refuse(game: Game, what: str, remedy: str) -> RuleViolation:
    return RuleViolation(what, where=game.where, rule="dice", remedy=remedy)
