"""Check that no number is stored both as an attribute of a unit and as an account or marker.

A finding is an account or marker with the name of a unit and of one of its attributes in a newly opened game. So are
two numbers that change but are always equal, in random play and in recorded games.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.play_report import Observed
from umpire_ledger.testing.title_under_test import Trial

CHANGES = 3
"""The number of different values that two equal numbers must have had before their equality means anything."""
_REMEDY = "keep the number in one place, and compute the other where it is asked for"


class Twice(NamedTuple):
    """A number of a unit that is stored in two places."""

    unit: str
    attribute: str
    where: str
    """An account or a marker, with its name."""


def kept(trial: Trial) -> Iterator[Finding]:
    """Yield a finding about each attribute that is the same number as an account or marker."""
    for seen in (trial.observed, *trial.own_games):
        found: dict[str, Finding] = {}
        for twice in chain(of_one_name(seen.openings), always_equal(_games(seen))):
            word = twice.where.split(" ")[1].split("/")[0]
            about = f"{twice.attribute} {word}"
            what = f"{twice.attribute} of {twice.unit} is also kept as {twice.where}"
            found.setdefault(about, Finding(what=what, remedy=_REMEDY, about=about, seed=trial.seed))
        yield from found.values()


def _games(seen: Observed) -> Iterator[Game]:
    yield from chain(seen.openings, *seen.positions.values())
    yield from (start.game for start in seen.starts)


def of_one_name(openings: Iterable[Game]) -> Iterator[Twice]:
    """Yield numbers that a newly opened game has both as an attribute and in a place with the attribute's name."""
    for game in openings:
        for unit, attribute, _, where, words, _ in _pairs(game):
            if attribute in words:
                yield Twice(unit.id, attribute, where)


def always_equal(games: Iterable[Game]) -> Iterator[Twice]:
    """Yield numbers that are stored in two places, change, and are equal at every position."""
    values: dict[tuple[str, Twice], set[int]] = defaultdict(set)
    differ: set[tuple[str, Twice]] = set()
    for game in games:
        for unit, attribute, one, where, _, other in _pairs(game):
            key = game.name, Twice(unit.id, attribute, where)
            values[key].add(one)
            if one != other:
                differ.add(key)
    yield from (key[1] for key, seen in values.items() if key not in differ and len(seen) >= CHANGES)


def _pairs(game: Game) -> Iterator[tuple[Unit, str, int, str, list[str], int]]:
    """Yield each number of a unit together with each account and marker whose name contains the unit."""
    named = [(f"account {name}", name.split("/"), held) for name, held in game.accounts.items()]
    named += [(f"marker {name}", name.split("/"), held) for name, held in game.markers.items() if type(held) is int]
    for where, words, held in named:
        for unit in (game.units[word] for word in words if word in game.units):
            for attribute, value in unit.attributes.items():
                if type(value) is int and not unit.fate:
                    yield unit, attribute, value, where, words, held
