"""What a seat should be told: your turn, you owe, a rewind is asked for, a dispute, a ruling, a private note, a message
that has arrived, the end.

Everything is taken from what everybody may see: public records, the turn view of a spectator, and of a private note
or a message that there is one, not a word of it. So a notice holds no secret, whoever reads the channel that it goes
to. What is stale is not told: a turn that has passed on, a dispute that is settled, a ruling that was rewound.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.projections.record.inert import inert
from umpire_ledger.projections.record.stored_line import Seen, decode
from umpire_ledger.projections.record.telling import who
from umpire_ledger.projections.tables.turn_view import TurnView
from umpire_ledger.projections.tables.waiting import Wait

Kind = Literal[
    "your-turn",
    "you-owe",
    "rewind-asked",
    "dispute-opened",
    "ruling-made",
    "private-note",
    "message-arrived",
    "ended",
]
Stretches = tuple[tuple[int, int], ...]
"""Records that a seat was not told of yet, as (behind this position, up to this one)."""

MOST_POINTS = 8
LONGEST = 160
"""Characters of a player's own words in a notice: hooks refuse what is long."""

TAGS = tuple(
    f'"type":"{one.__struct_config__.tag}"'.encode()
    for one in (
        e.RewindAsked,
        e.DisputeOpened,
        e.DisputeSettled,
        e.RulingMade,
        e.GameEnded,
        e.NoteAdded,
        e.MessageArrived,
    )
)


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a seat is told. `position`: the record that it is about."""

    kind: Kind
    position: int
    text: str


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat of a game should be told, ready to paste: `subject` is a line, `text` the whole of it.

    `upto`: the last record that was looked at.
    """

    game: str
    name: str
    seat: str
    upto: int
    subject: str
    points: tuple[Point, ...]
    text: str


class Happened(msgspec.Struct, frozen=True, kw_only=True):
    """Something that several seats should hear of. `by`: the seat it comes from.

    `settled`: the sides that have nothing more to say to it: that of `by`, and those that have answered. `to`: the
    sides and seats that alone are told.
    """

    point: Point
    by: str
    settled: tuple[str, ...]
    to: tuple[str, ...] = ()


# --- what there is to tell --------------------------------------------------------------------------------------------


def happenings(
    ledger: Ledger[Game], game: str, after: int, upto: int, open_disputes: tuple[str, ...]
) -> list[Happened]:
    """What happened behind a position up to another, is public, and still matters there. Raises BrokenLedger."""
    state, branch = ledger.state(game, upto), ledger.branch(game, upto)
    lines = (line for line in ledger.lines(game, after + 1, upto) if any(tag in line for tag in TAGS))
    found: list[Happened] = []
    ruled: set[str] = set()  # disputes that a ruling settled: that it did is not told beside it
    for record in map(decode, lines):
        if isinstance(record.event, e.NoteAdded):
            if record.event.to:
                found.append(_written(game, record, record.event.to, state))
        elif isinstance(record.event, e.MessageArrived):
            if record.position in branch:
                found.append(_arrived(game, record.position, record.event, state))
        elif record.visible_to is None and record.event is not None:
            if isinstance(record.event, e.DisputeSettled) and record.event.dispute in ruled:
                continue
            point = _point(game, record, record.event, state, open_disputes, counts=record.position in branch)
            if point is not None:
                if isinstance(record.event, e.RulingMade):
                    ruled.add(record.event.dispute)
                answered = state.asked.consents if point.kind == "rewind-asked" and state.asked else ()
                settled = (state.side_of(record.seat), *answered)
                found.append(Happened(point=point, by=record.seat, settled=settled))
    return found


def _written(called: str, record: Seen, to: tuple[str, ...], game: Game) -> Happened:
    """That somebody wrote to some; what, they read in the game."""
    wrote = f"{_who(game, record.seat)} wrote privately to {', '.join(to)}"
    text = f"{wrote}: `umpire audit {called}` shows it to its readers."
    point = Point(kind="private-note", position=record.position, text=text)
    return Happened(point=point, by=record.seat, settled=(), to=to)


def _arrived(called: str, position: int, event: e.MessageArrived, game: Game) -> Happened:
    """That a message has come to some; not what it says."""
    came = f"A message of {who(game, event.seat)} has arrived for {', '.join(event.to)}"
    text = f"{came}: `umpire audit {called}` shows it to its readers."
    return Happened(
        point=Point(kind="message-arrived", position=position, text=text), by=event.seat, settled=(), to=event.to
    )


def _point(
    called: str, record: Seen, event: AnyEvent, game: Game, open_disputes: tuple[str, ...], *, counts: bool
) -> Point | None:
    at = record.position
    match event:
        case e.RewindAsked(seat=seat, to=to, why=why) if game.asked is not None and counts:
            if (game.asked.seat, game.asked.to, game.asked.why) != (seat, to, why):
                return None
            answer = f"Agree with `umpire consent {called}`, or refuse with `umpire refuse {called}`."
            text = f"{_who(game, seat)} asks to return to #{to}: {_short(why)}. {answer}"
            return Point(kind="rewind-asked", position=at, text=text)
        case e.DisputeOpened(dispute=dispute, claim=claim, rule=rule) if dispute in open_disputes:
            text = f"{_who(game, record.seat)} opened dispute {dispute}: {_short(claim)}{_rule(rule)}."
            return Point(kind="dispute-opened", position=at, text=text)
        case e.RulingMade(ruling=ruling, reason=reason, rule=rule) if counts:
            text = f"A ruling was made: {_short(ruling)}{_rule(rule)}. Why: {_short(reason)}."
            return Point(kind="ruling-made", position=at, text=text)
        case e.DisputeSettled(dispute=dispute, ruling=ruling, reason=reason):
            text = f"Dispute {dispute} is settled: {_short(ruling)}. Why: {_short(reason)}."
            return Point(kind="ruling-made", position=at, text=text)
        case e.GameEnded(why=reason) if counts and game.ended:
            return Point(kind="ended", position=at, text=f"The game is over: {_short(reason)}.")
        case _:
            return None


def concerns(one: Happened, seat: str, side: str) -> bool:
    """Whether a seat is told of it: of what somebody asks for not the side that asks; the referee of no ruling.

    Of a private note, and of a message, those that it is meant for.
    """
    if one.to:
        return one.by != seat and (seat in one.to or bool(side and side in one.to))
    if one.point.kind in ("rewind-asked", "dispute-opened"):
        return one.by != seat and not (side and side in one.settled)
    return seat != REFEREE or one.point.kind == "ended"


def turn_points(waits: tuple[Wait, ...], side: str, view: TurnView) -> Iterator[Point]:
    """Your turn, and what is owed with it, as everybody may know. `view`: a spectator's."""
    for wait in waits:
        if wait.side == side:
            since = f"{wait.since[:16].replace('T', ' ')} UTC"
            yield Point(kind="your-turn", position=wait.position, text=f"It is your turn, since {since}.")
            for owed in view.owed:
                if owed.side == side:
                    text = f"You owe in {owed.step}: {_short(owed.words)}{_rule(owed.rule)}."
                    yield Point(kind="you-owe", position=wait.position, text=text)


def is_new(point: Point, stretches: Stretches) -> bool:
    """Whether a point lies in what a seat was not told of yet."""
    return any(after < point.position <= upto for after, upto in stretches)


# --- in words ---------------------------------------------------------------------------------------------------------

SUBJECTS: Mapping[Kind, str] = {
    "your-turn": "your turn",
    "rewind-asked": "a rewind is asked for",
    "dispute-opened": "a dispute was opened",
    "ruling-made": "a ruling was made",
    "private-note": "somebody wrote to you",
    "message-arrived": "a message has arrived",
    "ended": "the game is over",
    "you-owe": "you owe something",
}


def notice(game: str, name: str, seat: str, where: str, upto: int, points: list[Point]) -> Notice:
    """The points as one text. Of many the first are told and the rest counted."""
    kinds = dict.fromkeys(point.kind for point in points)
    first = next((SUBJECTS[kind] for kind in SUBJECTS if kind in kinds), "")
    called = game if name == game else f"{name} ({game})"
    lines = [
        f"To {seat} in {called}: {where}",
        *(f"- {point.text} (#{point.position})" for point in points[:MOST_POINTS]),
    ]
    if len(points) > MOST_POINTS:
        lines.append(f"- and {len(points) - MOST_POINTS} more: `umpire since {game} {seat}`")
    return Notice(
        game=game,
        name=name,
        seat=seat,
        upto=upto,
        subject=inert(f"{called}: {first}"),
        points=tuple(points),
        text="\n".join(map(inert, lines)),
    )


def _who(game: Game, seat: str) -> str:
    said = who(game, seat)
    return said[:1].upper() + said[1:]


def _rule(rule: str) -> str:
    if not rule:
        return ""
    return f" ({_short(rule)})" if "[" in rule else f" [{_short(rule)}]"


def _short(text: str) -> str:
    plain = " ".join(text.split()).rstrip(".")
    return plain if len(plain) <= LONGEST else f"{plain[:LONGEST]} …"
