"""Build the turn view of `umpire status`: the step, the sides that must act, allowed orders and required actions.

The view is a pure function of the game as a seat knows it. Allowed orders come from `domain.flow.open_steps` and the
conditions of the sequence, never from rules in this module. If the title is not installed, the view has only the facts
of the log.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import Any

import msgspec

from umpire_ledger.domain.flow.available_orders import acting_now, where_now
from umpire_ledger.domain.flow.open_steps import (
    acting,
    acting_anytime,
    free_members,
    may_end,
    open_steps,
    rule_of,
    waiting_loop,
    waits_in,
)
from umpire_ledger.domain.flow.queries import dice_asked_for
from umpire_ledger.domain.flow.visible_openings import KnownOpenings, OpeningsCache
from umpire_ledger.domain.game.dice_shares import awaited, mode_of
from umpire_ledger.domain.game.errors import DeclarationError, TitleFault
from umpire_ledger.domain.game.events import Value
from umpire_ledger.domain.game.hidden_units import in_the_open
from umpire_ledger.domain.game.orders import EVERYWHERE
from umpire_ledger.domain.game.state import Choice, Game
from umpire_ledger.domain.history.consent import others
from umpire_ledger.domain.kit.house_values import unset_house_values
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.constructs import Step
from umpire_ledger.projections.record.sentence_context import words_of
from umpire_ledger.projections.tables.contacts import Contact
from umpire_ledger.projections.tables.copies import CopyOrigin
from umpire_ledger.projections.tables.game_status import NOTHING, GameStatus, OpenDispute
from umpire_ledger.projections.tables.last_seen import LastSeen
from umpire_ledger.projections.tables.order_sentences import OrderSentence
from umpire_ledger.projections.tables.sealed_words import SealedWords
from umpire_ledger.projections.tables.waiting import Waits

NOT_LISTED = frozenset(order.tag() for order in EVERYWHERE)
"""Orders that a title without a sequence need not list at every step."""


class SideView(msgspec.Struct, frozen=True, kw_only=True):
    """A side in the turn view."""

    id: str
    """Id of the side."""
    name: str
    """Its display name."""
    seats: tuple[str, ...]
    """Ids of the seats that players took for it."""
    units: int
    """Number of its units in play that this seat sees."""


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """An open step."""

    step: str
    """Id of the step, for example `G.2b`."""
    name: str
    """Its printed name."""
    waits: tuple[str, ...]
    """Ids of the sides that it waits for; `referee` if it waits for the referee."""
    need: str = ""
    """Its obligation: `required`, `optional`, `conditional` or `repeat`; "" if the title is not installed."""
    secret: bool = False
    """Whether its orders are secret."""
    rules: tuple[str, ...] = ()
    """The rule numbers printed with it; () if the title is not installed."""


class Allowed(msgspec.Struct, frozen=True, kw_only=True):
    """The orders that a side may give in an open step."""

    step: str
    """Id of the step; "" in a title without a sequence of play."""
    side: str
    """Id of the side."""
    orders: tuple[str, ...]
    """Names of the orders, with `done` and `pick` where Umpire would accept them."""


class StepAnswers(msgspec.Struct, frozen=True, kw_only=True):
    """The answers with which a side may end a step."""

    step: str
    """Id of the step."""
    side: str
    """Id of the side."""
    answers: tuple[str, ...]
    """The answers as they are typed after `done`."""


class PickView(msgspec.Struct, frozen=True, kw_only=True):
    """A choice of the next member of a loop, for which play waits."""

    loop: str
    """Id of the loop."""
    name: str
    """Its printed name."""
    side: str
    """Id of the side that picks."""
    members: tuple[str, ...]
    """Ids that it may pick: units, places or sides."""
    may_end: bool = False
    """Whether the side may say `done` instead."""


class RequiredActionView(msgspec.Struct, frozen=True, kw_only=True):
    """An action that a side must take before it may end a step."""

    step: str
    """Id of the step."""
    side: str
    """Id of the side."""
    words: str
    """The action as an imperative, followed by its subjects."""
    rule: str
    """The rule that requires it, as cited; "" if none."""
    about: tuple[str, ...] = ()
    """The units, places or amounts at the end of `words`."""
    orders: tuple[str, ...] = ()
    """Names of the orders that are this action."""
    any_side: bool = False
    """Whether the action of one side is enough for all sides that have it."""


class RequestedDice(msgspec.Struct, frozen=True, kw_only=True):
    """Dice that a side rolls at the table for an order of an open step."""

    step: str
    """Id of the step."""
    side: str
    """Id of the side."""
    words: str
    """The order, and the owners of its dice results in their order."""


class OurNumber(msgspec.Struct, frozen=True, kw_only=True):
    """A house value that the scenario leaves to the title."""

    name: str
    """Name of the house value."""
    value: int | str
    """The value in use."""
    rule: str
    """The rule that needs it."""


class Forfeit(msgspec.Struct, frozen=True, kw_only=True):
    """A loss of a side that ends a step with `done` now."""

    step: str
    """Id of the step."""
    side: str
    """Id of the side."""
    words: str
    """The loss as a clause."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to a question of the game."""

    question: str
    """Name of the question."""
    side: str
    """Id of the side that answered."""
    choice: Value
    """The answer; null if this seat does not know it."""
    sealed: bool
    """Whether it is a secret choice that is not revealed."""
    known: bool
    """Whether this seat knows the answer."""


class AskedFor(msgspec.Struct, frozen=True, kw_only=True):
    """A rewind that a seat requested and that waits for consent."""

    seat: str
    """Id of the seat that asked."""
    to: int
    """Position to which play would return."""
    why: str
    """The reason that it gave."""
    consents: tuple[str, ...]
    """Ids of the sides that consented."""
    waits: tuple[str, ...] = ()
    """Ids of the sides that have not answered."""


class AmendmentWaits(msgspec.Struct, frozen=True, kw_only=True):
    """An amendment that stopped at an order that is no longer valid."""

    at: int
    """Position of that order on the branch that it left."""
    tip: int
    """Position of the last record of the branch that it left."""
    left: int
    """Number of remaining orders, this one included."""
    seat: str
    """Id of the seat that gave that order."""


class TurnView(msgspec.Struct, frozen=True, kw_only=True):
    """The game as a seat sees it."""

    game: str
    """Id of the game."""
    title: str
    """Id of the title."""
    name: str
    """The scenario's name."""
    seat: str
    """Id of the seat whose view it is."""
    side: str
    """Id of its side; "" for the referee and a spectator."""
    position: int
    """Number of the last record in the view, from 0 for no record."""
    turn: int
    """Number of the turn, from 1; 0 before the first turn and in a game without turns."""
    where: str
    """The current step in words: turn, step and sides."""
    open: tuple[str, ...]
    """Ids of the open steps."""
    steps: tuple[StepView, ...]
    """The open steps."""
    waiting: tuple[str, ...]
    """The sides that must act now; if sides act in turn, the current one."""
    orders: tuple[str, ...]
    """Names of all orders in `allowed`, each once."""
    allowed: tuple[Allowed, ...]
    """The orders that each side may give now, by step."""
    answers: tuple[StepAnswers, ...]
    """The answers that end an open step."""
    pick: PickView | None
    """The choice of a member of a loop; null if play waits for none."""
    owed: tuple[RequiredActionView, ...]
    """What must be done before a step ends, with its dice."""
    ended: str
    """The reason why the game has ended, or ""."""
    winner: str
    """Id of the winning side; "" for none."""
    sides: tuple[SideView, ...]
    """The sides in the order of the scenario."""
    units: dict[str, int]
    """Number of units under `in_play` and under `left`, those out of play."""
    accounts: dict[str, int]
    """Balance of each account by its name."""
    markers: dict[str, Value]
    """Value of each marker by its name."""
    choices: tuple[Question, ...]
    """Answered questions, by question and side."""
    dice: dict[str, Any]
    """`from`: the ledger or the table; `mode`: the dice mode; `waits_for`: ids of the sides whose share is awaited;
    `order_of`: id of the seat whose order waits; `rolls`: number of rolls; `commitment`: that of the seed; `open`:
    whether the seed is revealed; `keep`: the dice policy after a rewind, or "".
    """
    asked: AskedFor | None = None
    """A requested rewind; null for none."""
    on_done: tuple[Forfeit, ...] = ()
    """The cost of ending a step."""
    note: str = ""
    """The reason for missing lists."""
    tells: tuple[str, ...] = ()
    """Lines of the title's own notation."""
    dice_asked: tuple[RequestedDice, ...] = ()
    """Dice of optional orders; those of required ones are in `owed`."""
    ours: tuple[OurNumber, ...] = ()
    """House values that the scenario does not set."""
    by_itself: tuple[str, ...] = ()
    """Automatic moves that follow the next order; orders, answers and picks of the step after them are listed too."""
    amending: AmendmentWaits | None = None
    """An amendment that stopped; null for none."""
    copied: CopyOrigin | None = None
    """The game that this one copies; null for an original."""
    last: tuple[OrderSentence, ...] = ()
    """The newest orders, the newest at the end."""
    waits: Waits = ()
    """The sides that must act, each with its time."""
    disputes: tuple[OpenDispute, ...] = ()
    kept: tuple[str, ...] = ()
    """Markers, accounts and choices (`QUESTION/SIDE`) that only the rules use."""
    hidden: tuple[str, ...] = ()
    """The hidden units that this seat sees."""
    last_seen: tuple[LastSeen, ...] = ()
    """Hidden units that this seat no longer sees, as it last saw them."""
    contacts: tuple[Contact, ...] = ()
    """For the referee, hidden units that others met."""
    sealed: tuple[SealedWords, ...] = ()
    """Waiting sealed words, for those who may read them."""


class SharedView(OpeningsCache):
    """Data that seats with equal knowledge share: the title's answers, and the number of each side's units in play."""

    def __init__(self) -> None:
        super().__init__()
        self._units: Counter[str | None] | None = None

    def units(self, game: Game) -> Counter[str | None]:
        """Return the number of units in play by side, and under None the number out of play. They are counted once."""
        if self._units is None:
            self._units = Counter([None if unit.fate else unit.side for unit in game.units.values()])
        return self._units


def turn_view(
    title: Title | None,
    game: Game,
    seat: str,
    position: int,
    shared: SharedView | None = None,
    standing: GameStatus = NOTHING,
) -> TurnView:
    """Return the view of a seat at a position, from the game as that seat knows it there.

    Args:
        shared: Data shared with seats of equal knowledge.
        standing: The facts that are not in the game's state.
    """
    shared, known, game = shared or SharedView(), game, in_the_open(game)
    parts: dict[str, Any] = {}
    if game.unreadable:
        parts["note"] = f"{game.unreadable}: you can view, export and rewind the game, but not continue it"
    elif title is None:
        missing = f"the title {game.title} is not installed or cannot be loaded (see `umpire titles`)"
        parts["note"] = f"{missing}, so the allowed and required orders are unknown"
    else:
        try:
            parts = {} if game.ended else _asked(title, game, seat, shared)
            parts["tells"] = title.notation.tells(known) if title.notation else ()
            left = unset_house_values(game, title.ours)
            parts["ours"] = tuple(OurNumber(name=one.name, value=one.value, rule=one.rule) for one in left)
        except DeclarationError as error:
            parts["note"] = f"the installed {title.id} does not match this game: {error.what}"
        except TitleFault as error:  # The view still has the facts of the log.
            parts["note"] = error.what
    return msgspec.structs.replace(
        _plain(known, seat, position, shared),
        asked=asked_for(title, game),
        kept=_kept(title, game),
        **msgspec.structs.asdict(standing),
        **parts,
    )


# --- what the log alone says ------------------------------------------------------------------------------------------


def _plain(game: Game, seat: str, position: int, shared: SharedView) -> TurnView:
    units = shared.units(game)
    return TurnView(
        game=game.id,
        title=game.title,
        name=game.name,
        seat=seat,
        side=game.side_of(seat),
        position=position,
        turn=game.turn,
        where=game.where,
        open=tuple(one.step for one in game.cursor.open),
        steps=tuple(StepView(step=one.step, name=one.name, waits=one.waits) for one in game.cursor.open),
        waiting=game.cursor.waiting(),
        orders=(),
        allowed=(),
        answers=(),
        pick=None,
        owed=(),
        ended=game.ended,
        winner=game.winner,
        sides=tuple(_sides(game, units)),
        units={"in_play": len(game.units) - units[None], "left": units[None]},
        accounts=dict(sorted(game.accounts.items())),
        markers=dict(sorted(game.markers.items())),
        choices=tuple(_choices(game)),
        amending=_amending(game),
        hidden=tuple(sorted(game.hidden)),
        dice={
            "from": game.dice,
            "mode": mode_of(game),
            "waits_for": awaited(game),
            "order_of": game.awaits_dice,
            "rolls": game.rolls,
            "commitment": game.commitment,
            "open": game.dice_open,
            "keep": game.active_keep.policy if game.active_keep else "",
        },
    )


def asked_for(title: Title | None, game: Game) -> AskedFor | None:
    asked = game.asked
    if asked is None:
        return None
    sides = game.side_ids if title is None else others(title, game, asked.side)
    waits = tuple(side for side in sides if side not in (asked.side, *asked.consents))
    return AskedFor(seat=asked.seat, to=asked.to, why=asked.why, consents=asked.consents, waits=waits)


def _amending(game: Game) -> AmendmentWaits | None:
    waits = game.amending
    if waits is None:
        return None
    return AmendmentWaits(at=waits.at, tip=waits.tip, left=waits.left, seat=waits.seat)


def _kept(title: Title | None, game: Game) -> tuple[str, ...]:
    words, open_loops = words_of(title), {"", *(frame.of for frame in game.cursor.frames)}
    named = (
        name for kind in ("accounts", "markers") for name in sorted(getattr(game, kind)) if words.kept[kind].fit(name)
    )
    idle = (
        name
        for name, held in sorted(game.accounts.items())
        if not held and any(fnmatchcase(name, one) for one in words.idle)
    )
    over = (
        key
        for key, one in sorted(game.choices.items())
        if words.choices.get(one.question, "") not in open_loops or _counts_no_longer(one)
    )
    return (*named, *idle, *over)


def _counts_no_longer(one: Choice) -> bool:
    """Return whether an answer was withdrawn, so that there is none to show."""
    return one.choice is None and not one.sealed


def _sides(game: Game, units: Counter[str | None]) -> Iterator[SideView]:
    for side in game.sides:
        seats = tuple(seat for seat, of in game.seats.items() if of == side.id)
        yield SideView(id=side.id, name=side.name, seats=seats, units=units[side.id])


def _choices(game: Game) -> Iterator[Question]:
    for _, one in sorted(game.choices.items()):
        yield Question(question=one.question, side=one.side, choice=one.choice, sealed=one.sealed, known=one.known)


# --- what the title says ----------------------------------------------------------------------------------------------


def _asked(title: Title, game: Game, seat: str, cache: OpeningsCache | None) -> dict[str, Any]:
    if title.sequence is None:
        return _with_names(_anywhere(title, game))
    steps = open_steps(title, game)
    known = KnownOpenings(title, game, seat, cache)
    allowed, answers, pick = tuple(_allowed(known, steps)), tuple(_answers(known, steps)), _pick(title, game)
    words: tuple[str, ...] = ()
    if (ahead := known.ahead()) is not None:
        then, words = ahead
        later = open_steps(title, then.game)
        allowed = (*allowed, *_allowed(then, later, anytime=False))
        answers, pick = (*answers, *_answers(then, later)), pick or _pick(title, then.game)
    return {
        "steps": tuple(_steps(title, game)),
        "waiting": acting_now(title, game),
        "where": where_now(title, game),
        **_with_names(allowed),
        "answers": answers,
        "pick": pick,
        "by_itself": words,
        "owed": tuple(_owed(known, steps)),
        "on_done": tuple(_forfeits(known, steps)),
        "dice_asked": tuple(_dice_asked(known, steps)),
    }


def _with_names(allowed: tuple[Allowed, ...]) -> dict[str, Any]:
    """Return the fields for the allowed orders and for their names alone."""
    return {"allowed": allowed, "orders": tuple(dict.fromkeys(order for one in allowed for order in one.orders))}


def _anywhere(title: Title, game: Game) -> tuple[Allowed, ...]:
    names = tuple(name for name in title.every_order if name not in NOT_LISTED)
    return tuple(Allowed(step="", side=side, orders=names) for side in game.side_ids)


def _steps(title: Title, game: Game) -> Iterator[StepView]:
    for one in game.cursor.open:
        place = title.plan.places.get(one.step)
        step = place if isinstance(place, Step) else None
        yield StepView(
            step=one.step,
            name=one.name,
            waits=one.waits,
            need=step.need if step else "required",
            secret=step.secret if step else False,
            rules=place.rules if place else (),
        )


def _allowed(known: KnownOpenings, steps: tuple[Step, ...], *, anytime: bool = True) -> Iterator[Allowed]:
    """Yield the orders of each side in each open step, with `done` and `pick` if they would be accepted."""
    title, game = known.title, known.game
    for step in steps:
        waits = waits_in(game, step)
        for side in acting(title, game, step):
            names = list(known.offers(step, side))
            if side in waits and known.may_leave(step, side):
                names.append("done")
            if names:
                yield Allowed(step=step.id, side=side, orders=tuple(names))
    loop = waiting_loop(title, game)
    if loop is not None:
        for side in game.cursor.waiting():
            yield Allowed(step=loop.id, side=side, orders=("pick", "done") if may_end(loop) else ("pick",))
    for step in title.plan.anytime if anytime else ():
        for who in acting_anytime(title, game, step):
            if orders := known.offers(step, who):
                yield Allowed(step=step.id, side=who, orders=orders)


def _answers(known: KnownOpenings, steps: tuple[Step, ...]) -> Iterator[StepAnswers]:
    """Yield the answers with which a side that must act can end its step."""
    for step in steps:
        for side in waits_in(known.game, step) if step.answers else ():
            answers = known.answers_of(step, side)
            if answers:
                yield StepAnswers(step=step.id, side=side, answers=answers)


def _owed(known: KnownOpenings, steps: tuple[Step, ...]) -> Iterator[RequiredActionView]:
    for step in steps:
        rule = rule_of(known.title, known.game, step.id)
        for side in waits_in(known.game, step):
            for duty in known.owed_by(step, side):
                yield RequiredActionView(
                    step=step.id,
                    side=side,
                    words=duty.sentence,
                    rule=rule,
                    about=duty.about,
                    orders=duty.orders,
                    any_side=duty.any_side,
                )


def _dice_asked(known: KnownOpenings, steps: tuple[Step, ...]) -> Iterator[RequestedDice]:
    for step in steps:
        for side in waits_in(known.game, step):
            for words in () if known.owed_by(step, side) else dice_asked_for(known.title, known.game, step, side):
                yield RequestedDice(step=step.id, side=side, words=words)


def _forfeits(known: KnownOpenings, steps: tuple[Step, ...]) -> Iterator[Forfeit]:
    for step in steps:
        for side in waits_in(known.game, step):
            for words in known.forfeits_of(step, side):
                yield Forfeit(step=step.id, side=side, words=words)


def _pick(title: Title, game: Game) -> PickView | None:
    loop = waiting_loop(title, game)
    if loop is None:
        return None
    side = next(iter(game.cursor.waiting()), "")
    members = free_members(title, game, loop)
    return PickView(loop=loop.id, name=loop.name, side=side, members=members, may_end=may_end(loop))


TitleOf = Callable[[str], Title | None]
"""Returns a title by its id; None if it is not installed."""
