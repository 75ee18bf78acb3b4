"""Define the mid-game setup of a scenario, from which a game continues, as plain TOML under `[position]`.

It replaces the title's setup and holds every result of play: units with all attributes (including units out of play),
accounts, markers, answers, and the place of play by the ids of its steps. `position_of` takes it from a game;
`play/midgame_start.py` checks a setup and opens a game from it.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from umpire_ledger.domain.game.cursor import Closed, Frame, LoopKind, OpenStep
from umpire_ledger.domain.game.state import Choice, Game, Unit
from umpire_ledger.domain.game.values import Int, Value

Label = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
Labels = tuple[Label, ...]


class Part(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, repr_omit_defaults=True
):
    """A part of a mid-game setup; an entry that is left out has its default."""


class UnitThere(Part, frozen=True, kw_only=True):
    """A unit in its present state. `fate`: how it left play. `unset`: attributes that were set to nothing.

    `seen_by`: with fog, the sides that see it, if not all sides do.
    """

    id: Label
    side: Label
    kind: str
    at: str
    fate: str = ""
    attributes: dict[str, Value] = {}
    unset: Labels = ()
    seen_by: Labels = ()


class Answered(Part, frozen=True, kw_only=True):
    """An answer to a question, the oldest first. `sealed`: it is not revealed yet.

    `seen_by`: the readers of the answer, if not all may see it. `announced`: if not all may see it, whether all know
    that it was given. `acts`: the number of acts since it was given.
    """

    question: Label
    side: Label
    choice: Value = None
    sealed: bool = False
    seen_by: tuple[Label, ...] | None = None
    announced: bool = True
    acts: Count = 0


class StepThere(Part, frozen=True, kw_only=True):
    """An open step, or a loop in which a side must pick. `waits`: the sides for which it still waits.

    `given`: the orders given in it, if the step tests that. `acts`: the number of acts since it was opened; a side that
    ends a step without any act declines it. `declined`: a side has already done so.
    """

    step: Label
    name: str = ""
    waits: Labels = ()
    given: Labels = ()
    acts: Count = 0
    declined: bool = False


class LoopThere(Part, frozen=True, kw_only=True):
    """A loop, procedure, borrowed stretch or trigger that play is inside, the outermost first.

    The entries are those of a frame of the cursor (`game/cursor.py`). `held`: the steps that a trigger suspended.
    """

    of: Label
    name: str = ""
    kind: LoopKind = "loop"
    back: str = ""
    stretch: tuple[str, ...] = ()
    nth: Count = 0
    item: str = ""
    side: str = ""
    finished: Labels = ()
    closed: tuple[Closed, ...] = ()
    kept: tuple[Closed, ...] = ()
    held: tuple[StepThere, ...] = ()


class MidgameSetup(Part, frozen=True, kw_only=True):
    """Everything that play can change. `game`, `at`: the game and the record from which it was written.

    `closed`, `kept`: how steps outside every loop were closed. `seats`: the side for which each seat acts.
    """

    game: str = ""
    at: Count = 0
    turn: Count = 0
    open: tuple[StepThere, ...] = ()
    loops: tuple[LoopThere, ...] = ()
    closed: tuple[Closed, ...] = ()
    kept: tuple[Closed, ...] = ()
    accounts: dict[str, Int] = {}
    markers: dict[str, Value] = {}
    seats: dict[Label, Label] = {}
    choices: tuple[Answered, ...] = ()
    units: tuple[UnitThere, ...] = ()


class Secrecy(msgspec.Struct, frozen=True):
    """The readers of an answer that not all sides may see, and whether all know that it was given."""

    seen_by: tuple[str, ...]
    announced: bool


def position_of(game: Game, secrets: Mapping[str, Secrecy], *, at: int = 0, of: str = "") -> MidgameSetup:
    """Return the mid-game setup of a game whose secrets are all held here.

    `secrets`: of its restricted answers, by key.
    """
    first, *loops = game.cursor.frames
    return MidgameSetup(
        game=of or game.id,
        at=at,
        turn=game.turn,
        open=tuple(_step(one, game.acts) for one in game.cursor.open),
        loops=tuple(_loop(frame, game.acts) for frame in loops),
        closed=first.closed,
        kept=first.kept,
        accounts=dict(sorted(game.accounts.items())),
        markers=dict(sorted(game.markers.items())),
        seats=dict(sorted(game.seats.items())),
        choices=tuple(_choices(game, secrets)),
        units=tuple(_units(game)),
    )


def _units(game: Game) -> Iterator[UnitThere]:
    """Yield the public and hidden units, by id."""
    for name in sorted({*game.units, *game.hidden}):
        held = game.hidden.get(name)
        yield _unit(game.units[name]) if held is None else _unit(held.unit, held.seen_by)


def _step(step: OpenStep, acts: int) -> StepThere:
    return StepThere(
        step=step.step,
        name=step.name,
        waits=step.waits,
        given=step.given,
        acts=acts - step.acts,
        declined=step.declined,
    )


def _loop(frame: Frame, acts: int) -> LoopThere:
    plain: dict[str, Any] = msgspec.structs.asdict(frame)
    return LoopThere(**{**plain, "held": tuple(_step(one, acts) for one in frame.held)})


def _choices(game: Game, secrets: Mapping[str, Secrecy]) -> Iterator[Answered]:
    """Yield the answers: first those of which not all sides know, then the others, oldest first."""
    untold = {key for key, secrecy in secrets.items() if not secrecy.announced}
    for key in sorted(game.choices, key=lambda key: (key not in untold, key in untold or game.choices[key].acts, key)):
        yield _answered(game.choices[key], secrets.get(key), game.acts)


def _answered(choice: Choice, secrecy: Secrecy | None, acts: int) -> Answered:
    """Return an answer. If not all sides know of it, omit its time, which is secret and on which nothing depends."""
    announced = secrecy is None or secrecy.announced
    return Answered(
        question=choice.question,
        side=choice.side,
        choice=choice.choice,
        sealed=choice.sealed,
        seen_by=secrecy.seen_by if secrecy else None,
        announced=announced,
        acts=acts - choice.acts if announced else 0,
    )


def _unit(unit: Unit, seen_by: tuple[str, ...] = ()) -> UnitThere:
    return UnitThere(
        id=unit.id,
        side=unit.side,
        kind=unit.kind,
        at=unit.at,
        fate=unit.fate,
        attributes={name: value for name, value in sorted(unit.attributes.items()) if value is not None},
        unset=tuple(name for name, value in sorted(unit.attributes.items()) if value is None),
        seen_by=seen_by,
    )
