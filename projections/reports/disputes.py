"""List the disputes and rulings of a ledger, including those on abandoned branches."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from umpire_ledger.domain.game.events import DisputeOpened, DisputeSettled, PlayRewound, RulingMade
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.record.visible_record import VisibleRecord, decode
from umpire_ledger.projections.tables.audit_search import BLANKS


class DisputeLine(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute. `position`: the record that opened it; `settled`: the record that settled it, 0 while it is open."""

    game: str
    dispute: str
    position: int
    at: str
    seat: str
    claim: str
    rule: str
    records: tuple[int, ...]
    settled: int = 0
    ruling: str = ""
    reason: str = ""


class RulingLine(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling. `carried`: the changes that it made, in words; `counts`: False if rewound.

    `seat`: the referee, or the seat whose order made the title choose a reading of a rule. `also`: other games with the
    same ruling, because they are copies.
    """

    game: str
    position: int
    at: str
    seat: str
    rule: str
    ruling: str
    reason: str
    grounds: str
    remedy: str
    overrides: str
    dispute: str
    carried: tuple[str, ...]
    counts: bool
    also: tuple[str, ...] = ()


def disputes(game_id: str, records: Iterable[VisibleRecord]) -> list[DisputeLine]:
    """Return every dispute of a game, oldest first.

    Args:
        records: At least the records that opened or settled disputes, in order.
    """
    found: dict[str, DisputeLine] = {}
    for record in _public(records):
        match record.event:
            case DisputeOpened(dispute=dispute, claim=claim, positions=positions, rule=rule):
                found[dispute] = DisputeLine(
                    game=game_id,
                    dispute=dispute,
                    position=record.position,
                    at=record.at,
                    seat=record.seat,
                    claim=claim,
                    rule=rule,
                    records=positions,
                )
            case DisputeSettled(dispute=dispute, ruling=ruling, reason=reason) if dispute in found:
                settled = {"settled": record.position, "ruling": ruling, "reason": reason}
                found[dispute] = msgspec.structs.replace(found[dispute], **settled)
            case _:
                pass
    return list(found.values())


def rulings(
    ledger: Ledger[Game], game_id: str, records: Iterable[VisibleRecord], *, rule: str = "", words: str = ""
) -> Iterator[RulingLine]:
    """Yield the matching rulings of a game, oldest first.

    Args:
        records: At least the records with rulings, in order.
        rule: A rule number or step that the ruling is about or overrides.
        words: Words that must all occur in the text of the ruling.

    Raises:
        NoSuchGame: When the ledger has no such game.
    """
    for record in _public(records):
        event = record.event
        if isinstance(event, RulingMade) and _fits(event, rule, words):
            yield _ruling(ledger, game_id, record, event, record.position in ledger.branch(game_id))


def rulings_in(
    ledger: Ledger[Game],
    games: Iterable[str],
    known: Mapping[str, Iterable[int]] = {},
    *,
    rule: str = "",
    words: str = "",
) -> Iterator[RulingLine]:
    """Yield the matching rulings of several games.

    Args:
        known: Positions of rulings by game. The logs of other games are searched.

    Raises:
        NoSuchGame: When the ledger has no such game.
    """
    for game in games:
        if game in known:
            records = records_at(ledger, game, known[game])
        else:
            records = map(decode, ledger.lines_with(game, b'"type":"ruling.made"'))
        yield from rulings(ledger, game, records, rule=rule, words=words)


def each_once(found: Iterable[RulingLine]) -> list[RulingLine]:
    """Return rulings of several games; a ruling that was copied with its game is listed once, under the first game."""
    once: dict[RulingLine, RulingLine] = {}
    for ruling in found:
        same = msgspec.structs.replace(ruling, game="", counts=True)
        if same in once:
            first = once[same]
            once[same] = msgspec.structs.replace(first, also=(*first.also, ruling.game))
        else:
            once[same] = ruling
    return list(once.values())


def _fits(event: RulingMade, rule: str, words: str) -> bool:
    about = f"{event.rule} {event.overrides}".translate(BLANKS).split()
    if not all(number in about for number in rule.translate(BLANKS).split()):
        return False
    text = text_of(event).casefold()
    return all(word in text for word in words.casefold().split())


def _ruling(ledger: Ledger[Game], game_id: str, record: VisibleRecord, event: RulingMade, counts: bool) -> RulingLine:
    order = (decode(one.encode()) for one in ledger.order_at(game_id, record.position))
    carried = (one.event for one in order if one.visible_to is None and one.event is not None)
    return RulingLine(
        game=game_id,
        position=record.position,
        at=record.at,
        seat=record.seat,
        rule=event.rule,
        ruling=event.ruling,
        reason=event.reason,
        grounds=event.grounds,
        remedy=event.remedy,
        overrides=event.overrides,
        dispute=event.dispute,
        carried=tuple(text_of(one) for one in carried if one.overridden or isinstance(one, PlayRewound)),
        counts=counts,
    )


def records_at(ledger: Ledger[Game], game_id: str, positions: Iterable[int]) -> Iterator[VisibleRecord]:
    """Return the records at these positions; positions after the end of the game are ignored.

    Raises:
        NoSuchGame: When the ledger has no such game.
    """
    return (decode(line) for position in positions for line in ledger.lines(game_id, position, position))


def _public(records: Iterable[VisibleRecord]) -> Iterator[VisibleRecord]:
    return (record for record in records if record.visible_to is None)
