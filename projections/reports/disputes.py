"""The disputes and rulings of a ledger. They stand outside the tree of lines: abandoned lines are searched too."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from umpire_ledger.domain.game.events import DisputeOpened, DisputeSettled, PlayRewound, RulingMade
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.record.visible_record import Seen, decode
from umpire_ledger.projections.tables.search import BLANKS


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
    """A ruling. `carried`: what was carried out with it, in words; `counts`: not rewound.

    `seat`: the referee, or who gave the order in which the title itself had to read a rule one way. `also`: copies of
    the game that hold it too.
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


def disputes(game: str, records: Iterable[Seen]) -> list[DisputeLine]:
    """Every dispute of a game, the oldest first. `records`: at least those that opened and settled one, in order."""
    found: dict[str, DisputeLine] = {}
    for record in _public(records):
        match record.event:
            case DisputeOpened(dispute=dispute, claim=claim, positions=positions, rule=rule):
                found[dispute] = DisputeLine(
                    game=game,
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
    ledger: Ledger[Game], game: str, records: Iterable[Seen], *, rule: str = "", words: str = ""
) -> Iterator[RulingLine]:
    """The rulings of a game that fit, the oldest first. `records`: at least those that made one, in order.

    `rule`: one of the rule numbers or steps that a ruling is about or goes against. `words`: must all occur in it.
    Raises NoSuchGame.
    """
    for record in _public(records):
        event = record.event
        if isinstance(event, RulingMade) and _fits(event, rule, words):
            yield _ruling(ledger, game, record, event, record.position in ledger.branch(game))


def rulings_in(
    ledger: Ledger[Game],
    games: Iterable[str],
    known: Mapping[str, Iterable[int]] = {},
    *,
    rule: str = "",
    words: str = "",
) -> Iterator[RulingLine]:
    """The same in several games. `known`: where somebody ruled; games that are not there are looked through.

    Raises NoSuchGame.
    """
    for game in games:
        if game in known:
            records = records_at(ledger, game, known[game])
        else:
            records = map(decode, ledger.lines_with(game, b'"type":"ruling.made"'))
        yield from rulings(ledger, game, records, rule=rule, words=words)


def each_once(found: Iterable[RulingLine]) -> list[RulingLine]:
    """Rulings of several games: one that was copied with its game stands once, under the game it comes from."""
    once: dict[RulingLine, RulingLine] = {}
    for one in found:
        same = msgspec.structs.replace(one, game="", counts=True)
        if same in once:
            first = once[same]
            once[same] = msgspec.structs.replace(first, also=(*first.also, one.game))
        else:
            once[same] = one
    return list(once.values())


def _fits(event: RulingMade, rule: str, words: str) -> bool:
    about = f"{event.rule} {event.overrides}".translate(BLANKS).split()
    if not all(number in about for number in rule.translate(BLANKS).split()):
        return False
    text = text_of(event).casefold()
    return all(word in text for word in words.casefold().split())


def _ruling(ledger: Ledger[Game], game: str, record: Seen, event: RulingMade, counts: bool) -> RulingLine:
    order = (decode(one.encode()) for one in ledger.order_at(game, record.position))
    carried = (one.event for one in order if one.visible_to is None and one.event is not None)
    return RulingLine(
        game=game,
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


def records_at(ledger: Ledger[Game], game: str, positions: Iterable[int]) -> Iterator[Seen]:
    """The records at these positions, as far as the game has them. Raises NoSuchGame."""
    return (decode(line) for position in positions for line in ledger.lines(game, position, position))


def _public(records: Iterable[Seen]) -> Iterator[Seen]:
    return (record for record in records if record.visible_to is None)
