"""Write the notifications of a seat: required actions, rewinds, disputes, rulings, private notes, messages, the end.

A notification uses only public records, the game as a spectator knows it, and the existence of a private note or a
message. So it contains no secret, no matter who reads its channel. It leaves out news that no longer matters, such as a
turn that has passed, a dispute that is settled, or a ruling that was rewound.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.state import REFEREE, Game, replace
from umpire_ledger.ledger.branches import Branch
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.escaping import inert
from umpire_ledger.projections.record.sentence_context import who
from umpire_ledger.projections.record.visible_record import VisibleRecord, decode
from umpire_ledger.projections.reports.required import ACTION, ANSWER, DICE, STEP, Required

Kind = Literal[
    "your-turn",
    "you-owe",
    "rewind-asked",
    "rewind-answered",
    "rewind-done",
    "dispute-opened",
    "ruling-made",
    "private-note",
    "message-arrived",
    "ended",
]
Stretches = tuple[tuple[int, int], ...]
"""Ranges of records that a seat has no notification about yet: the position before the first, and the last."""

REQUIRES: frozenset[Kind] = frozenset({"your-turn", "you-owe", "rewind-asked"})
MOST_POINTS = 8
LONGEST = 160
"""The most characters of a player's own words in a notification, because hooks refuse long text."""

TAGS = tuple(
    f'"type":"{one.__struct_config__.tag}"'.encode()
    for one in (
        e.RewindAnswered,
        e.PlayRewound,
        e.DisputeOpened,
        e.DisputeSettled,
        e.RulingMade,
        e.NoteAdded,
        e.MessageArrived,
    )
)


class NoticeItem(msgspec.Struct, frozen=True, kw_only=True):
    """One item of a notification."""

    kind: Kind
    """The kind of news, for example `your-turn`."""
    position: int
    """Number of the record that the item is about."""
    text: str
    """The item in one or two sentences."""


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A notification for a seat of a game, ready to paste."""

    game: str
    """Id of the game."""
    name: str
    """Display name of the game."""
    seat: str
    """Id of the seat."""
    upto: int
    """Number of the last record that the notification takes into account."""
    subject: str
    """Subject, one line."""
    points: tuple[NoticeItem, ...]
    """All items, the most urgent first; `text` contains only the first `MOST_POINTS`."""
    text: str
    """The whole notification, several lines."""
    reminds: str = ""
    """For a reminder, the time of the notification that it repeats, UTC, RFC 3339; otherwise ""."""

    @property
    def requires(self) -> bool:
        """Whether the seat is required to act."""
        return any(point.kind in REQUIRES for point in self.points)


class NewsItem(msgspec.Struct, frozen=True, kw_only=True):
    """News for several seats. `by`: the seat that caused it.

    `settled`: sides that do not get the news. `to`: if not empty, the only sides and seats that get it. `undoes`:
    whether it is an undo or redo, which is news only to a seat that was notified of a record that no longer counts.
    """

    point: NoticeItem
    by: str
    settled: tuple[str, ...]
    to: tuple[str, ...] = ()
    undoes: bool = False


# --- what there is to tell --------------------------------------------------------------------------------------------


def news_between(
    ledger: Ledger[Game], game_id: str, after: int, upto: int, open_disputes: tuple[str, ...]
) -> list[NewsItem]:
    """Return the public news that still matters at a position.

    Args:
        after: Leave out news up to this position.
        upto: The last position, at which the news is judged.
        open_disputes: Ids of the disputes that are still open.

    Raises:
        BrokenLedger: When the stored records are damaged.
    """
    state, branch = ledger.state(game_id, upto), ledger.branch(game_id, upto)
    lines = (line for line in ledger.lines(game_id, after + 1, upto) if any(tag in line for tag in TAGS))
    found: list[NewsItem] = []
    ruled: set[str] = set()  # Disputes with a ruling: ruling and settlement are one item.
    for record in map(decode, lines):
        counts = record.position in branch
        if isinstance(record.event, e.NoteAdded):
            if record.event.to:
                found.append(_written(game_id, record, record.event.to, state))
        elif isinstance(record.event, e.MessageArrived):
            if counts:
                found.append(_arrived(game_id, record.position, record.event, state))
        elif record.visible_to is not None or record.event is None:
            continue
        elif isinstance(record.event, e.PlayRewound | e.RewindAnswered):
            found.extend(_about_rewinds(record, record.event, state, counts=counts))
        elif not (isinstance(record.event, e.DisputeSettled) and record.event.dispute in ruled):
            point = _point(game_id, record, record.event, state, open_disputes, counts=counts)
            if point is not None:
                if isinstance(record.event, e.RulingMade):
                    ruled.add(record.event.dispute)
                found.append(NewsItem(point=point, by=record.seat, settled=(state.side_of(record.seat),)))
    return found


def _about_rewinds(
    record: VisibleRecord, event: e.PlayRewound | e.RewindAnswered, game: Game, *, counts: bool
) -> Iterator[NewsItem]:
    """Yield the news of a rewind, for all seats except its author, or of a side's answer to a requested rewind."""
    at, by = record.position, record.seat
    if isinstance(event, e.PlayRewound):
        if counts:
            point = NoticeItem(kind="rewind-done", position=at, text=_rewound(game, by, event))
            yield NewsItem(point=point, by=by, settled=(), undoes=event.kind in ("undo", "redo"))
        return
    if not event.consents:
        text = game.side_does(event.side, f"refuses the requested rewind{_reason(event.why)}")
        point = NoticeItem(kind="rewind-answered", position=at, text=text)
        yield NewsItem(point=point, by=by, settled=(event.side,))
    elif game.asked is not None and event.side in game.asked.consents:
        text = game.side_does(event.side, f"agrees to the rewind to #{game.asked.to}.")
        point = NoticeItem(kind="rewind-answered", position=at, text=text)
        yield NewsItem(point=point, by=by, settled=(), to=(game.asked.seat,))


def _rewound(game: Game, by: str, event: e.PlayRewound) -> str:
    actor = _who(game, by)
    match event.kind:
        case "undo":
            return f"{actor} took back the orders after #{event.to}{_reason(event.why)}"
        case "redo":
            return f"{actor} restored the orders up to #{event.to}{_reason(event.why)}"
        case "amend":
            return f"{actor} amended an order: the orders after #{event.to} were re-played{_reason(event.why)}"
        case _ if event.consent:
            sides = " and ".join(map(game.side_name, event.consent))
            return f"Play was rewound to #{event.to} with the consent of {sides}{_reason(event.why)}"
        case _:
            return f"{actor} rewound play to #{event.to}{_reason(event.why)}"


def _reason(why: str) -> str:
    return f". Reason: “{_short(why)}”." if why else "."


def _written(called: str, record: VisibleRecord, to: tuple[str, ...], game: Game) -> NewsItem:
    """Return the news that a private note was written, without its text."""
    wrote = f"{_who(game, record.seat)} wrote a private note to {_readers(game, to)}."
    text = f"{wrote} Read it with `umpire audit {called}`."
    point = NoticeItem(kind="private-note", position=record.position, text=text)
    return NewsItem(point=point, by=record.seat, settled=(), to=to)


def _readers(game: Game, to: tuple[str, ...]) -> str:
    return ", ".join(who(game, one) for one in to)


def _arrived(called: str, position: int, event: e.MessageArrived, game: Game) -> NewsItem:
    """Return the news that a message has arrived, without its text."""
    came = f"A message from {who(game, event.seat)} has arrived for {_readers(game, event.to)}."
    text = f"{came} Read it with `umpire audit {called}`."
    return NewsItem(
        point=NoticeItem(kind="message-arrived", position=position, text=text), by=event.seat, settled=(), to=event.to
    )


def _point(
    called: str, record: VisibleRecord, event: AnyEvent, game: Game, open_disputes: tuple[str, ...], *, counts: bool
) -> NoticeItem | None:
    at = record.position
    match event:
        case e.DisputeOpened(dispute=dispute, claim=claim, rule=rule) if dispute in open_disputes:
            opened = f"{_who(game, record.seat)} opened dispute {dispute}{_rule(rule)}"
            text = f"{opened}: “{_short(claim)}”. Play continues."
            return NoticeItem(kind="dispute-opened", position=at, text=text)
        case e.RulingMade(ruling=ruling, reason=reason, rule=rule) if counts:
            text = f"New ruling{_rule(rule)}: {_short(ruling)}{_reason(reason)}"
            return NoticeItem(kind="ruling-made", position=at, text=text)
        case e.DisputeSettled(dispute=dispute, ruling=ruling, reason=reason):
            text = f"Dispute {dispute} is settled: {_short(ruling)}{_reason(reason)}"
            return NoticeItem(kind="ruling-made", position=at, text=text)
        case _:
            return None


def concerns(happened: NewsItem, seat: str, side: str) -> bool:
    """Return whether a seat gets this news.

    A seat gets no news of its own acts. The referee gets no news of rulings, undos and redos. Only the readers of a
    private note or a message get news of it.
    """
    if happened.to:
        return happened.by != seat and (seat in happened.to or bool(side and side in happened.to))
    if happened.point.kind == "ruling-made":
        return seat != REFEREE
    if happened.undoes and seat == REFEREE:
        return False
    return happened.by != seat and not (side and side in happened.settled)


def is_new(position: int, stretches: Stretches) -> bool:
    """Return whether a record is in a stretch that the seat was not notified of."""
    return any(after < position <= upto for after, upto in stretches)


def is_undone(position: int, stretches: Stretches, branch: Branch) -> bool:
    """Return whether the seat's last notification before this record covers a record that no longer counts."""
    return any(after and after not in branch for after, upto in stretches if after < position <= upto)


def required_points(called: str, game: Game, required: Mapping[Required, int]) -> Iterator[NoticeItem]:
    """Yield the items for one seat's required actions. `required`: the position at which each action arose."""
    several = dict[Required, list[Required]]()
    for one in sorted(required, key=_in_order):
        several.setdefault(replace(one, about="") if one.kind == ACTION else one, []).append(one)
    for one, parts in several.items():
        about = ", ".join(part.about for part in parts if part.about)
        kind, text = _requirement(called, game, one, about)
        yield NoticeItem(kind=kind, position=max(required[part] for part in parts), text=text)


def _in_order(one: Required) -> tuple[bool, str, bool, str, str]:
    """Return a key that sorts required actions: each step, followed by its actions, then all others."""
    return one.kind not in (STEP, ACTION), one.step, one.kind == ACTION, one.words, one.about


def _requirement(called: str, game: Game, required: Required, about: str) -> tuple[Kind, str]:
    if required.kind == STEP:
        name = f" ({required.name})" if required.name else ""
        turn = f"turn {game.turn}, " if game.turn else ""
        return "your-turn", f"Your turn in {called}: {turn}step {required.step}{name}."
    if required.kind == ACTION:
        words = f"{required.words}: {about}" if about else required.words
        return "you-owe", f"Required: {_short(words)}{_rule(required.rule)}."
    if required.kind == DICE:
        return "you-owe", f"Required: a dice share. Give it with `umpire dice-share {called}`."
    if required.kind == ANSWER:
        answer = f"Agree with `umpire consent {called}`, or decline with `umpire decline {called}`."
        asked = f"{_who(game, required.words)} asked for a rewind to #{required.opened}{_reason(required.about)}"
        return "rewind-asked", f"{asked} {answer}"
    return "ended", f"The game is over: {_short(required.words)}."


# --- in words ---------------------------------------------------------------------------------------------------------

SUBJECTS: Mapping[Kind, str] = {
    "your-turn": "your turn",
    "rewind-asked": "a rewind is requested",
    "rewind-answered": "a requested rewind was answered",
    "rewind-done": "play was rewound",
    "dispute-opened": "a dispute was opened",
    "ruling-made": "a ruling was made",
    "private-note": "you have a private note",
    "message-arrived": "a message has arrived",
    "ended": "the game is over",
    "you-owe": "an action is required",
}


def notice(
    game_id: str, name: str, seat: str, where: str, upto: int, points: Sequence[NoticeItem], reminds: str = ""
) -> Notice:
    """Write a notification with the first `MOST_POINTS` items and the number of further items.

    `reminds`: for a reminder, the time of the notification that it repeats.
    """
    kinds = {point.kind for point in points}
    first = next((SUBJECTS[kind] for kind in SUBJECTS if kind in kinds), "")
    called = game_id if name == game_id else f"{name} ({game_id})"
    lines = [
        f"{'Reminder to' if reminds else 'To'} {seat} in {called}: {where}",
        *(f"- {point.text} (#{point.position})" for point in points[:MOST_POINTS]),
    ]
    if len(points) > MOST_POINTS:
        lines.append(f"- and {len(points) - MOST_POINTS} more: `umpire since {game_id} {seat}`")
    return Notice(
        game=game_id,
        name=name,
        seat=seat,
        upto=upto,
        subject=inert(f"{called}: {'reminder: ' if reminds else ''}{first}"),
        points=tuple(points),
        text="\n".join(map(inert, lines)),
        reminds=reminds,
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
