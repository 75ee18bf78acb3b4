"""Write the situation report as one HTML file: maps and dice as pictures, each with its text."""

from collections.abc import Callable

from umpire_ledger.desk.core.open_game import OpenGame
from umpire_ledger.desk.pictures.pictures import table_between
from umpire_ledger.domain.game.state import Game
from umpire_ledger.projections.pictures.dice_svg import faces_svg_of
from umpire_ledger.projections.pictures.html_page import Item, PageSection, Shown, html_of
from umpire_ledger.projections.pictures.picture_words import picture_words
from umpire_ledger.projections.pictures.svg import svg_of
from umpire_ledger.projections.pictures.table_picture import Picture
from umpire_ledger.projections.questions.rolls import ThrownRoll, thrown
from umpire_ledger.projections.reports.sitrep import Battle, Section, Sitrep, span_of
from umpire_ledger.projections.tables.copies import copy_words

Known = Callable[[int], Game]
"""Return the game as a seat knows it at a position."""
BATTLES = "Battles"


def sitrep_page(game: OpenGame, seat: str, known: Known, report: Sitrep) -> str:
    """Return the page of a report, made from the seat's knowledge only."""
    rolls = {one.position: one for one in thrown(game.ledger, game.id, seat)} if report.battles else {}
    parts = [_part(one, report, rolls) for one in report.sections]
    lead = [report.title, *([report.copied] if report.copied else []), span_of(report)]
    return html_of(report.subject, lead, [*(_maps(game, seat, known, report)), *parts])


def _maps(game: OpenGame, seat: str, known: Known, report: Sitrep) -> list[PageSection]:
    if not report.first:
        return []
    before, after = report.first - 1, report.last
    figures = [(_table(game, seat, known, before, before), f"Before: the table at #{before}")] if before else []
    figures.append(
        (
            _table(game, seat, known, before, after),
            f"After: the table at #{after}, and what moved and was lost since #{before}",
        )
    )
    shown = (
        Shown(svg=svg_of(table, stacks=True), caption=caption, words=tuple(picture_words(table)))
        for table, caption in figures
    )
    return [PageSection(name="The table", figures=tuple(shown))]


def _table(game: OpenGame, seat: str, known: Known, since: int, at: int) -> Picture:
    """Return the picture of the board at a position, with all changes since another one."""
    copied = copy_words(game.copied)
    return table_between(game.ledger, game.id, game.title, known(at), seat, (since, at), copied)


def _part(section: Section, report: Sitrep, rolls: dict[int, ThrownRoll]) -> PageSection:
    if section.name != BATTLES:
        return PageSection(name=section.name, items=tuple(Item(text=one) for one in section.lines))
    items = (_battle(line, one, rolls) for line, one in zip(section.lines, report.battles, strict=True))
    return PageSection(name=section.name, items=tuple(items))


def _battle(line: str, battle: Battle, rolls: dict[int, ThrownRoll]) -> Item:
    below = (_roll(said, rolls.get(at)) for said, at in zip(battle.dice, battle.rolls, strict=True))
    return Item(text=line, below=tuple(below))


def _roll(said: str, roll: ThrownRoll | None) -> Item:
    if roll is None:
        return Item(text=said)
    pips = ", ".join(map(str, roll.event.pips))
    drawn = faces_svg_of(roll.judged.sides, roll.event.pips, pips)
    return Item(text=said, drawn=(Shown(svg=drawn, caption=pips),))
