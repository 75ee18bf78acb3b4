"""Two ledgers that differ in one secret answer everybody else with the same bytes, over HTTP as at the command line."""

import itertools
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

import httpx

from tests.at_least_one import at_least_one
from tests.attacks.attack import masked
from tests.attacks.worlds import GAME, LEDGER, Pair, lay, pairs, pairs_in_the_dark
from tests.service.routes import routes
from tests.service.served import Served

Draw = Callable[[int], Iterator[Pair]]
PAIRS = int(os.environ.get("UMPIRE_PAIRS", "1"))
LEFT_OUT = ("/stream", "/page.html")
"""Streams are compared in `test_streams.py`. A page holds the salted export; `tests/attacks` compares it."""
LOOKS = [
    route
    for route in routes(GAME)
    if route.method == "GET" and route.is_of_a_game and not route.template.endswith(LEFT_OUT)
]


AGO = re.compile(rb"<time [^>]*>[^<]*</time>")
"""The time since a seat began to wait depends on the moment a world was set up."""


def told(answer: httpx.Response) -> tuple[int, bytes]:
    """Return status and words of an answer, without random values and times."""
    return answer.status_code, AGO.sub(b"<time>", masked(answer.content))


class TwoWorlds:
    """Both worlds of a pair, each served by one process in turn."""

    def __init__(self, place: Path, pair: Pair, steps: object) -> None:
        place.mkdir()
        lay(place / LEDGER, pair.opening, steps)  # type: ignore[arg-type]
        self.served = Served(place, "--rate", "5000")

    def answers(self, pair: Pair, seat: str) -> dict[str, tuple[int, bytes]]:
        caller = self.served.program(GAME, seat)
        found = {}
        for route in at_least_one(LOOKS):
            for query in ({}, {"at": pair.at}, {"every_line": "true", "after": pair.at - 2, "last": 400}):
                asked = {name: value for name, value in query.items() if name in route.asks}
                answer = caller.get(route.path, params={**route.query, **asked})
                found[f"{route.path} {query}"] = told(answer)
            for query in ({"about": pair.at}, {"about": pair.at - 1}, {"order": "move"}) if route.is_page else ():
                shown = caller.get(route.path, params={"as": seat, **query})
                found[f"{route.path} {query}"] = told(shown)
        for order in ({"order": "move", "unit": "no-such-unit", "path": ["1"]}, {"order": "note", "text": "hm"}):
            late = caller.post(f"/games/{GAME}/orders", order, If_Match=f'"{pair.at - 1}"')
            found[f"late {order}"] = late.status_code, masked(late.content)
        return found

    def to_an_outsider(self, pair: Pair) -> dict[str, tuple[int, bytes]]:
        """Return the answers to the same views for a caller without a seat."""
        caller = self.served.nobody()
        asked = [(route.path, {**route.query, "as": seat}) for route in LOOKS for seat in pair.blind]
        return {f"{path} {query}": told(caller.get(path, params=query)) for path, query in asked}


@pytest.mark.parametrize("drawn", [pairs, pairs_in_the_dark])
@pytest.mark.parametrize("number", range(PAIRS))
def test_views_over_http_reveal_no_secret_of_another_seat(place: Path, drawn: Draw, number: int) -> None:
    pair = next(itertools.islice(drawn(3 + number), number, None))
    worlds = [TwoWorlds(place / name, pair, steps) for name, steps in (("one", pair.one), ("other", pair.other))]
    holder = next(seat for seat in pair.game.side_ids if seat not in pair.blind)
    try:
        trails = [world.served.program(GAME, holder).get(f"/games/{GAME}/audit?last=1000").content for world in worlds]
        assert masked(trails[0]) != masked(trails[1]), "the worlds do not differ for whom the secret is"
        assert worlds[0].to_an_outsider(pair) == worlds[1].to_an_outsider(pair)
        for seat in at_least_one(pair.blind):
            one, other = (world.answers(pair, seat) for world in worlds)
            for asked in at_least_one(one):
                assert one[asked] == other[asked], (pair.title, pair.secret, seat, asked)
    finally:
        for world in worlds:
            world.served.stop()
