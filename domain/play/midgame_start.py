"""Start from a scenario's mid-game setup: check it completely, and record it in place of the title's setup.

The board is recorded as any setup is: units, accounts, markers, seats, answers. The place of play is one event
(`play.resumed`) for the loops, and an opening for each step that waits. Only the title's sequence and the types of its
units' attributes are used, so a game of any title can start in the middle.
"""

from collections.abc import Iterable, Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from umpire_ledger.domain.flow.advance import PlayAdvancer
from umpire_ledger.domain.flow.open_steps import acting, answers_for, open_steps
from umpire_ledger.domain.flow.queries import owed
from umpire_ledger.domain.game.cursor import Closed, Cursor, Frame, OpenStep
from umpire_ledger.domain.game.errors import TitleFault
from umpire_ledger.domain.game.events import (
    AccountChanged,
    AnyEvent,
    ChoiceMade,
    ChoiceSealed,
    MarkerSet,
    PlayResumed,
    RestrictedEvent,
    SeatTaken,
    StepOpened,
    UnitEvent,
    UnitPlaced,
    UnitRemoved,
    UnitShown,
    Value,
)
from umpire_ledger.domain.game.hidden_units import is_foggy, laid_hidden
from umpire_ledger.domain.game.midgame_setup import Answered, LoopThere, MidgameSetup, StepThere, UnitThere
from umpire_ledger.domain.game.scenario import FIELDS, Piece, Scenario
from umpire_ledger.domain.game.scenario_fault import ScenarioFault, error_of
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game, choice_key, place_of
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.constructs import Each, Rounds, Step, Turns
from umpire_ledger.domain.sequence.plan import Plan

RULE = "the position of a scenario"
CAUSE = "taken over"

Fault = tuple[str, str, str]
"""A fault of a mid-game setup, its path, and the remedy."""


def verify_position(title: Title, scenario: Scenario, position: MidgameSetup) -> None:
    """Check a mid-game setup.

    Raises:
        ScenarioError: The setup has a fault, such as an unknown name or a wrong type; the error reports the first one.
    """
    for what, where, remedy in faults_of_position(title, scenario, position)[:1]:
        raise error_of(ScenarioFault(path=where, what=what, rule=RULE, remedy=remedy, code="wrong-mid-game-setup"))


def faults_of_position(title: Title, scenario: Scenario, position: MidgameSetup) -> tuple[Fault, ...]:
    """Return all faults of a mid-game setup."""
    sides = tuple(side.id for side in scenario.sides)
    return (*_table_faults(scenario, position, sides), *_place_faults(title, position, sides))


# --- the board --------------------------------------------------------------------------------------------------------


def _table_faults(scenario: Scenario, position: MidgameSetup, sides: tuple[str, ...]) -> Iterator[Fault]:
    kinds = _kinds_of_attributes(scenario.pieces())
    seen: set[str] = set()
    for at, unit in enumerate(position.units):
        path = f"$.position.units[{at}]"
        if unit.id in seen:
            yield f"two units have the id {unit.id}", f"{path}.id", "give every unit its own id"
        seen.add(unit.id)
        yield from _unknown_side(unit.side, f"{path}.side", sides)
        for side in unit.seen_by:
            yield from _unknown_side(side, f"{path}.seen_by", sides)
        yield from _wrong_attributes(unit, path, kinds)
    for seat, side in position.seats.items():
        path = f"$.position.seats.{seat}"
        if seat in (*sides, REFEREE, SPECTATOR):
            yield f"the seat {seat} already exists", path, "choose another id for the seat"
        yield from _unknown_side(side, path, sides)
    yield from _choice_faults(position, (*sides, *position.seats, REFEREE))


def _choice_faults(position: MidgameSetup, known: tuple[str, ...]) -> Iterator[Fault]:
    given: set[str] = set()
    for at, choice in enumerate(position.choices):
        path = f"$.position.choices[{at}]"
        key = choice_key(choice.question, choice.side)
        if key in given:
            yield f"{choice.side} answers {choice.question} twice", path, "keep only the answer that counts"
        given.add(key)
        yield from _unknown_side(choice.side, f"{path}.side", known)
        for seat in choice.seen_by or ():
            yield from _unknown_side(seat, f"{path}.seen_by", known)
        if choice.sealed and choice.seen_by is None:
            remedy = f'name its readers, for example seen_by = ["{choice.side}", "{REFEREE}"]'
            yield f"{choice.question} of {choice.side} is sealed, but has no list of readers", f"{path}.seen_by", remedy


def _unknown_side(side: str, path: str, known: Iterable[str]) -> Iterator[Fault]:
    if side not in known:
        yield f"there is no side {side}", path, f"name one of: {', '.join(sorted(known))}"


def _wrong_attributes(unit: UnitThere, path: str, kinds: Mapping[str, set[type]]) -> Iterator[Fault]:
    for name in unit.unset:
        if name in unit.attributes:
            yield f"{name} of {unit.id} is both set and unset", f"{path}.unset", "remove it from one of the two"
    for name, value in unit.attributes.items():
        may = kinds.get(name)
        if may and type(value) not in may:
            said = " or ".join(sorted(_IN_WORDS[kind] for kind in may if kind in _IN_WORDS))
            yield f"{name} of {unit.id} cannot be {value!r}", f"{path}.attributes.{name}", f"write {said}"


_IN_WORDS: Mapping[type, str] = {bool: "true or false", int: "a whole number", str: "a word", tuple: "a list of names"}


def _kinds_of_attributes(pieces: Iterable[Piece]) -> dict[str, set[type]]:
    """Return the types of values of each attribute that the title's own pieces have."""
    found: dict[str, set[type]] = {}
    for kind in {type(piece) for piece in pieces}:
        for name, hint in get_type_hints(kind).items():
            if name not in FIELDS:
                found.setdefault(name, set()).update(_made_of(hint))
    return found


def _made_of(hint: Any) -> Iterator[type]:
    """Yield the plain types in a type hint: members of a union, an annotated type, the types of a Literal's values."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        for part in get_args(hint):
            yield from _made_of(part)
    elif origin is Annotated:
        yield from _made_of(get_args(hint)[0])
    elif isinstance(hint, type):
        yield hint
    elif isinstance(origin, type):
        yield tuple if issubclass(origin, list | frozenset | set) else origin
    else:  # a Literal
        yield from {type(value) for value in get_args(hint)}


# --- the place of play ------------------------------------------------------------------------------------------------


def _place_faults(title: Title, position: MidgameSetup, sides: tuple[str, ...]) -> Iterator[Fault]:
    """Yield the faults of loops and steps, from the outside in. Each must be inside the one before it."""
    plan = title.plan
    if title.sequence is None:
        if position.loops or position.open or position.turn:
            what = f"{title.name} has no sequence of play"
            yield what, "$.position.open", "leave out `open`, `loops` and `turn`"
        return
    if not position.open:
        what = "no step is open, so no side can act"
        yield what, "$.position.open", "name the step in which play continues, and the sides that it waits for"
    around = Frame()
    for at, loop in enumerate(position.loops):
        path = f"$.position.loops[{at}]"
        yield from _loop_faults(plan, loop, around, path, sides)
        if loop.held and loop.kind != "instant":
            yield f"{loop.of} suspends nothing", f"{path}.held", "leave out `held`: only a trigger suspends steps"
        yield from _step_faults(title, loop.held, around, f"{path}.held", sides)
        around = _frame(loop, 0)
    yield from _closed_faults(plan, (*position.closed, *position.kept), "$.position.closed")
    yield from _step_faults(title, position.open, around, "$.position.open", sides)


def _loop_faults(plan: Plan, loop: LoopThere, around: Frame, path: str, sides: tuple[str, ...]) -> Iterator[Fault]:
    place = plan.places.get(loop.of)
    if place is None:
        yield _no_place(loop.of, f"{path}.of")
        return
    fits = {
        "loop": isinstance(place, Rounds | Each | Turns) and _stands_in(plan, loop.of, plan.home(loop.of), around),
        "borrow": isinstance(place, Step) and place.runs == loop.stretch and loop.back == loop.of,
        "call": loop.of in plan.procedures and loop.back in plan.places,
        "instant": loop.of in plan.procedures and len(loop.stretch) == bool(loop.back),
    }[loop.kind]
    if not fits:
        inside = f"inside {around.of}" if around.of else "outside every loop"
        what = f"{loop.of} cannot be a {loop.kind} {inside}"
        yield what, path, "name every loop around the step, the outermost first, as `umpire sequence` prints them"
    if loop.back and loop.back not in plan.places:
        yield _no_place(loop.back, f"{path}.back")
    if loop.side:
        yield from _unknown_side(loop.side, f"{path}.side", sides)
    yield from _closed_faults(plan, (*loop.closed, *loop.kept), f"{path}.closed")


def _step_faults(
    title: Title, steps: tuple[StepThere, ...], around: Frame, path: str, sides: tuple[str, ...]
) -> Iterator[Fault]:
    plan = title.plan
    for at, step in enumerate(steps):
        where = f"{path}[{at}]"
        place = plan.places.get(step.step)
        if not isinstance(place, Step | Each | Turns):
            yield _no_place(step.step, f"{where}.step")
            continue
        home = plan.home(step.step) if isinstance(place, Step) else step.step
        if not _stands_in(plan, step.step, home, around):
            remedy = f"name {home} as the last of the `loops`" if home else "leave out `loops`: the step is in no loop"
            yield f"{step.step} is not in {around.of or 'the outermost loop'}", f"{where}.step", remedy
        if len(steps) > 1 and not plan.track(step.step):
            what = f"{step.step} cannot be open together with the other steps"
            yield what, where, "name one open step, or several steps of one place that opens them together"
        if not step.waits or len(set(step.waits)) < len(step.waits):
            yield (
                f"{step.step} waits for no side, or for one side twice",
                f"{where}.waits",
                "name each side that it waits for, once",
            )
        for side in step.waits:
            yield from _unknown_side(side, f"{where}.waits", sides)
        for order in step.given:
            if order not in title.every_order:
                remedy = f"`umpire orders {title.id}` lists them"
                yield f"there is no order {order}", f"{where}.given", remedy
    if len({one.step for one in steps}) < len(steps):
        yield "one step is listed as open twice", path, "name each open step once"


def _stands_in(plan: Plan, place: str, home: str, around: Frame) -> bool:
    """Return whether a place, whose innermost loop or procedure is `home`, can be played in the innermost frame."""
    if around.kind == "borrow":
        return place in plan.places and plan.in_stretch(around.stretch, place)
    return around.of == home


def _closed_faults(plan: Plan, closed: tuple[Closed, ...], path: str) -> Iterator[Fault]:
    for step in closed:
        place = plan.places.get(step.step)
        if place is None:
            yield _no_place(step.step, path)
        elif isinstance(place, Step) and step.answer and step.answer not in {answer.name for answer in place.answers}:
            answers = ", ".join(answer.name for answer in place.answers) or "none"
            yield f"{step.answer!r} is not an answer to {step.step}", path, f"its answers: {answers}"


def _no_place(place: str, path: str) -> Fault:
    return f"the sequence has no place {place}", path, "`umpire sequence TITLE` lists every place"


def _frame(loop: LoopThere, acts: int) -> Frame:
    plain: dict[str, Any] = msgspec.structs.asdict(loop)
    return Frame(**{**plain, "held": tuple(_open(one, acts) for one in loop.held)})


def _open(step: StepThere, acts: int) -> OpenStep:
    return OpenStep(
        step=step.step,
        name=step.name,
        waits=step.waits,
        given=step.given,
        acts=acts - step.acts,
        declined=step.declined,
    )


# --- recording a setup ------------------------------------------------------------------------------------------------


def resume(walk: PlayAdvancer, position: MidgameSetup) -> None:
    """Record a checked mid-game setup: the board, the place of play, and the steps that wait; then check triggers.

    Raises:
        ScenarioError: The title cannot continue from it.
    """
    try:
        for told in _laid(walk.game, position):
            walk.emit(told)
        _stand(walk, position)
        walk.go(None)
        for step in open_steps(walk.title, walk.game):
            for side in acting(walk.title, walk.game, step):
                owed(walk.title, walk.game, step, side)
                answers_for(walk.title, walk.game, step, side)
    except TitleFault as fault:
        remedy = "compare it with one that `umpire scenario GAME` writes"
        what = f"the mid-game setup is not consistent: {fault.what}"
        error = ScenarioFault(
            path="$.position", what=what, rule=RULE, remedy=remedy, code="inconsistent-mid-game-setup"
        )
        raise error_of(error) from fault


def _laid(game: Game, position: MidgameSetup) -> Iterator[AnyEvent | RestrictedEvent]:
    """Yield the events that set up the board."""
    for unit in position.units:
        if not unit.seen_by:
            yield from _unit_laid(unit)
    if is_foggy(game):
        yield from laid_hidden(game, _laid_under_covers(position))
    for account, amount in position.accounts.items():
        yield AccountChanged(account=account, amount=amount, before=0, after=amount, cause=CAUSE)
    for marker, value in position.markers.items():
        yield MarkerSet(marker=marker, before=None, after=value, cause=CAUSE)
    for seat, side in position.seats.items():
        yield SeatTaken(seat=seat, side=side)
    for choice in position.choices:
        yield from _answer(choice)


def _unit_laid(unit: UnitThere) -> Iterator[UnitEvent]:
    yield UnitPlaced(
        unit=unit.id, side=unit.side, kind=unit.kind, at=unit.at,
        attributes=_attributes(unit), cause=CAUSE, seen_by=unit.seen_by,
    )  # fmt: skip
    yield from _fate(unit)


def _fate(unit: UnitThere) -> Iterator[UnitEvent]:
    if unit.fate:
        yield UnitRemoved(unit=unit.id, fate=unit.fate, at=unit.at, cause=CAUSE)


def _laid_under_covers(position: MidgameSetup) -> dict[str, list[UnitEvent]]:
    """Return the hidden units by the side that sees them.

    A unit is placed for its first viewer and shown to the others.
    """
    told: dict[str, list[UnitEvent]] = {}
    for unit in position.units:
        for side in unit.seen_by[:1]:
            told.setdefault(side, []).extend(_unit_laid(unit))
        for side in unit.seen_by[1:]:
            shown = UnitShown(
                unit=unit.id, side=unit.side, kind=unit.kind, at=unit.at,
                attributes=_attributes(unit), cause=CAUSE, seen_by=unit.seen_by,
            )  # fmt: skip
            told.setdefault(side, []).extend((shown, *_fate(unit)))
    return told


def _attributes(unit: UnitThere) -> dict[str, Value]:
    return {**unit.attributes, **dict.fromkeys(unit.unset)}


def _answer(answered: Answered) -> Iterator[AnyEvent | RestrictedEvent]:
    made = ChoiceMade(question=answered.question, side=answered.side, choice=answered.choice, sealed=answered.sealed)
    if answered.seen_by is None:
        yield made
        return
    if answered.announced:
        yield ChoiceSealed(question=answered.question, side=answered.side)
    yield RestrictedEvent(made, answered.seen_by)


def _stand(walk: PlayAdvancer, position: MidgameSetup) -> None:
    """Record the place of play. The count of acts continues, so that actions in an open step are after its opening."""
    acts = walk.game.acts + max((one.acts for one in _dated(position)), default=0)
    frames = (Frame(closed=position.closed, kept=position.kept), *(_frame(loop, acts) for loop in position.loops))
    known = (one for one in position.choices if one.announced)
    walk.emit(
        PlayResumed(
            frames=frames if Cursor(frames=frames) != Cursor() else (),
            turn=position.turn,
            acts=acts,
            answered={choice_key(one.question, one.side): acts - one.acts for one in known},
            of=position.game,
            at=position.at,
        )
    )
    for one in position.open:
        walk.emit(_opened(walk, one))


def _dated(position: MidgameSetup) -> Iterator[StepThere | Answered]:
    """Yield the parts of a mid-game setup that count the acts since then."""
    yield from position.open
    yield from position.choices
    for loop in position.loops:
        yield from loop.held


def _opened(walk: PlayAdvancer, step: StepThere) -> StepOpened:
    place = walk.plan.places[step.step]
    is_step = isinstance(place, Step)
    return StepOpened(
        step=step.step,
        name=step.name or (place.name if is_step else f"pick for {place.name}"),
        where=place_of(walk.game),
        waits=step.waits,
        path=walk.plan.path(step.step),
        secret=isinstance(place, Step) and place.secret,
        given=step.given,
        acts=step.acts,
        declined=step.declined,
    )
