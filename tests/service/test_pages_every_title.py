"""The seat's page of every recorded game, for every side, with the form of every order that it may give."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.at_least_one import at_least_one
from tests.face.testing import FIXTURES, OWN
from tests.service.page_reading import page_at
from tests.service.served import Served

REPLAYS = sorted((*FIXTURES.glob("*/replays/*.jsonl"), *OWN.glob("replays/*.jsonl")))
POSITIONS = (0.35, 0.7, 1.0)
"""Parts of a game's records at which its pages are read."""


def copies(served: Served, log: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield copies of a recorded game at some positions, with its sides."""
    with served.desk() as desk:
        game = desk.import_log(log)
        opened = min(point.position for point in game.referee.undo_points())
        for nth, part in enumerate(POSITIONS):
            copy = game.fork(f"{game.id}-{nth}", at=max(int(game.size * part), opened))
            yield copy.id, copy.sides


@pytest.mark.parametrize("log", REPLAYS, ids=lambda log: log.stem)
def test_every_order_has_its_form(served: Served, log: Path) -> None:
    forms = 0
    for game, sides in at_least_one(list(copies(served, log))):
        for side in sides:
            browser = served.browser(game, side)
            page = page_at(browser, f"/table/{game}?as={side}")
            assert page.status == 200, page.words[:400]
            for tag, given in page.tags:
                if tag == "a" and given.get("data-focus", "").startswith("tab-"):
                    shown = page_at(browser, given["href"])
                    assert shown.status == 200, (given["href"], shown.words[:400])
                    forms += bool(shown.form("order"))
    assert forms, "no order was offered anywhere"
