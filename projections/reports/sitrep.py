"""Write the situation report of a player turn: the phasing side's builds, moves and battles, and the losses.

The report uses only records that the seat may see, so it reveals no secret. The title declares which steps have battles
(`InWords.battles`), and may have its own notation for them. The plain text of 78 columns for mail, the Markdown and the
JSON have the same content.
"""

import textwrap
from collections.abc import Iterable, Iterator

import msgspec

from umpire_ledger.domain.game.events import GameOpened, inner_events
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.state import REFEREE, Game, Unit
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.projections.record.escaping import inert, inert_markdown_line
from umpire_ledger.projections.record.sentence_context import words_of
from umpire_ledger.projections.reports.sitrep_notes import Fight, Notes, harm_in_words, ids
from umpire_ledger.projections.tables.order_history import RecordedOrder

COLUMNS = 78
"""Width of a line of mail."""


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A heading and its lines."""

    name: str
    lines: tuple[str, ...]


class Battle(msgspec.Struct, frozen=True, kw_only=True):
    """A battle. `losses`: one line in the title's notation, with the damage; `lost`, `hurt`: ids of units.

    `dice`: the rolls, in words. `rolls`: the positions of their records.
    """

    place: str
    losses: str
    lost: tuple[str, ...]
    hurt: tuple[str, ...]
    dice: tuple[str, ...]
    rolls: tuple[int, ...] = ()


class Sitrep(msgspec.Struct, frozen=True, kw_only=True):
    """The report of one side's player turn. `first`, `last`: the first and last record that it covers, 0 for none.

    `subject`: the subject for mail, with the game, the turn and the open step, or the last step of a turn that is over.
    `copied`: the origin of a copied game, in words, or "". The section `Battles` has one line for each of the
    `battles`.
    """

    subject: str
    copied: str
    title: str
    side: str
    turn: int
    first: int
    last: int
    sections: tuple[Section, ...]
    battles: tuple[Battle, ...]


def sitrep(
    title: Title | None, deeds: Iterable[RecordedOrder], turn: int, side: str, game_id: str = "", copied: str = ""
) -> Sitrep:
    """Return the report of a side's player turn.

    Args:
        side: The phasing side; "" for the whole turn of all sides.
        game_id: The game's id in its ledger, if it differs from the id at its opening.
        copied: The origin of a copied game, in words.
    """
    game, notes, date = Game(), Notes(words_of(title)), ""
    for deed in deeds:
        set_up = any(isinstance(event, GameOpened) for _, event in deed.events)
        for position, event in ((at, one) for at, whole in deed.events for one in inner_events(whole)):
            before, game = known_to(game, REFEREE), evolve(game, event)
            notes.learn(event)
            if game.turn == turn and side in ("", game.cursor.side()):
                notes.see(position, event, before, set_up=set_up)
                date = date or _date(title, game)
        if game.turn == turn and side in ("", game.cursor.side()) and game.cursor.waiting():
            date = _date(title, game)
    game = known_to(game, REFEREE)  # Readers of the report may see these hidden units.
    name = game.side_name(side) if side else "all sides"
    battles = tuple(_battle(title, game, place, fight) for place, fight in notes.fights.items())
    return Sitrep(
        subject=f"{game_id or game.id} {turn}{_reached(title, game, notes, turn)} SITREP",
        copied=copied,
        title=f"{date or f'Turn {turn}'}, {name}",
        side=side,
        turn=turn,
        first=min(notes.positions, default=0),
        last=max(notes.positions, default=0),
        sections=tuple(one for one in _sections(title, game, notes, battles) if one.lines),
        battles=battles,
    )


def _reached(title: Title | None, game: Game, notes: Notes, turn: int) -> str:
    """Return the step where play waits, or the last step of a turn that is over, as `.` and the title's notation."""
    is_running = game.turn == turn and bool(game.cursor.waiting())
    step = game.cursor.open[0].step if is_running else notes.step
    written = title.notation.step(step) if title is not None and title.notation is not None else step
    return f".{written}" if written else ""


def _date(title: Title | None, game: Game) -> str:
    if not game.turn:
        return "Setup"
    return title.notation.date(game) if title is not None and title.notation is not None else f"Turn {game.turn}"


def _sections(title: Title | None, game: Game, notes: Notes, battles: tuple[Battle, ...]) -> Iterator[Section]:
    yield Section(name="Battles", lines=tuple(one.losses for one in battles))
    fates = {**notes.fates, **notes.turned}
    said = [f"{fate}: {', '.join(dict.fromkeys(of))}" for fate, of in fates.items()]
    said += harm_in_words(notes.harm, words_of(title).harm)
    yield Section(name="Fates", lines=tuple(said))
    yield Section(name="Production", lines=tuple(_new(title, game, notes.placed)))
    yield Section(name="Movements", lines=tuple(_movements(title, game, notes)))
    changed = sorted((name, *sums) for name, sums in notes.sums.items() if sums[0] != sums[1])
    accounts = tuple(f"{name}: {first} → {last} ({last - first:+d})" for name, first, last in changed)
    yield Section(name="Accounts", lines=accounts)
    yield Section(name="Rulings", lines=tuple(notes.rulings))


def _battle(title: Title | None, game: Game, place: str, fight: Fight) -> Battle:
    gone = {unit.id for unit in fight.lost}
    hurt = list({unit.id: unit for unit in fight.hurt if unit.id not in gone}.values())
    harm = "; ".join(harm_in_words(fight.harm, words_of(title).harm, gone))
    if harm and not gone and not hurt:
        losses = f"{place}: {harm}"
    elif title is not None and title.notation is not None:
        losses = title.notation.losses(game, place, fight.lost, hurt)
    else:
        said = [f"lost {ids(fight.lost)}"] if fight.lost else []
        said += [f"damaged {ids(hurt)}"] if hurt else []
        losses = f"{place}: {'; '.join(said) or 'no losses'}"
    losses += f"; {harm}" if harm and (gone or hurt) else ""
    return Battle(
        place=place,
        losses=losses,
        lost=tuple(sorted(gone)),
        hurt=tuple(sorted(unit.id for unit in hurt)),
        dice=tuple(said for _, said in fight.dice),
        rolls=tuple(position for position, _ in fight.dice),
    )


def _stack(title: Title | None, game: Game, units: list[Unit]) -> str:
    return title.notation.stack(game, units) if title is not None and title.notation is not None else ids(units)


def _new(title: Title | None, game: Game, units: list[Unit]) -> Iterator[str]:
    for place in sorted({unit.at for unit in units}):
        yield f"{place}: {_stack(title, game, [unit for unit in units if unit.at == place])}"


def _movements(title: Title | None, game: Game, notes: Notes) -> Iterator[str]:
    """Yield a line for each move from the first to the last place in the turn; units with the same move share it."""
    ways: dict[tuple[str, str], list[Unit]] = {}
    for unit, way in notes.moved.items():
        if way[0] != way[1] and unit in game.units:
            ways.setdefault(way, []).append(game.units[unit])
    for (start, end), units in sorted(ways.items()):
        yield f"{start} → {end}: {_stack(title, game, units)}"


# --- as text ----------------------------------------------------------------------------------------------------------


def lines_of(report: Sitrep, *, markdown: bool = False) -> list[str]:
    """Return the report as plain text of 78 columns with a subject line first, or as Markdown with escaped text."""
    return list(_markdown(report) if markdown else _mail(report))


def _mail(report: Sitrep) -> Iterator[str]:
    yield inert(report.subject)
    yield from (
        "",
        *_broken(inert(report.title), 0),
        *(_broken(inert(report.copied), 0) if report.copied else ()),
        span_of(report),
    )
    for section in report.sections:
        yield from ("", section.name)
        for at, said in enumerate(section.lines):
            yield from _broken(inert(said), 2)
            for roll in report.battles[at].dice if section.name == "Battles" else ():
                yield from _broken(inert(roll), 4)


def _broken(text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, COLUMNS, initial_indent=" " * indent, subsequent_indent=" " * (indent + 4)) or [""]


def _markdown(report: Sitrep) -> Iterator[str]:
    shown = inert_markdown_line
    copied = (shown(report.copied), "") if report.copied else ()
    yield from (f"# {shown(report.subject)}", "", shown(report.title), "", *copied, span_of(report))
    for section in report.sections:
        yield from ("", f"## {section.name}", "")
        for at, said in enumerate(section.lines):
            yield f"- {shown(said)}"
            yield from (f"  - {shown(roll)}" for roll in (report.battles[at].dice if section.name == "Battles" else ()))


def span_of(report: Sitrep) -> str:
    """Return the range of records in a report."""
    return f"Records #{report.first} to #{report.last}" if report.first else "No records"


def text_of(report: Sitrep, *, markdown: bool = False) -> str:
    """Return the report as one text."""
    return "\n".join(lines_of(report, markdown=markdown))
