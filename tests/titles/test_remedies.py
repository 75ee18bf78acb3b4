"""Try the remedies that refusals recommend, in random play and in recorded games: each is accepted.

The orders given are the suggestions of each order, and copies of them that differ in one name or number, like the
typos of players.
"""

import random
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest

from tests.face.domain import (
    REFEREE,
    Game,
    RuleViolation,
    Title,
    decide,
    federation_and_empire_TITLE as FEDERATION,
    read_order,
    suggestions,
    waiting_loop,
)
from tests.face.testing import NO_HISTORY, edits
from tests.titles.test_federation_offers import GAMES as FEDERATION_GAMES, opened, orders
from tests.titles.test_offers import GAMES, positions

Line = dict[str, Any]
IDEAS, SLIPS, FROM = 6, 4, 30
"""Suggestions tried in a position, typos tried for each, and the number of typos that they are drawn from."""
ONE_OF = re.compile(r"name (?:one of|one that is): ([^;`]+)")


def refusal(title: Title, game: Game, line: Line) -> RuleViolation | None:
    """Return the refusal of a line, or None if it is accepted or is not an order."""
    try:
        decide(title, game, read_order(title, line), NO_HISTORY)
    except RuleViolation as refused:
        return refused
    except msgspec.ValidationError:
        return None
    return None


def attempts(title: Title, game: Game, chance: random.Random) -> Iterator[Line]:
    """Yield some suggested orders of the sides, and copies with typos."""
    ideas = [one for one in suggestions(title, game) if one.seat != REFEREE]
    for idea in chance.sample(ideas, min(IDEAS, len(ideas))):
        line = {**msgspec.to_builtins(idea), "order": idea.tag()}
        slips = list(islice(edits(line, game), FROM))
        yield from (line, *chance.sample(slips, min(SLIPS, len(slips))))


def dead_ends(title: Title, game: Game, line: Line, refused: RuleViolation) -> Iterator[str]:
    """Yield each recommendation of a refusal that is itself refused."""
    told = f"{game.where}: {line}: {refused.what}, {refused.remedy}"
    if re.search(r"`done`(?! with| after)", refused.remedy) and waiting_loop(title, game) is None:
        again = refusal(title, game, {"as": line["as"], "order": "done"})
        if again is not None and not again.remedy.startswith("answer"):
            yield f"{told}; `done`: {again.what}"
    names = ONE_OF.search(refused.remedy)
    old = next((word for word in words_of(line) if re.search(rf"(^| ){re.escape(word)} ", refused.what)), "")
    for name in re.split(r", | and | or ", names[1]) if names and old else ():
        again = refusal(title, game, instead(line, old, name))
        if again is not None and again.what.replace(name, old) == refused.what:
            yield f"{told}; {name}: {again.what}"


def words_of(value: Any) -> Iterator[str]:
    """Yield the names in an order."""
    match value:
        case str() if value:
            yield value
        case list() | tuple():
            yield from (word for one in value for word in words_of(one))
        case dict():
            yield from (word for key, one in value.items() if key not in ("as", "order") for word in words_of(one))


def instead(value: Any, old: str, new: str) -> Any:
    """Return the same order with another name."""
    match value:
        case list() | tuple():
            return [instead(one, old, new) for one in value]
        case dict():
            return {key: one if key in ("as", "order") else instead(one, old, new) for key, one in value.items()}
    return new if value == old else value


def explored(title: Title, game: Game, chance: random.Random) -> tuple[int, list[str]]:
    """Return the number of refusals, and the recommendations that fail."""
    heard, found = 0, list[str]()
    for line in attempts(title, game, chance):
        refused = refusal(title, game, line)
        if refused is not None:
            heard += 1
            found += dead_ends(title, game, line, refused)
    return heard, found


@pytest.mark.parametrize(("title", "scenario"), GAMES)
def test_remedies_in_random_play_are_accepted(title: Title, scenario: object) -> None:
    chance, heard, found = random.Random(11), 0, list[str]()
    for game in positions(title, scenario):
        more, vain = explored(title, game, chance)
        heard, found = heard + more, found + vain
    assert found == []
    assert heard > 20


@pytest.mark.parametrize("name", FEDERATION_GAMES)
def test_remedies_in_a_recorded_war_are_accepted(name: str) -> None:
    table, chance, heard, found = opened(name), random.Random(12), 0, list[str]()
    for number, line in enumerate(orders(name)):
        if number % 3 == 0:
            more, vain = explored(FEDERATION, table.game, chance)
            heard, found = heard + more, found + vain
        table.give(line).then_accepted()
    assert found == []
    assert heard > 100
