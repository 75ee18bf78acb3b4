"""Build charts as plain data: dice, accounts, forces and losses by turn, waiting time by side.

Charts are pure functions of a seat's knowledge. `chart_svg` draws them; `words` has the same content as text, for
readers without the picture. Umpire uses no library for charts, because pictures in a case file are checked byte by
byte, and libraries write times, random names or addresses into them. Also, sides look the same in charts as on the map.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from umpire_ledger.domain.game.events import Side
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.projections.pictures.counters import SideLook, looks_of
from umpire_ledger.projections.questions.by_turn import ByTurn
from umpire_ledger.projections.questions.dice_statistics import Total
from umpire_ledger.projections.questions.sums import MOST_SUMS, Sums
from umpire_ledger.projections.questions.times import SideTime, Times, length_of_time

Kind = Literal["dice", "accounts", "losses", "time"]
KINDS: tuple[Kind, ...] = ("dice", "accounts", "losses", "time")
Sort = Literal["bars", "lines", "rows"]
"""Kinds of panels: vertical bars, lines over turns, and horizontal bars."""


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """Values that are drawn in one look. `values`: one for each name in the panel's `across`, or None.

    `look`: a key of the chart's looks; "" without an owner. `said`: the text at the end of a line or row.
    """

    name: str
    look: str = ""
    values: tuple[float | None, ...]
    said: str = ""


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """One drawing of a chart. `across`: names along the axis; `expected`: the expected values of the first series.

    `facts`: computed values, by name.
    """

    name: str
    sort: Sort
    across: tuple[str, ...]
    series: tuple[Series, ...]
    expected: tuple[float, ...] = ()
    facts: dict[str, float | int | str | None] = {}
    note: str = ""


class Chart(msgspec.Struct, frozen=True, kw_only=True):
    """A chart of a game. `game`: its name in the ledger; `copied`: the origin of a copied game, in words."""

    kind: Kind
    game: str
    copied: str
    name: str
    title: str
    looks: Mapping[str, SideLook]
    panels: tuple[Panel, ...]

    @property
    def words(self) -> list[str]:
        """The content of the chart in sentences, for readers who cannot see it."""
        head = f"{self.name or self.game}: {self.title}."
        told = [line for panel in self.panels for line in _panel_words(panel)]
        return [head, *(told or ["No data."])]


class ChartSubject(msgspec.Struct, frozen=True, kw_only=True):
    """The game that a chart is about, and its sides."""

    game: str
    name: str
    sides: tuple[Side, ...]
    copied: str = ""


def _chart(kind: Kind, of: ChartSubject, title: str, panels: Iterable[Panel], more: Iterable[str] = ()) -> Chart:
    """Return a chart. `more`: names that get their own look, in addition to the sides."""
    owners = [Side(id=name, name=name) for name in more if name and name not in {side.id for side in of.sides}]
    looks = looks_of([*of.sides, *owners])
    return Chart(
        kind=kind,
        game=of.game,
        copied=of.copied,
        name=of.name,
        title=title,
        looks=looks,
        panels=tuple(panels),
    )


# --- dice -------------------------------------------------------------------------------------------------------------


def dice_chart(of: ChartSubject, totals: Sequence[Total], together: Sequence[Sums], seats: Mapping[str, str]) -> Chart:
    """Return a chart of faces by die, sums of several dice, and faces by seat, each with its expected values.

    `seats`: the side of each seat.
    """
    panels = [_faces(one, one.name, "") for one in totals if one.of == "die"]
    panels += [_sums(one) for one in together if len(one.sums) <= MOST_SUMS]
    throwers = [one for one in totals if one.of == "seat"]
    if len(throwers) > 1:
        panels += [_faces(one, f"{one.faces.die}, rolled by {one.name}", seats.get(one.name, "")) for one in throwers]
    return _chart("dice", of, "Dice results and expected counts", panels)


def _faces(total: Total, name: str, look: str) -> Panel:
    found = total.faces
    across = tuple(str(face) for face in range(1, len(found.counts) + 1))
    return Panel(
        name=name,
        sort="bars",
        across=across,
        series=(Series(name="rolled", look=look, values=found.counts),),
        expected=(found.expected,) * len(across),
        facts={"n": found.dice, "chi_square": found.chi_square, "df": found.degrees, "p": found.p, "mean": found.mean},
        note=_tested(found.dice, found.chi_square, found.degrees, found.p, found.warning),
    )


def _sums(found: Sums) -> Panel:
    taken = ", ".join(_span(some) for some in found.classes)
    few = "" if found.p is not None else "too few rolls to judge"
    together = f"χ² of the sums {taken}" if found.p is not None else ""
    return Panel(
        name=f"{found.dice} total, without modifiers",
        sort="bars",
        across=tuple(map(str, found.sums)),
        series=(Series(name="rolled", values=found.counts),),
        expected=found.expected,
        facts={"n": found.throws, "chi_square": found.chi_square, "df": found.degrees, "p": found.p, "classes": taken},
        note=_tested(found.throws, found.chi_square, found.degrees, found.p, few or together),
    )


def _span(some: Sequence[int]) -> str:
    return f"{some[0]}–{some[-1]}" if len(some) > 1 else str(some[0])


def _tested(number: int, uneven: float, degrees: int, p: float | None, more: str) -> str:
    """Return the result of a χ² test in one line."""
    test = f"χ² {uneven:.2f}, df {degrees}, p {p:.3f}, n {number}" if p is not None else f"n {number}"
    return f"{test}; {more}" if more else test


# --- by turn ----------------------------------------------------------------------------------------------------------


def accounts_chart(of: ChartSubject, found: ByTurn) -> Chart:
    """Return a chart of accounts at the end of each turn; accounts of the same kind share a panel."""
    across = turn_names(found.turns)
    values = {one.account: one.values for one in found.accounts}
    names = {side.id: side.name or side.id for side in of.sides}
    panels: list[Panel] = []
    owners: list[str] = []
    for what, whose in _grouped(values, {side.id for side in of.sides}).items():
        if not any(any(values[account]) for account in whose.values()):
            continue
        series = tuple(
            Series(
                name=names.get(owner, owner) or account, look=owner, values=values[account], said=_last(values[account])
            )
            for owner, account in _in_order(whose, names)
        )
        owners += whose
        panels.append(Panel(name=what, sort="lines", across=across, series=series, facts={"turns": len(across)}))
    return _chart("accounts", of, "Accounts at end of turn", panels, dict.fromkeys(owners))


def _in_order(whose: Mapping[str, str], sides: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the owners and accounts of a panel: first the sides in their own order, then other owners."""
    for owner in dict.fromkeys((*sides, *whose)):
        if owner in whose:
            yield owner, whose[owner]


def turn_names(turns: Iterable[int]) -> tuple[str, ...]:
    """Return the names of turns on an axis; turn 0 is before the first turn."""
    return tuple(str(turn) if turn else "start" for turn in turns)


def _grouped(accounts: Iterable[str], sides: set[str]) -> dict[str, dict[str, str]]:
    """Group accounts by kind, then by owner. `vp/athens` and `athens/vp` are both the account `vp` of athens.

    If a side has an account of a kind, other owners of that kind need not be sides, such as an empire or a fleet.
    """
    names = list(accounts)
    shared = {what for name in names for owner, what in _ways_to_read(name) if owner in sides}
    found: dict[str, dict[str, str]] = {}
    for name in names:
        ways = list(_ways_to_read(name))
        own = [way for way in ways if way[0] in sides] or [way for way in ways if way[1] in shared]
        owner, what = own[0] if own else ("", name)
        found.setdefault(what, {})[owner] = name
    return dict(sorted(found.items()))


def _ways_to_read(account: str) -> Iterator[tuple[str, str]]:
    """Yield (owner, kind) with each part of an account's name as the owner.

    For `vp/athens`, these are (athens, vp) and (vp, athens).
    """
    parts = account.split("/")
    for at in range(len(parts) - 1, -1, -1) if len(parts) > 1 else ():
        yield parts[at], "/".join(parts[:at] + parts[at + 1 :])


def _last(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{known[-1]:g}" if known else ""


def losses_chart(of: ChartSubject, found: ByTurn) -> Chart:
    """Return a chart of each side's units in play, losses, new units, departures and damage, by turn."""
    across = turn_names(found.turns)
    names = {side.id: side.name or side.id for side in of.sides}
    said = {one.side: ", ".join(f"{many} {fate}" for fate, many in one.fates.items()) for one in found.forces}

    def panel(name: str, sort: Sort, of_what: str, note: str = "") -> Panel:
        series = tuple(
            Series(name=names.get(one.side, "no side"), look=one.side, values=values, said=_last(values))
            for one in found.forces
            if any(values := getattr(one, of_what)) or of_what in ("in_play", "lost")
        )
        return Panel(name=name, sort=sort, across=across, series=series, facts=_summed(series), note=note)

    fates = "; ".join(f"{names.get(side, 'no side')}: {fate}" for side, fate in said.items() if fate)
    panels = [
        panel("Units in play at end of turn", "lines", "in_play"),
        panel("Losses by turn", "bars", "lost", fates and f"fates: {fates}"),
        panel("Out of play at end of turn", "lines", "out"),
        panel("New units by turn", "bars", "new"),
        panel("Other departures by turn", "bars", "gone"),
        panel("Crippled or damaged at end of turn", "lines", "hurt"),
    ]
    return _chart("losses", of, "Order of battle and losses by turn", [one for one in panels if one.series])


def _summed(series: Iterable[Series]) -> dict[str, float | int | str | None]:
    return {one.look or "nobody": sum(value or 0 for value in one.values) for one in series}


# --- time -------------------------------------------------------------------------------------------------------------


def time_chart(of: ChartSubject, found: Times) -> Chart:
    """Return a chart of the time that play waited for each side, and the part in which only that side had to act."""
    rows = tuple(
        Series(name=one.name or one.side, look=one.side, values=(one.waited, one.alone), said=_waited(one))
        for one in found.sides
    )
    facts: dict[str, float | int | str | None] = {"seconds": found.seconds, "nobody": found.nobody}
    facts |= {"pauses": found.pauses, "paused": found.paused}
    panel = Panel(
        name="Waiting time; dark: no other side had to act",
        sort="rows",
        across=("waited", "alone"),
        series=rows,
        facts=facts,
        note="; ".join(_times_said(found)),
    )
    return _chart("time", of, "Waiting time by side", [panel])


def _waited(one: SideTime) -> str:
    longest = f", longest {length_of_time(one.longest)}" if one.longest else ""
    return f"{length_of_time(one.waited)}, {counted(one.waits, 'wait')}{longest}"


def _times_said(found: Times) -> Iterator[str]:
    yield f"in total {length_of_time(found.seconds)}"
    if found.nobody:
        yield f"no side had to act: {length_of_time(found.nobody)}"
    if found.pauses:
        longer = f"{counted(found.pauses, 'pause')} longer than {length_of_time(found.pause)}"
        yield f"{longer}, {length_of_time(found.paused)} in total"


# --- in words ---------------------------------------------------------------------------------------------------------


def _panel_words(panel: Panel) -> Iterator[str]:
    note = f" {panel.note[0].upper()}{panel.note[1:]}." if panel.note else ""
    if panel.sort == "rows":
        yield f"{panel.name}: {'; '.join(f'{one.name} {one.said}' for one in panel.series)}.{note}"
    elif panel.expected:
        values = [f"{name} {value:g} ({hoped:.1f} expected)" for name, value, hoped in _beside_expected(panel)]
        yield f"{panel.name}: {', '.join(values)}.{note}"
    else:
        yield f"{panel.name}: {'; '.join(_series_words(panel, one) for one in panel.series)}.{note}"


def _beside_expected(panel: Panel) -> Iterator[tuple[str, float, float]]:
    for name, value, hoped in zip(panel.across, panel.series[0].values, panel.expected, strict=True):
        yield name, value or 0, hoped


def _series_words(panel: Panel, one: Series) -> str:
    told = (f"{name} {value:g}" for name, value in zip(panel.across, one.values, strict=True) if value is not None)
    return f"{one.name}: {', '.join(told)}"
