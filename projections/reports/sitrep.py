"""The situation report of a player turn: what the phasing side built, moved and fought, and what it cost.

A fold of what a seat may see, so it tells no secret. Battles are told in the title's own notation where it has one.
Plain text and Markdown are two ways to write the same report.
"""

from collections.abc import Iterable, Iterator

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.state import Game, Unit, evolve
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.projections.questions.deeds import Deed
from umpire_ledger.projections.record.inert import inert, inert_markdown_line


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A heading and its lines."""

    name: str
    lines: tuple[str, ...]


class Sitrep(msgspec.Struct, frozen=True, kw_only=True):
    """The report of one side's pass of a turn. `first` and `last`: the positions it is made of, 0 for none."""

    title: str
    side: str
    turn: int
    first: int
    last: int
    sections: tuple[Section, ...]


class _Notes:
    """What is written down while the records of one player turn go by."""

    def __init__(self) -> None:
        self.date = ""
        self.positions: list[int] = []
        self.placed: list[Unit] = []
        self.moved: dict[str, tuple[str, str]] = {}
        self.lost: dict[str, list[Unit]] = {}
        self.crippled: dict[str, list[Unit]] = {}
        self.battles: list[str] = []
        self.sums: dict[str, tuple[int, int]] = {}
        self.rulings: list[str] = []

    def see(self, position: int, event: AnyEvent, before: Game) -> None:
        """Take in one event and the game before it."""
        self.positions.append(position)
        match event:
            case e.UnitPlaced(unit=unit, side=side, kind=kind, at=at, attributes=attributes):
                self.placed.append(Unit(id=unit, side=side, kind=kind, at=at, attributes=attributes))
            case e.UnitMoved(unit=unit, path=path):
                self.moved[unit] = self.moved.get(unit, (path[0], ""))[0], path[-1]
            case e.UnitRemoved(unit=unit, at=at) if unit in before.units:
                at, found = at or before.units[unit].at, before.units[unit]
                self.lost.setdefault(at, []).append(found)
            case e.UnitChanged(unit=unit, attribute="crippled", after=True) if unit in before.units:
                self.crippled.setdefault(before.units[unit].at, []).append(before.units[unit])
            case e.AccountChanged(account=account, before=held, after=after):
                self.sums[account] = self.sums.get(account, (held, 0))[0], after
            case e.StepClosed(item=item) if item:
                self.battles.append(item)
            case e.RulingMade(ruling=ruling, reason=reason):
                self.rulings.append(f"#{position} {ruling}: {reason}")
            case _:
                pass


def sitrep(title: Title | None, deeds: Iterable[Deed], turn: int, side: str) -> Sitrep:
    """The report of a side's own player turn in a turn; `side` of "" reports the whole turn, whosever it was."""
    game, notes = Game(), _Notes()
    for deed in deeds:
        for position, event in deed.events:
            before, game = game, evolve(game, event)
            if game.turn == turn and side in ("", game.cursor.side()):
                notes.see(position, event, before)
                notes.date = notes.date or (title.notation.date(game) if title and title.notation else f"Turn {turn}")
    name = game.side_name(side) if side else "all sides"
    return Sitrep(
        title=f"{notes.date or f'Turn {turn}'}, {name}",
        side=side,
        turn=turn,
        first=min(notes.positions, default=0),
        last=max(notes.positions, default=0),
        sections=tuple(one for one in _sections(title, game, notes) if one.lines),
    )


def _sections(title: Title | None, game: Game, notes: _Notes) -> Iterator[Section]:
    standing = {unit.at for unit in game.units.values()} | {start for start, _ in notes.moved.values()}
    picked = [item for item in notes.battles if item in standing]
    places = dict.fromkeys([*picked, *sorted({*notes.lost, *notes.crippled})])
    yield Section(name="Battles", lines=tuple(_battle(title, game, notes, place) for place in places))
    yield Section(name="New units", lines=tuple(_new(title, game, notes.placed)))
    yield Section(name="Movements", lines=tuple(_movements(title, game, notes)))
    changed = sorted((name, sums) for name, sums in notes.sums.items() if sums[0] != sums[1])
    yield Section(name="Accounts", lines=tuple(f"{name}: {first} → {last}" for name, (first, last) in changed))
    yield Section(name="Rulings", lines=tuple(notes.rulings))


def _battle(title: Title | None, game: Game, notes: _Notes, place: str) -> str:
    lost = notes.lost.get(place, [])
    gone = {unit.id for unit in lost}
    hurt = [unit for unit in notes.crippled.get(place, []) if unit.id not in gone]
    if title is not None and title.notation is not None:
        return title.notation.losses(game, place, lost, hurt)
    said = [f"lost {_ids(lost)}"] if lost else []
    said += [f"crippled {_ids(hurt)}"] if hurt else []
    return f"{place}: {'; '.join(said) or 'no losses'}"


def _ids(units: Iterable[Unit]) -> str:
    return ", ".join(sorted(unit.id for unit in units))


def _stack(title: Title | None, game: Game, units: list[Unit]) -> str:
    return title.notation.stack(game, units) if title is not None and title.notation is not None else _ids(units)


def _new(title: Title | None, game: Game, units: list[Unit]) -> Iterator[str]:
    for place in sorted({unit.at for unit in units}):
        yield f"{place}: {_stack(title, game, [unit for unit in units if unit.at == place])}"


def _movements(title: Title | None, game: Game, notes: _Notes) -> Iterator[str]:
    """From where to where over the whole player turn, those who went together in one line."""
    ways: dict[tuple[str, str], list[Unit]] = {}
    for unit, way in notes.moved.items():
        if way[0] != way[1] and unit in game.units:
            ways.setdefault(way, []).append(game.units[unit])
    for (start, end), units in sorted(ways.items()):
        yield f"{start} → {end}: {_stack(title, game, units)}"


def lines_of(report: Sitrep, *, markdown: bool = False) -> list[str]:
    """The report as plain text, or as Markdown in which nothing from the log is markup."""
    head, section, line = ("# SITREP ", "## ", "- ") if markdown else ("SITREP ", "", "  ")
    shown = inert_markdown_line if markdown else inert
    span = f"Records #{report.first} to #{report.last}" if report.first else "Nothing yet"
    lines = [f"{head}{shown(report.title)}", span]
    for one in report.sections:
        lines += ["", f"{section}{one.name}", *(f"{line}{shown(said)}" for said in one.lines)]
    return lines


def text_of(report: Sitrep, *, markdown: bool = False) -> str:
    """The same as one text."""
    return "\n".join(lines_of(report, markdown=markdown))
