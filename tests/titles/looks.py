"""Find the checks of a title that look at the other side's units, by removing these units in recorded games.

    python -m tests.titles.looks

writes `docs/reference/fog-checks.md`; a test fails when the page is out of date. A check (an order's decision, a
question, a set, a role) looks at them if its answer differs without them, somewhere in a recorded game. Checks that no
recorded game exercises are not found.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, reduce
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

import msgspec

from tests.face.domain import (
    FOG,
    GENERIC,
    Fact,
    Game,
    Hidden,
    Order,
    RuleViolation,
    Title,
    TitleFault,
    at_step,
    decision_of,
    dice_for,
    id_pattern,
    is_foggy,
    known_to,
    open_steps,
    read_order,
    replace,
    said_in_the_open,
    state_for_decision,
)
from tests.face.testing import (
    Start,
    replay_folders,
    starts_in,
    titles,
    with_ledger_dice,
)

OF_A_KIND = 12
"""Recorded orders of one kind that are decided again."""
POSITIONS = 50
"""Recorded positions, from the first to the last, at which the checks are made."""
WIDTH = 120
"""Characters in a line of the page."""
SEED = "0d" * 32


PAGE = Path(__file__).parents[2] / "docs" / "reference" / "fog-checks.md"
TOP = """# Checks that depend on the other side's units

For referees and authors of titles, in games with [hidden units](../how-to/secrets-and-fog.md#hidden-units). Under fog,
every check of a title uses only public information. The checks below depend on units of another side. If such a unit is
hidden, the check ignores the unit, and the referee rules on the consequences.

The list is generated from recorded games. Each check ran twice: with the other side's units, and without those that fog
could hide. A check that gave two different answers is listed. The list omits checks that no recorded game uses. A test
runs the listed checks with the units hidden at their places, hidden elsewhere and removed, and confirms that all
answers are equal.
"""
KINDS = {
    "order": "Orders",
    "question": "Conditions",
    "set": "Sets for loops",
    "role": "Roles",
}


class Check(NamedTuple):
    """A check of a title that looks at a game for a side. `kind`: order, question, set, role."""

    kind: str
    name: str
    side: str
    asks: Callable[[Game], Any]

    def answer(self, game: Game) -> Any:
        """Return the answer, or the words of the refusal."""
        try:
            return self.asks(game)
        except RuleViolation as refused:
            return refused.what, refused.rule, refused.remedy
        except TitleFault as fault:
            return "fault", fault.what


class Found(NamedTuple):
    """A check that looks at units of others, and a game in which it does."""

    check: Check
    game: Game


@cache
def starts_of(title: str) -> tuple[Start, ...]:
    """Return every order of every recorded game of a title without hidden units, each with the game before it."""
    files = [file for folder in replay_folders(title) for file in sorted((folder / "replays").glob("*.jsonl"))]
    return tuple(
        Start(with_ledger_dice(one.game, SEED), one.order) for one in starts_in(files) if not is_foggy(one.game)
    )


def without(game: Game, side: str) -> Game:
    """Return the game without the other sides' units: all that fog could hide, removed in turn."""
    while gone := list(_unnamed(game, side)):
        game = replace(game, units=reduce(lambda left, name: left.delete(name), gone, game.units))
    return game


def _unnamed(game: Game, side: str) -> Iterator[str]:
    text = "\n".join(text for _, _, text in said_in_the_open(game))
    return (one.id for one in game.in_play() if one.side != side and not id_pattern(one.id).search(text))


def hidden_from(game: Game, side: str, *, elsewhere: bool) -> Game:
    """Return the game with those units hidden by fog: at their places, or all elsewhere with other attributes."""
    seen, places = without(game, side), sorted({unit.at for unit in game.units.values()})
    hidden = {}
    for name, unit in game.units.items():
        if name not in seen.units:
            lies = replace(unit, at=places[-1], kind="decoy", attributes={}) if elsewhere else unit
            hidden[name] = Hidden(unit=lies, seen_by=(unit.side,))
    return replace(seen, options={**game.options, FOG: True}, hidden=hidden)


def _order_at(title: Title, start: Start) -> Iterator[Check]:
    raw = {name: value for name, value in start.order.items() if name not in ("pips", "id", "leave", "again")}
    try:
        order = read_order(title, raw).order
    except RuleViolation:
        return
    side = start.game.side_of(order.seat)
    steps = [step.id for step in open_steps(title, start.game) if type(order) in step.allows]
    known = type(order) in title.decisions or type(order) in GENERIC
    if side and known and (steps or title.sequence is None):
        yield Check("order", order.tag(), side, _decided(title, order, steps[0] if steps else ""))


def _decided(title: Title, order: Order, step: str) -> Callable[[Game], Any]:
    def results(game: Game) -> Any:
        here = at_step(state_for_decision(known_to(game, order.seat), order), step)
        return decision_of(title, type(order))(here, order, dice_for(here, None))

    return results


def questions(title: Title, game: Game) -> Iterator[Check]:
    """Yield every fact, set and role, for every side."""
    for side in game.side_ids:
        for fact in facts_of(title):
            yield Check("question", fact.words, side, lambda game, fact=fact, side=side: bool(fact.asks(game, side)))
        for name, asks in title.sets.items():
            yield Check("set", name, side, lambda game, asks=asks, side=side: tuple(asks(game, side)))
        for name, holds in title.roles.items():
            yield Check("role", name, side, lambda game, holds=holds: tuple(holds(game)))


def facts_of(title: Title) -> tuple[Fact, ...]:
    """Return every question of the sequence of play to the game, each once."""
    return tuple(dict.fromkeys(_facts(title.sequence)))


def _facts(part: Any) -> Iterator[Fact]:
    match part:
        case Fact():
            yield part
        case tuple():
            for one in part:
                yield from _facts(one)
        case msgspec.Struct():
            for name in part.__struct_fields__:
                yield from _facts(getattr(part, name))


def looks(title: Title) -> Iterator[Found]:
    """Yield each check that looks at the other side's units, once."""
    seen: set[tuple[str, str]] = set()
    tried: Counter[str] = Counter()
    off_the_table = cache(lambda number, side: without(starts[number].game, side))
    starts = starts_of(title.id)
    every = max(1, len(starts) // POSITIONS)
    for number, start in enumerate(starts):
        played = title.of(start.game)
        for check in (*_order_at(played, start), *(questions(played, start.game) if number % every == 0 else ())):
            key = check.kind, check.name
            if key in seen or (check.kind == "order" and tried[check.name] >= OF_A_KIND):
                continue
            tried[check.name] += 1
            if check.answer(start.game) != check.answer(off_the_table(number, check.side)):
                seen.add(key)
                yield Found(check, start.game)


def page() -> str:
    """Return all of `docs/reference/fog-checks.md`."""
    return "\n".join([TOP, *(_part(title, [one.check for one in looks(title)]) for title in titles())])


def _part(title: Title, found: list[Check]) -> str:
    lines = [f"## {title.name}", ""]
    for kind, words in KINDS.items():
        names = sorted(one.name for one in found if one.kind == kind)
        if names:
            lines += [*_listed(words, names, in_words=kind == "question"), ""]
    return "\n".join(lines)


def _listed(heading: str, names: list[str], *, in_words: bool) -> list[str]:
    """Return a list under a heading: conditions one a line, names of the title in one paragraph."""
    if in_words:
        return [f"**{heading}:**", "", *(f"- {name}" for name in names)]
    marked = ", ".join(f"`{name}`" for name in names)
    return wrap(f"**{heading}:** {marked}.", WIDTH, break_on_hyphens=False, break_long_words=False)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
