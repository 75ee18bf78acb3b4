"""Define `Game`, the immutable state of one game, the same for every title. `evolve` applies events to it.

Old states stay valid and cost little, because states share their unchanged parts.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from immutables import Map

from umpire_ledger.domain.game.cursor import Cursor
from umpire_ledger.domain.game.values import DicePolicy, DiceSource, Pledge, Side, Value, Where
from umpire_ledger.domain.game.verb_agreement import in_plural

replace = msgspec.structs.replace
REFEREE = "referee"
COPY_MARK = " from #"
"""Part of the label of a seed that a copied ledger drew: `harbour from #12`. A game id cannot contain a blank."""
SPECTATOR = "spectator"


class Unit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A unit and its known facts. `fate` is "" while the unit is in play; afterwards `at` is its last place."""

    id: str
    side: str
    kind: str
    at: str
    attributes: Mapping[str, Value] = {}
    fate: str = ""

    def get(self, attribute: str, default: Value = None) -> Value:
        """Return an attribute's value, or the default if the unit has none."""
        return self.attributes.get(attribute, default)

    def number(self, attribute: str) -> int:
        """Return a numeric attribute; 0 if the unit has none."""
        value = self.attributes.get(attribute)
        return value if isinstance(value, int) else 0

    def names(self, attribute: str) -> tuple[str, ...]:
        """Return the ids in an attribute that lists them, such as the ships that a ship is grappled to."""
        value = self.attributes.get(attribute)
        return value if isinstance(value, tuple) else ()


class Hidden(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A unit that is not on the public board, and the sides that see it. The referee sees it too."""

    unit: Unit
    seen_by: tuple[str, ...]


class Sighting(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The last sighting of a hidden unit by a side or the spectators, with its turn."""

    side: str
    unit: Unit
    turn: int = 0


class Choice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A side's answer to a question. `sealed`: it is not revealed yet; `known`: this copy of the game holds the answer.

    `acts`: the game's count of acts when the answer was given.
    """

    question: str
    side: str
    choice: Value = None
    sealed: bool = False
    known: bool = True
    acts: int = 0


class Keep(msgspec.Struct, frozen=True, kw_only=True):
    """Dice to reuse after a rewind to position `to`: those of the branch that ended at `tip`.

    `used`: records whose results have been reused; `fresh`: records whose results are never reused. `amends`: the
    rewind was made by an amendment or during one, and the reuse ends with that amendment.
    """

    policy: DicePolicy
    to: int
    tip: int
    fresh: tuple[int, ...] = ()
    used: tuple[int, ...] = ()
    amends: bool = False


class RewindRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A rewind that a seat has asked the other sides for, and the sides that have consented."""

    seat: str
    side: str
    to: int
    why: str
    dice: DicePolicy
    consents: tuple[str, ...] = ()


class StoppedAmendment(msgspec.Struct, frozen=True, kw_only=True):
    """An amendment that stopped at order `at` of the branch that ended at `tip`; `left` of its orders remain."""

    at: int
    tip: int
    left: int
    seat: str = ""


class LeaveUntil(msgspec.Struct, frozen=True, kw_only=True):
    """A side's promise to end steps. `acts`, `depth`: the counts of acts and of frames when it was made."""

    until: str
    acts: int
    depth: int


class Courier(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message on its way. `message`: its number; it arrives in turn `arrives`, at `step` if that is set."""

    message: int
    seat: str
    to: tuple[str, ...]
    text: str
    arrives: int
    sent: int = 0
    step: str = ""


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a game at one position.

    `unreadable`: in words, the first record on this branch that this edition cannot read; play cannot continue here.
    `rolls`: dice rolled so far on all branches. `acts`: events other than the sequence's own, which distinguish a step
    with actions from a declined one. `leaving`: promises to end steps, by side. `sequence`: the scenario's own
    sequence, as written there; `evolve` does not read it. `keys`: the key with which each seat signs. `secrets_open`:
    the last position whose secrets are revealed to all, on any branch; `agreed_to_open`: sides that agree to open them.
    `couriers`: messages on their way; `messages`: the number of messages sent on this branch. `units`: units on the
    public board, the only ones that the sequence of play and other sides read; `hidden`: units that only some sides
    see; `sightings`: last sightings by the other sides, by `SIDE/UNIT`. `pledges`: each side's part in the dice;
    `awaits_dice`: the seat whose order waits for shares.
    """

    id: str = ""
    title: str = ""
    version: str = ""
    name: str = ""
    dice: DiceSource = "ledger"
    sides: tuple[Side, ...] = ()
    options: Mapping[str, Value] = {}
    tables: Mapping[str, Any] = {}
    seats: Mapping[str, str] = {}
    keys: Mapping[str, str] = {}
    units: Map[str, Unit] = Map()
    accounts: Map[str, int] = Map()
    markers: Map[str, Value] = Map()
    choices: Map[str, Choice] = Map()
    cursor: Cursor = Cursor()
    turn: int = 0
    acts: int = 0
    rolls: int = 0
    sequence: Mapping[str, Any] = {}
    commitment: str = ""
    label: str = ""
    scheme: int = 1
    seed: str = ""
    dice_open: bool = False
    pledges: Mapping[str, Pledge] = {}
    awaits_dice: str = ""
    ended: str = ""
    winner: str = ""
    keep: Keep | None = None
    asked: RewindRequest | None = None
    unreadable: str = ""
    leaving: Mapping[str, LeaveUntil] = {}
    amending: StoppedAmendment | None = None
    copied: str | None = None
    copied_at: int = 0
    secrets_open: int = 0
    agreed_to_open: tuple[str, ...] = ()
    hidden: Mapping[str, Hidden] = {}
    sightings: Mapping[str, Sighting] = {}
    couriers: tuple[Courier, ...] = ()
    messages: int = 0

    @property
    def all_seeds_open(self) -> bool:
        """Whether no secret seed predicts future rolls. A copy holds the seed of the original game."""
        return self.dice_open and not self.has_copied_seed

    @property
    def has_copied_seed(self) -> bool:
        """Whether the log also holds a seed from which another ledger, or another game, may still roll."""
        return COPY_MARK in self.label or (self.copied is not None and self.label == self.id)

    @property
    def active_keep(self) -> Keep | None:
        """The rule for dice to reuse now; None without one, and after the end of the amendment that set it."""
        over = self.keep is not None and self.keep.amends and self.amending is None
        return None if over else self.keep

    @property
    def side_ids(self) -> tuple[str, ...]:
        return tuple(side.id for side in self.sides)

    def side_of(self, seat: str) -> str:
        """Return the side of a seat; "" for the referee, a spectator or a free seat."""
        return self.seats.get(seat, seat if seat in self.side_ids else "")

    def side_name(self, side: str) -> str:
        return next((one.name for one in self.sides if one.id == side), side)

    @property
    def seat_names(self) -> dict[str, str]:
        """The display name of each side and of the referee, by id, as used in sentences."""
        return {REFEREE: f"the {REFEREE}", **{one.id: one.name or one.id for one in self.sides}}

    def is_plural(self, side: str) -> bool:
        """Return whether a side's name takes plural verbs."""
        return any(one.plural for one in self.sides if one.id == side)

    def side_does(self, side: str, phrase: str) -> str:
        """Return a side's name with a phrase.

        The phrase begins with a singular verb; its word `its` refers to the side.
        """
        told = in_plural(phrase).replace(" its ", " their ") if self.is_plural(side) else phrase
        return f"{self.side_name(side)} {told}"

    def in_play(self, side: str = "") -> tuple[Unit, ...]:
        """Return the units in play, of one side or of all, by id."""
        return tuple(
            sorted(
                (unit for unit in self.units.values() if not unit.fate and side in ("", unit.side)),
                key=lambda unit: unit.id,
            )
        )

    def number(self, marker: str) -> int:
        """Return a numeric marker; 0 if it is not set."""
        value = self.markers.get(marker)
        return value if isinstance(value, int) else 0

    @property
    def where(self) -> str:
        """The place in the sequence in a referee's words, for instance `turn 2 · E.2 boarding · Syracuse`."""
        parts = (f"turn {self.turn}" if self.turn else "", self._steps, self._borrowed, self._who)
        return " · ".join(filter(None, parts)) or self.name

    @property
    def _steps(self) -> str:
        if self.ended:
            return "the game is over"
        return " / ".join(f"{one.step} {one.name}".strip() for one in self.cursor.open)

    @property
    def _borrowed(self) -> str:
        """The step for which others are borrowed, and their subject: `in 5-8F: 1105, round 2`; "" if none."""
        back = next((frame.back for frame in reversed(self.cursor.frames) if frame.kind == "borrow"), "")
        if not back or self.ended:
            return ""
        where = place_of(self)
        about = (*where.items, f"round {where.round}" if where.round else "")
        return f"in {back}: {', '.join(filter(None, about))}".removesuffix(": ")

    @property
    def _who(self) -> str:
        waiting = self.cursor.waiting()
        side = self.cursor.side()
        return self.side_name(side) if side and side in waiting else " and ".join(map(self.side_name, waiting))


def place_of(game: Game) -> Where:
    """Return the current place of play, as a step that opens now will record it."""
    inner = game.cursor.frames[2:]  # the outermost loop counts the turns, so its pass is not a round
    rounds = next((frame.nth for frame in reversed(inner) if frame.nth and not frame.item and not frame.side), 0)
    return Where(
        turn=game.turn,
        side=game.cursor.side(),
        items=tuple(one.item for one in game.cursor.frames if one.item and one.item != one.side),
        round=rounds,
    )


def choice_key(question: str, side: str) -> str:
    """Return the key of a side's answer in `Game.choices`."""
    return f"{question}/{side}"
