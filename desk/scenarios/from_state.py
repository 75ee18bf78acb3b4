"""Write a scenario from a position, so that a new game continues from there.

The text has the scenario of the original game and, under `[position]`, all changes since. Before it is returned, the
text is read again and opened as a trial, because every returned scenario must open.
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
from umpire_ledger.domain.game.midgame_setup import MidgameSetup, Secrecy, position_of
from umpire_ledger.domain.game.scenario import read_scenario
from umpire_ledger.domain.game.scenario_text import scenario_text
from umpire_ledger.domain.game.state import Game, choice_key, replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.visible_record import decode_for_fold
from umpire_ledger.projections.tables.seat_visibility import is_for

RULE = "scenario"
HARMLESS = (DiceRolled, DiceSeeded, NoteAdded, NoteSealed, MessageSent, MessageHeld, MessageArrived)
"""Secret events that leave no trace in a scenario: dice are rolled again, and messages are not part of it."""

OF_UNITS = {str(kind.__struct_config__.tag) for kind in (HiddenDone, *get_args(UnitEvent))}
"""Secret events whose result is in a scenario: units that only some sides see."""


def scenario_at(ledger: Ledger[Game], title: Title, game_id: str, at: int, seat: str) -> str:
    """Return the text of a scenario that continues from a position, for a seat that knows all of its contents.

    A position inside an order counts as the end of the order before it.

    Raises:
        RuleViolation: When the game had ended or cannot be read there, the position is inside the setup, or a part is
            closed to the seat or withheld from this copy of the log.
        NoSuchRecord: When the game has no such position.
        ScenarioError: When the old scenario is not valid for the installed version of the title.
    """
    at = between_orders(ledger, game_id, at)
    state = ledger.state(game_id, at)
    _verify_going_on(state)
    if state.couriers:
        what = "courier messages have not arrived yet, and a scenario cannot contain them"
        remedy = "write it after they arrive, or export the game as a log: `export --whole`"
        raise _refuse(state, "messages-on-their-way", what, remedy)
    found = _secrets_of(ledger, game_id, at)
    _verify_open_to(state, found, seat, all_open=at <= ledger.state(game_id).secrets_open)
    position = position_of(state, found.choices, at=at, of=game_id)
    origin = _origin(ledger, game_id, at)
    if origin is not None:
        position = replace(position, game=origin.of, at=origin.at)
    text = _text(ledger, title, game_id, state, position)
    _verify_opens(state, title, text, position)
    return text


def _verify_going_on(state: Game) -> None:
    if state.unreadable:
        raise _refuse(state, "unreadable", state.unreadable, "write it from a position before that record: --at N")
    if state.ended:
        what = f"the game is over: {state.ended}"
        raise _refuse(state, "game-over", what, "write it from an earlier position: --at N", ended=state.ended)


def _refuse(state: Game, code: str, what: str, remedy: str, **fields: object) -> RuleViolation:
    return RuleViolation(what, where=state.where, rule=RULE, remedy=remedy, code=code, fields=fields)


# --- secrets ----------------------------------------------------------------------------------------------------------


class _Secrets(NamedTuple):
    """Secrets of a game. `choices`: secret answers by key. `others`: secret events that a scenario cannot contain."""

    choices: Mapping[str, Secrecy]
    others: tuple[str, ...]
    withheld: int


def _secrets_of(ledger: Ledger[Game], game_id: str, at: int) -> _Secrets:
    """Return the secrets on the branch that ends at a position; only the last record of each answer counts."""
    seen_by: dict[str, tuple[str, ...] | None] = {}
    announced: set[str] = set()
    others: set[str] = set()
    withheld = 0
    for line in ledger.branch_bytes(game_id, at):
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
    """Verify that the seat may read everything in the scenario, because a new game needs every part to continue."""
    closed = [key for key, secrecy in found.choices.items() if key in state.choices and not _sees(state, seat, secrecy)]
    if not all_open and (closed or (found.others and _sees_less(state, seat))):
        what = f"{seat} cannot see {len(closed) or 'some'} secret choices that are not revealed yet"
        remedy = "ask the referee to write it, or write it after they are revealed"
        if seat == "referee":
            remedy = "write it after they are revealed; in this game the referee cannot see them either"
        raise _refuse(state, "answers-closed", what, remedy, number=len(closed), seat=seat)
    if found.withheld or any(not choice.known for choice in state.choices.values()):
        what = "records are withheld from this copy of the log"
        remedy = "write it from the original ledger, or from a whole copy: `export --whole`"
        raise _refuse(state, "records-withheld", what, remedy)
    if state.sightings:
        what = "units are out of sight, and a scenario cannot contain their last seen places"
        raise _refuse(state, "units-out-of-sight", what, "export the game as a log: `export --whole`")
    unheld = [tag for tag in found.others if tag not in OF_UNITS]
    if unheld:
        what = f"the game has secrets that a scenario cannot contain: {', '.join(unheld)}"
        raise _refuse(state, "other-secrets", what, "export the game as a log: `export --whole`", events=unheld)


def _sees(state: Game, seat: str, secrecy: Secrecy) -> bool:
    return is_for(state, seat, secrecy.seen_by)


def _sees_less(state: Game, seat: str) -> bool:
    return not is_for(state, seat, ("",))


# --- the text ---------------------------------------------------------------------------------------------------------


def _origin(ledger: Ledger[Game], game_id: str, at: int) -> PlayResumed | None:
    """Return the origin of a game that itself continues another, if the position ends its opening; else None."""
    opening = ledger.order_at(game_id, 1)
    if at != opening[-1].position:
        return None
    events = (decode_for_fold(line).event for line in ledger.branch_bytes(game_id, at))
    return next((event for event in events if isinstance(event, PlayResumed)), None)


def _text(ledger: Ledger[Game], title: Title, game_id: str, state: Game, position: MidgameSetup) -> str:
    opened = next(decode_for_fold(line).event for line in ledger.branch_bytes(game_id, 1))
    if not isinstance(opened, GameOpened) or not opened.scenario:
        what = "the log does not contain the scenario of the game"
        raise _refuse(state, "scenario-not-held", what, "write one by hand")
    options: dict[str, Value] = {name: value for name, value in state.options.items() if value is not None}
    scenario = read_scenario({**opened.scenario, **opened.sequence, "options": options}, title.scenario)
    return scenario_text(replace(scenario, dice=mode_of(state), position=position), state.version)


def _verify_opens(state: Game, title: Title, text: str, position: MidgameSetup) -> None:
    """Verify that a game opened from the text has the same state as this one.

    Raises:
        RuleViolation: When the new game has another state, or cannot be opened.
    """
    try:
        opening = opening_of(title, text, game_id="trial")
    except ScenarioError as error:
        what = f"a scenario of this position cannot be opened: {error.what}"
        raise _refuse(state, "position-cannot-be-opened", what, error.remedy) from error
    secrets = {
        choice_key(one.question, one.side): Secrecy(one.seen_by, one.announced)
        for one in position.choices
        if one.seen_by is not None
    }
    again = position_of(opening.state, secrets, at=position.at, of=position.game)
    if again != position:
        parts = [name for name in MidgameSetup.__struct_fields__ if getattr(again, name) != getattr(position, name)]
        what = f"a game opened from this position would differ: {', '.join(parts)}"
        raise _refuse(state, "position-not-the-same", what, "export the game as a log: `export --whole`", parts=parts)
