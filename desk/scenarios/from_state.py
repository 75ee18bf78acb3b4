"""Writing a scenario from a position: a game that is taken over in the middle begins with it.

The file holds the scenario that the game was opened from, and beside it, under `[position]`, everything that play has
brought about since. Nothing is handed out that could not be opened: the text is read back and tried first.
"""

from collections.abc import Mapping
from typing import NamedTuple, get_args

from umpire_ledger.desk.scenarios.opening import between_orders, opening_of
from umpire_ledger.domain.game.dice_shares import mode_of
from umpire_ledger.domain.game.errors import RuleViolation, ScenarioError
from umpire_ledger.domain.game.events import (
    ChoiceMade,
    ChoiceRevealed,
    ChoiceSealed,
    DiceRolled,
    DiceSeeded,
    GameOpened,
    HiddenDone,
    MessageArrived,
    MessageHeld,
    MessageSent,
    NoteAdded,
    NoteSealed,
    PlayResumed,
    UnitEvent,
    Value,
)
from umpire_ledger.domain.game.midgame_setup import Position, Secrecy, position_of
from umpire_ledger.domain.game.scenario import read_scenario
from umpire_ledger.domain.game.scenario_text import scenario_text
from umpire_ledger.domain.game.state import Game, choice_key, replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.visible_record import decode_for_fold
from umpire_ledger.projections.tables.seat_visibility import is_for

RULE = "scenario"
HARMLESS = (DiceRolled, DiceSeeded, NoteAdded, NoteSealed, MessageSent, MessageHeld, MessageArrived)
"""Secret events of which a position holds nothing: dice are thrown anew, and words are no part of it."""

OF_UNITS = {str(kind.__struct_config__.tag) for kind in (HiddenDone, *get_args(UnitEvent))}
"""Secret events of which a position holds what they come to: units that some sides see."""


def scenario_at(ledger: Ledger[Game], title: Title, game: str, at: int, seat: str) -> str:
    """The text of a scenario that goes on from a position, for a seat that knows everything that is in it.

    A position inside an order is the end of the order before it.

    Raises:
        RuleViolation: the game is over there, or cannot be read; inside the opening; something is closed to the seat,
            or withheld from this copy of the log.
        NoSuchRecord; ScenarioError where the old scenario does not fit the title of today.
    """
    at = between_orders(ledger, game, at)
    state = ledger.state(game, at)
    _verify_going_on(state)
    if state.couriers:
        what = "messages are on their way, and a scenario cannot hold them"
        raise _refuse(state, what, "write it when they have arrived, or hand the game over as a log: `export --whole`")
    found = _secrets_of(ledger, game, at)
    _verify_open_to(state, found, seat, all_open=at <= ledger.state(game).secrets_open)
    position = position_of(state, found.choices, at=at, of=game)
    origin = _origin(ledger, game, at)
    if origin is not None:
        position = replace(position, game=origin.of, at=origin.at)
    text = _text(ledger, title, game, state, position)
    _verify_opens(state, title, text, position)
    return text


def _verify_going_on(state: Game) -> None:
    if state.unreadable:
        raise _refuse(state, state.unreadable, "write it from a position before that record: --at N")
    if state.ended:
        raise _refuse(state, f"the game is over: {state.ended}", "write it from an earlier position: --at N")


def _refuse(state: Game, what: str, remedy: str) -> RuleViolation:
    return RuleViolation(what, where=state.where, rule=RULE, remedy=remedy)


# --- secrets ----------------------------------------------------------------------------------------------------------


class _Secrets(NamedTuple):
    """`choices`: answers that not everybody may see, by key. `others`: secret events that a scenario cannot hold."""

    choices: Mapping[str, Secrecy]
    others: tuple[str, ...]
    withheld: int


def _secrets_of(ledger: Ledger[Game], game: str, at: int) -> _Secrets:
    """What is secret on the line that ends at a position: of each answer, the last word on it counts."""
    seen_by: dict[str, tuple[str, ...] | None] = {}
    announced: set[str] = set()
    others: set[str] = set()
    withheld = 0
    for line in ledger.branch_bytes(game, at):
        if b'"visible_to"' not in line and b'"type":"choice.' not in line and b'"inner"' not in line:
            continue
        heard = decode_for_fold(line)
        event, eyes = heard.event, heard.visible_to
        if event is None:
            withheld += 1
        elif isinstance(event, ChoiceMade | ChoiceSealed | ChoiceRevealed):
            key = choice_key(event.question, event.side)
            seen_by[key] = eyes
            if eyes is None:
                announced.add(key)
        elif eyes is not None and not isinstance(event, HARMLESS):
            others.add(str(type(event).__struct_config__.tag))
    secret = {key: Secrecy(eyes, key in announced) for key, eyes in seen_by.items() if eyes is not None}
    return _Secrets(secret, tuple(sorted(others)), withheld)


def _verify_open_to(state: Game, found: _Secrets, seat: str, *, all_open: bool) -> None:
    """A file with holes would open a game that cannot go on: what a seat may not see, it cannot hand over."""
    closed = [key for key, secrecy in found.choices.items() if key in state.choices and not _sees(state, seat, secrecy)]
    if not all_open and (closed or (found.others and _sees_less(state, seat))):
        what = f"{len(closed) or 'some'} answers that are not laid open are closed to {seat}"
        remedy = "let the referee write it, or write it when they are laid open"
        if seat == "referee":
            remedy = "write it when they are laid open: in this game secrets are closed to the referee, too"
        raise _refuse(state, what, remedy)
    if found.withheld or any(not choice.known for choice in state.choices.values()):
        what = "records are withheld from this copy of the log"
        raise _refuse(state, what, "write it where the game was played, or from a whole copy: `export --whole`")
    if state.sightings:
        what = "units are out of sight, and a scenario cannot hold where they were seen last"
        raise _refuse(state, what, "hand the game over as a log: `export --whole`")
    unheld = [tag for tag in found.others if tag not in OF_UNITS]
    if unheld:
        what = f"the game keeps secrets that a scenario cannot hold: {', '.join(unheld)}"
        raise _refuse(state, what, "hand the game over as a log: `export --whole`")


def _sees(state: Game, seat: str, secrecy: Secrecy) -> bool:
    return is_for(state, seat, secrecy.seen_by)


def _sees_less(state: Game, seat: str) -> bool:
    return not is_for(state, seat, ("",))


# --- the text ---------------------------------------------------------------------------------------------------------


def _origin(ledger: Ledger[Game], game: str, at: int) -> PlayResumed | None:
    """Where the game itself was taken over from, while nothing has been played since."""
    opening = ledger.order_at(game, 1)
    if at != opening[-1].position:
        return None
    events = (decode_for_fold(line).event for line in ledger.branch_bytes(game, at))
    return next((event for event in events if isinstance(event, PlayResumed)), None)


def _text(ledger: Ledger[Game], title: Title, game: str, state: Game, position: Position) -> str:
    opened = next(decode_for_fold(line).event for line in ledger.branch_bytes(game, 1))
    if not isinstance(opened, GameOpened) or not opened.scenario:
        raise _refuse(state, "the log does not hold the scenario that it was opened from", "write one by hand")
    options: dict[str, Value] = {name: value for name, value in state.options.items() if value is not None}
    scenario = read_scenario({**opened.scenario, **opened.sequence, "options": options}, title.scenario)
    return scenario_text(replace(scenario, dice=mode_of(state), position=position), state.version)


def _verify_opens(state: Game, title: Title, text: str, position: Position) -> None:
    """Raises RuleViolation where a game opened from the text would not stand where this one does."""
    try:
        opening = opening_of(title, text, game="trial")
    except ScenarioError as error:
        raise _refuse(state, f"a scenario of this position could not be opened: {error.what}", error.remedy) from error
    secrets = {
        choice_key(one.question, one.side): Secrecy(one.seen_by, one.announced)
        for one in position.choices
        if one.seen_by is not None
    }
    again = position_of(opening.state, secrets, at=position.at, of=position.game)
    if again != position:
        parts = [name for name in Position.__struct_fields__ if getattr(again, name) != getattr(position, name)]
        what = f"a game opened from this position would not stand so: {', '.join(parts)}"
        raise _refuse(state, what, "hand the game over as a log: `export --whole`")
