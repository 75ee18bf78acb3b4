"""Write a dispute as a case file for a second judge who did not see the game, from facts of the log alone.

Everything in a case file follows from the replay log next to it: a case file written from an import of that log has the
same bytes. So a case file contains no time of writing, and nothing from other games.
"""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from umpire_ledger.domain.game.events import AnyEvent, DisputeOpened, NoteAdded, Value
from umpire_ledger.domain.game.events.phrases import say
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.questions.differences import Difference, differences
from umpire_ledger.projections.questions.record_explanation import DependentOrder, depending, tip_with
from umpire_ledger.projections.questions.rolls import thrown
from umpire_ledger.projections.record.escaping import inert, inert_json, inert_markdown, inert_markdown_line
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.reports.contested_units import ContestedUnit, contested_units
from umpire_ledger.projections.reports.disputes import DisputeLine, RulingLine, rulings_in
from umpire_ledger.projections.reports.referee import acts, counted
from umpire_ledger.projections.tables.copies import full_name
from umpire_ledger.projections.tables.order_history import RecordedOrder, deeds, placed, seen_by
from umpire_ledger.projections.tables.order_sentences import SentenceBuilder
from umpire_ledger.projections.tables.turn_view import TurnView
from umpire_ledger.projections.tables.updater import Follower
from umpire_ledger.projections.tables.views_file import HIDDEN, UNSEEN

AROUND = 3
"""The number of orders in the excerpt before the first contested order, and after the last."""


class CaseRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record of the excerpt.

    `order`: the order's arguments; `sentence`: the order and its results. Only the order's first record has both.
    """

    position: int
    at: str
    seat: str
    turn: int
    step: str
    event: str
    text: str
    rule: str
    contested: bool
    order: dict[str, Any] = {}
    sentence: str = ""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A statement about the contested records: the dispute itself, notes, other disputes."""

    position: int
    seat: str
    text: str


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A case file. `before`, `after`: turn views before and after the contested orders.

    `units`: the contested units, before and after. `checkpoint`: its text of three lines.
    """

    game: str
    title: str
    name: str
    seat: str
    dispute: DisputeLine
    counts: bool
    excerpt: tuple[CaseRecord, ...]
    before_at: int
    after_at: int
    before: TurnView
    after: TurnView
    units: tuple[ContestedUnit, ...]
    differences: tuple[Difference, ...]
    dice: tuple[dict[str, Any], ...]
    claims: tuple[Claim, ...]
    rulings: tuple[RulingLine, ...]
    depends: tuple[DependentOrder, ...]
    referee: dict[str, dict[str, int]]
    checkpoint: str


class CasePicture(msgspec.Struct, frozen=True, kw_only=True):
    """A picture next to the page: its file, its caption, and all its content in words."""

    file: str
    caption: str
    words: tuple[str, ...] = ()


class CasePictures(msgspec.Struct, frozen=True, kw_only=True):
    """Pictures of the board before and after the contested orders, and of the dice."""

    before: CasePicture
    after: CasePicture
    dice: CasePicture


def case_of(follower: Follower, ledger: Ledger[Game], dispute: DisputeLine, seat: str) -> Case:
    """Return the case of a dispute, as a seat may know it.

    Raises:
        NoSuchGame: When the ledger has no such game.
        NoSuchRecord: When the game has no such position.
    """
    game, contested = dispute.game, dispute.records
    tip = tip_with(ledger, game, max(contested))
    along = list(deeds(seen_by(ledger, game, seat, ledger.branch_bytes(game, tip))))
    first, last = _span(along, contested)
    chosen = along[max(first - AROUND, 0) : last + 1 + AROUND]
    before_at, after_at = along[first].first - 1, along[last].last
    states = [follower.known_to(game, seat, at) for at in (before_at, after_at)]
    return Case(
        game=game,
        title=states[1].title,
        name=states[1].name,
        seat=seat,
        dispute=dispute,
        counts=all(position in ledger.branch(game) for position in contested),
        excerpt=tuple(told for deed in chosen for told in _case_records(deed, contested, follower.teller(game, seat))),
        before_at=before_at,
        after_at=after_at,
        before=follower.turn_view(game, seat, before_at),
        after=follower.turn_view(game, seat, after_at),
        units=tuple(contested_units(chosen, contested, *states)),
        differences=tuple(differences(*states)),
        dice=tuple(_dice(ledger, game, seat, chosen)),
        claims=tuple(_claims(seen_by(ledger, game, seat, ledger.lines(game)), contested)),
        rulings=tuple(_rulings(ledger, dispute)),
        depends=tuple(depending(ledger, game, seat, contested, follower.title_of(game))),
        referee=counted(acts(seen_by(ledger, game, seat, ledger.lines(game)))),
        checkpoint=ledger.checkpoint(game).text(),
    )


def _span(along: Sequence[RecordedOrder], contested: Sequence[int]) -> tuple[int, int]:
    """Return the indexes of the first and the last contested order of a branch."""
    found = [at for at, deed in enumerate(along) if any(one.position in contested for one in deed.records)]
    return found[0], found[-1]


def _case_records(deed: RecordedOrder, contested: Sequence[int], teller: SentenceBuilder) -> Iterator[CaseRecord]:
    sentence = teller.told(deed.records)
    at = {position: (turn, step) for position, _, turn, step in placed(deed)}
    for number, record in enumerate(deed.records):
        event = record.event
        turn, step = at.get(record.position, (deed.turn, deed.step))
        yield CaseRecord(
            position=record.position,
            at=record.at,
            seat=record.seat,
            turn=turn,
            step=step,
            event=HIDDEN if event is None else str(event.__struct_config__.tag),
            text=UNSEEN if event is None else text_of(event),
            rule="" if event is None else event.rule,
            contested=record.position in contested,
            order=deed.cause if number == 0 else {},
            sentence=sentence.text if number == 0 and sentence is not None else "",
        )


def _dice(ledger: Ledger[Game], game_id: str, seat: str, chosen: Sequence[RecordedOrder]) -> Iterator[dict[str, Any]]:
    positions = {record.position for deed in chosen for record in deed.records}
    return (roll.plain for roll in thrown(ledger, game_id, seat) if roll.position in positions)


def _claims(records: Iterable[Any], contested: Sequence[int]) -> Iterator[Claim]:
    for record in records:
        if record.event is not None and _is_about(record.event, contested):
            yield Claim(position=record.position, seat=record.seat, text=text_of(record.event))


def _is_about(event: AnyEvent, contested: Sequence[int]) -> bool:
    match event:
        case NoteAdded(about=about):
            return about in contested
        case DisputeOpened(positions=positions):
            return any(position in contested for position in positions)
        case _:
            return False


def _rulings(ledger: Ledger[Game], dispute: DisputeLine) -> Iterator[RulingLine]:
    """Yield the rulings that answer the dispute, and other rulings on the same rule in this game."""
    for one in rulings_in(ledger, [dispute.game]):
        if one.dispute == dispute.dispute or (dispute.rule and one.rule == dispute.rule):
            yield one


# --- as a page --------------------------------------------------------------------------------------------------------


def page(case: Case, pictures: CasePictures | None = None) -> str:
    """Return the case in Markdown; without pictures, in the first format of case folders."""
    return "\n".join(_page(case, pictures))


def _page(case: Case, pictures: CasePictures | None) -> Iterator[str]:
    yield from _head(case)
    yield from _sentences(case)
    if pictures is not None:
        yield "## Board before and after\n"
        yield from _shown(pictures.before)
        yield from _shown(pictures.after)
    for part in (_excerpt, _as_given, _units, _changes):
        yield from part(case)
    yield "## Dice\n"
    if pictures is not None:
        yield from _shown(pictures.dice)
    for part in (_thrown, _claims_and_rulings, _depends, _referee, _checking):
        yield from part(case)


def _shown(picture: CasePicture) -> Iterator[str]:
    """Yield a picture with its content in words."""
    caption = inert_markdown(picture.caption)
    yield f"![{caption}]({picture.file})\n"
    yield f"{caption}{':' if picture.words else '.'}\n"
    yield from (f"- {inert_markdown_line(words)}" for words in picture.words)
    if picture.words:
        yield ""


def _head(case: Case) -> Iterator[str]:
    one = case.dispute
    contested = ", ".join(f"#{position}" for position in one.records)
    yield f"# {_cell(f'{full_name(case.game, case.after.copied)}: dispute {one.dispute}')}\n"
    under = f" under {one.rule}" if one.rule else ""
    yield inert_markdown_line(f"{case.title}, {case.name}. {one.seat} contests {contested}{under}:") + "\n"
    yield f"> {inert_markdown_line(one.claim)}\n"
    yield f"Answer: {_cell(_answer(one))}.\n"
    if not case.counts:
        yield "The contested records no longer count: a rewind took them back.\n"


def _sentences(case: Case) -> Iterator[str]:
    """Yield a table with one line for each order; contested orders are in bold."""
    yield "## What happened\n"
    yield from _table(("from", "turn", "step", "by", "what"), tuple(_sentence_rows(case.excerpt))[::-1])


def _sentence_rows(excerpt: Sequence[CaseRecord]) -> Iterator[Sequence[object]]:
    contested = False
    for told in reversed(excerpt):
        contested = contested or told.contested
        if told.sentence or told.order:
            yield _numbered(told.position, contested), told.turn or "", told.step, told.seat, told.sentence or UNSEEN
            contested = False


def _numbered(position: int, contested: bool) -> object:
    return _Markup(f"**#{position}**") if contested else f"#{position}"


def _excerpt(case: Case) -> Iterator[str]:
    yield "## Records\n"
    yield from _table(("record", "turn", "step", "by", "what", "rule", "order"), map(_excerpt_row, case.excerpt))


def _excerpt_row(told: CaseRecord) -> Sequence[object]:
    number = _numbered(told.position, told.contested)
    order = _json(told.order) if told.order else ""
    return number, told.turn or "", told.step, told.seat, told.text, told.rule, order


def _as_given(case: Case) -> Iterator[str]:
    yield "## The orders as they were given\n"
    yield f"The orders of the excerpt that {_cell(case.seat)} may read, each as a line of `orders.jsonl`.\n"
    yield from _table(
        ("record", "by", "contested", "order"),
        (
            (f"#{one.position}", one.seat, "yes" if _is_contested(case, one) else "", _json(one.order))
            for one in case.excerpt
            if one.order
        ),
    )


def order_lines(case: Case) -> str:
    """Return the orders of the excerpt as an order file, each after a comment with its position."""
    lines: list[str] = []
    for one in case.excerpt:
        if one.order:
            contested = ", contested" if _is_contested(case, one) else ""
            lines += [inert(f"# #{one.position} {one.seat}{contested}"), _json(one.order)]
    return "".join(f"{line}\n" for line in lines)


def _is_contested(case: Case, first: CaseRecord) -> bool:
    """Return whether any record of an order is contested. `first`: its first record."""
    behind = [one.position for one in case.excerpt if one.order and one.position > first.position]
    end = min(behind, default=case.excerpt[-1].position + 1)
    return any(first.position <= one < end for one in case.dispute.records)


def _units(case: Case) -> Iterator[str]:
    yield f"## Contested units at #{case.before_at} and #{case.after_at}\n"
    yield from _table(
        ("unit", "what", f"#{case.before_at}", f"#{case.after_at}"),
        (
            (unit.id, name, _there(unit.before, name), _there(unit.after, name))
            for unit in case.units
            for name, _, _ in unit.facts
        ),
    )


def _there(facts: dict[str, Value], name: str) -> str:
    return say(facts[name]) if name in facts else "–"


def _changes(case: Case) -> Iterator[str]:
    yield f"## Changes between #{case.before_at} and #{case.after_at}\n"
    before, after = (_cell(view.where or view.name) for view in (case.before, case.after))
    yield f"Before: {before}. After: {after}.\n"
    yield from _table(
        ("", "which", "what", f"#{case.before_at}", f"#{case.after_at}"),
        ((d.kind, d.id, d.what, say(d.before), say(d.after)) for d in case.differences),
    )


def _thrown(case: Case) -> Iterator[str]:
    yield from _table(
        ("record", "roll", "by", "what", "dice from"),
        ((f"#{r['position']}", r["roll"], r["seat"], r["text"], r.get("source", "ledger")) for r in case.dice),
    )


def _claims_and_rulings(case: Case) -> Iterator[str]:
    yield "## Claims\n"
    yield from _table(("record", "by", "what"), ((f"#{c.position}", c.seat, c.text) for c in case.claims))
    yield "## Rulings\n"
    yield from _table(
        ("record", "rule", "ruling", "grounds", "reason", "carried out"),
        ((f"#{r.position}", r.rule, r.ruling, r.grounds, r.reason, "; ".join(r.carried)) for r in case.rulings),
    )


def _depends(case: Case) -> Iterator[str]:
    yield "## Dependents of the contested records\n"
    yield from _table(
        ("records", "degree", "by", "what", "because"),
        (
            (f"#{d.positions[0]}-#{d.positions[-1]}", d.degree, d.seat, "; ".join(d.text), "; ".join(d.why))
            for d in case.depends
        ),
    )


def _referee(case: Case) -> Iterator[str]:
    yield "## Referee actions outside the rules\n"
    kinds = tuple(case.referee["all"])
    yield from _table(("side", *kinds), ((side, *n.values()) for side, n in case.referee.items()))


def _checking(case: Case) -> Iterator[str]:
    yield "## How to check this case file\n"
    yield "\n".join(("```", *map(inert, case.checkpoint.splitlines()), "```\n"))
    yield f"`replay.jsonl` is the whole game as {_cell(case.seat)} may see it. These commands need no network:\n"
    yield "```sh"
    yield "umpire verify ."
    yield "umpire verify replay.jsonl --checkpoint checkpoint.txt"
    yield "umpire import replay.jsonl --ledger case.db"
    words = ("umpire", "case", case.game, case.dispute.dispute, "--as", case.seat, "--ledger", "case.db", "-o", "again")
    yield inert(shlex.join(words))
    yield "```\n"
    yield "The first command checks the whole folder: its files, the log, and whether every page matches the log."
    yield "The second checks the log alone. The last two import the log and write the same files again.\n"


def _answer(one: DisputeLine) -> str:
    return f"{one.ruling}, #{one.settled}" if one.settled else "none yet; play continues under protest"


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    lines = [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows]
    if not lines:
        yield "None.\n"
        return
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    yield from lines
    yield ""


class _Markup(str):
    """Markup of the page itself. Any other text in a cell comes from the log and is escaped."""


def _cell(value: object) -> str:
    return value if isinstance(value, _Markup) else inert_markdown(str(value))


def _json(value: object) -> str:
    return inert_json(msgspec.json.encode(value).decode())
