"""Play In Red Coat Rags Attired in tests: two small forces, and a way to each step."""

import json
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from tests.face.domain import (
    RedCoatScenario,
    UnitChanged,
    UnitMoved,
    Value,
    red_coat_rags_TITLE as TITLE,
)
from tests.face.testing import Story

FIXTURES = Path(__file__).parents[2] / "fixtures" / "red-coat-rags"
BASE: dict[str, Any] = tomllib.loads((FIXTURES / "scenarios" / "mill-ford.toml").read_text())
WORDS: dict[str, Any] = tomllib.loads((FIXTURES / "scenarios" / "beeston-bridge.toml").read_text())
KING, PARLIAMENT = "king", "parliament"


def fixture_orders(name: str) -> list[dict[str, Any]]:
    lines = (FIXTURES / "orders" / f"{name}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines if not line.startswith("#")]


def scenario(base: dict[str, Any] = BASE, **more: Any) -> RedCoatScenario:
    """Return the fight for the ford, or another scenario, with some of its entries changed."""
    return msgspec.convert({**base, **more}, RedCoatScenario)


def table(base: dict[str, Any] = BASE, options: dict[str, Any] | None = None, **more: Any) -> Story:
    """Return a game at its opening."""
    return Story(TITLE, scenario(base, **more), options=options)


def says(seat: str, order: str, *pips: int, **arguments: Any) -> dict[str, Any]:
    """Return an order as a line of an order file."""
    return {"as": seat, "order": order, **arguments, **({"pips": pips} if pips else {})}


def change(story: Story, unit: str, attribute: str, after: Value) -> Story:
    """Set an attribute by an event, without an order."""
    before = story.game.units[unit].get(attribute)
    return story.given(UnitChanged(unit=unit, attribute=attribute, before=before, after=after))


def disrupt(story: Story, *pieces: str) -> Story:
    for piece in pieces:
        change(story, piece, "disrupted", True)
    return story


def lock(story: Story, piece: str, *foes: str) -> Story:
    """Lock pieces at their corners, by events on both pieces."""
    change(story, piece, "locked", foes)
    for foe in foes:
        change(story, foe, "locked", (piece,))
    return story


# --- on the way to a step ---------------------------------------------------------------------------------------------


def to_phase(story: Story, side: str = KING) -> Story:
    """Let the side win the initiative, so that 2a is open."""
    other = PARLIAMENT if side == KING else KING
    return story.play(says(other, "roll-initiative", 1), says(side, "roll-initiative", 6)).then_open("2a")


def to_step(story: Story, step: str, side: str = KING) -> Story:
    """End 2a; the next step depends on the pieces on the table."""
    return to_phase(story, side).play(says(side, "done")).then_open(step)


def to_activation(story: Story, side: str = KING) -> Story:
    """Go to 3 with no unit disrupted, locked or out of command."""
    return to_step(story, "2e.move", side).play(says(side, "done")).then_open("3")


def to_actions(story: Story, unit: str = "forlorn", side: str = KING, dice: int = 2) -> Story:
    """Activate a unit with successes only, so that 4a is open."""
    return to_activation(story, side).play(says(side, "activate", *[6] * dice, unit=unit, dice=dice)).then_open("4a")


def to_special(story: Story, unit: str = "forlorn", side: str = KING) -> Story:
    """Finish the unit without an action, so that 5 is open."""
    return finish(to_actions(story, unit, side, 1), side).then_open("5")


def finish(story: Story, side: str = KING) -> Story:
    """Finish the actions of the unit without fire by the other player."""
    story.play(says(side, "done", answer="finished"))
    while story.game.cursor.opened("4a.answer") is not None:
        story.play(says(story.game.cursor.waiting()[0], "done", answer="none"))
    return story


def face_to_face(story: Story) -> Story:
    """Put Carr's horse edge to edge with Rudd's, which has closed up."""
    for piece, place in (("carrs-1", "34,18.5"), ("carrs-2", "36,18.5"), ("carrs-3", "38,18.5"), ("rudds-2", "35,20")):
        story.given(UnitMoved(unit=piece, path=(story.game.units[piece].at, place)))
    return story
