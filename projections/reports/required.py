"""Find the actions that a game requires of each recipient, and the position at which each of them arose.

The public view of a state shows whether an action is required. The action arose with the order since which it has been
required without interruption. Orders on abandoned branches count too. If a step closes and opens again, or play is
rewound, the action arises again. So the log, and the position up to which a seat was notified, determine which actions
are new to the seat.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from umpire_ledger.domain.flow.available_orders import narrowed
from umpire_ledger.domain.flow.open_steps import open_steps, rule_of, waits_in
from umpire_ledger.domain.flow.queries import RequiredAction
from umpire_ledger.domain.flow.visible_openings import KnownOpenings
from umpire_ledger.domain.game.dice_shares import awaited
from umpire_ledger.domain.game.errors import DeclarationError, TitleFault
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game, replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.projections.tables.seat_visibility import seats_at
from umpire_ledger.projections.tables.turn_view import asked_for

STEP, ACTION, DICE, ANSWER, END = "step", "action", "dice", "answer", "end"
CHUNK = 16
"""The number of states to compare at once, oldest first, because states can be rebuilt only forwards."""


class Required(msgspec.Struct, frozen=True, kw_only=True):
    """One action required of a recipient. Equal values are the same action.

    `opened`: a number that distinguishes two openings of one step. `about`: one unit, place or amount.
    """

    seat: str
    kind: str
    step: str = ""
    name: str = ""
    opened: int = 0
    words: str = ""
    about: str = ""
    rule: str = ""


Present = frozenset[Required]


def recipients(seats: Mapping[str, str]) -> list[str]:
    """Return the seats that get notifications: taken seats, each side without a taken seat, and the referee."""
    sides = [seat for seat, side in seats.items() if seat == side]
    taken = {seat: side for seat, side in seats.items() if side and seat != side}
    return [*(side for side in sides if side not in taken.values()), *taken, REFEREE]


def required_in(title: Title | None, game: Game) -> Present:
    """Return the actions that a game requires of each recipient. `game`: the game as a spectator knows it."""
    seats = seats_at(game)
    every = recipients(seats)
    if game.ended:
        return frozenset(Required(seat=seat, kind=END, words=game.ended) for seat in every)
    of_side: dict[str, list[Required]] = {}
    for one in _of_sides(title, game):
        of_side.setdefault(one.seat, []).append(one)
    sides = {seat: seats.get(seat, "") for seat in every}
    found = {replace(one, seat=seat) for seat, side in sides.items() for one in of_side.get(side, ())}
    return frozenset(found | set(_answers(title, game, sides)))


def _of_sides(title: Title | None, game: Game) -> Iterator[Required]:
    """Yield the actions required of each side, with the side's own id as the seat."""
    try:
        yield from [*_steps(title, game), *_actions(title, game)]
    except (DeclarationError, TitleFault):  # The log still shows the open steps.
        yield from _steps(None, game)
    for side in awaited(game):
        yield Required(seat=side, kind=DICE, words=game.awaits_dice, opened=len(game.pledges))


def _steps(title: Title | None, game: Game) -> Iterator[Required]:
    """Yield each open step or loop once for every side that it waits for."""
    now = game if title is None else narrowed(title, game)
    for one in now.cursor.open:
        for side in one.waits:
            yield Required(seat=side, kind=STEP, step=one.step, name=one.name, opened=one.acts)


def _actions(title: Title | None, game: Game) -> Iterator[Required]:
    """Yield the actions that a side must take before it can end its step, limited to public facts."""
    if title is None or title.sequence is None:
        return
    known = KnownOpenings(title, game, SPECTATOR)
    for step in open_steps(title, game):
        opened, rule = game.cursor.opened(step.id), rule_of(title, game, step.id)
        for side in waits_in(game, step):
            one = Required(seat=side, kind=ACTION, step=step.id, opened=opened.acts if opened else 0, rule=rule)
            for duty in known.owed_by(step, side):
                for about in _parts(duty):
                    yield replace(one, words=duty.words, about=about)


def _parts(duty: RequiredAction) -> tuple[str, ...]:
    return tuple(map(str, duty.about)) or ("",)


def _answers(title: Title | None, game: Game, sides: Mapping[str, str]) -> Iterator[Required]:
    """Yield the answers that a requested rewind waits for; the referee can answer for a side."""
    asked = asked_for(title, game)
    if asked is not None:
        for seat, side in sides.items():
            if (seat == REFEREE and asked.seat != REFEREE) or side in asked.waits:
                yield Required(seat=seat, kind=ANSWER, opened=asked.to, words=asked.seat, about=asked.why)


# --- the position at which an action arose ----------------------------------------------------------------------------


def arisen(
    ends: list[int], required_at: Callable[[list[int]], Iterable[Present]], *, most: int | None = None
) -> dict[Required, int]:
    """Return the actions that are required after the last order, each with the position at which it arose.

    An action that was already required at the earliest examined position is returned with that position.

    Args:
        ends: The position of the last record of each order, in ascending order.
        required_at: Returns the required actions at each of the given positions, which are in ascending order.
        most: The number of orders to look back; None: all of them.
    """
    (now,) = required_at(ends[-1:])
    found, open_still, since = dict[Required, int](), set(now), ends[-1]
    back = ends[:-1] if most is None else ends[:-1][-most:]
    while back and open_still:
        back, chunk = back[:-CHUNK], back[-CHUNK:]
        for at, present in reversed(list(zip(chunk, required_at(chunk), strict=True))):
            found |= dict.fromkeys(open_still - present, since)
            open_still &= present
            since = at
    return found | dict.fromkeys(open_still, since)
