"""Run the examples of the docs about the network: the curl lines and the bot."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.at_least_one import at_least_one
from tests.docs import pages
from tests.docs.test_library import PROGRAMS, lines_of_code
from tests.service.served import PATIENCE, Served

GALLEYS = pages.ROOT / "fixtures" / "war-galley" / "scenarios" / "great-harbour.toml"
CURL = re.compile(r"^curl (?:.*\\\n)*.*$", re.MULTILINE)
PAGES = ("docs/reference/http-interface.md",)
LINES = [(page, one) for page in PAGES for one in CURL.findall((pages.ROOT / page).read_text(encoding="utf-8"))]
CAREFUL = 'curl() { command curl -sS --noproxy "*" --max-time 4 -w "\\n%{http_code}" "$@"; }\n'
TIMED_OUT = 28


@pytest.fixture
def harbour(place: Path) -> Served:
    """Start the game of the docs."""
    served = Served(place, "--rate", "5000")
    with served.desk() as desk:
        desk.new("war-galley", GALLEYS, id="harbour", dice="ledger")
    return served


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
class TestCurl:
    def test_every_line_of_the_pages_does_what_it_shows(self, harbour: Served) -> None:
        """With a program's token of a side, one after the other."""
        environment = {**os.environ, "TOKEN": harbour.token("harbour", "athens")}
        said = []
        for page, line in at_least_one(LINES):
            command = CAREFUL + line.replace("http://127.0.0.1:8470", harbour.address)
            done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)
            is_stream = "/stream" in line
            assert done.returncode == (TIMED_OUT if is_stream else 0), (page, line, done.stderr)
            assert done.stdout.rstrip().endswith("200"), (page, line, done.stdout)
            said.append(done.stdout)
        assert any('"waiting":["athens","syracuse"]' in one for one in said)
        assert any('"text":"wind from the west"' in one for one in said)
        assert any("event: record" in one and "wind from the west" in one for one in said)
        harbour.stop()

    def test_both_pages_have_some(self) -> None:
        assert {page for page, _ in LINES} == set(PAGES)


class TestTheBot:
    def test_two_bots_play_a_turn_over_the_network(self, harbour: Served, place: Path) -> None:
        (place / "http_bot.py").write_text(pages.file_in(PROGRAMS, "http_bot.py"), encoding="utf-8")
        bots = [
            subprocess.Popen(
                [sys.executable, "-X", "dev", "http_bot.py", f"{harbour.address}/games/harbour", token],
                cwd=place,
                env={**os.environ, "no_proxy": "*"},
                stderr=subprocess.PIPE,
                text=True,
            )
            for token in (harbour.token("harbour", side) for side in ("athens", "syracuse"))
        ]
        ended = [(bot.communicate(timeout=4 * PATIENCE)[1], bot.returncode) for bot in bots]
        assert ended == [("", 0)] * 2
        with harbour.desk() as desk:
            game = desk.game("harbour")
            assert game.turn == 2 or game.ended  # a bot may withdraw, which ends the battle in its first turn
            assert {"athens", "syracuse"} <= {line.seat for line in game.referee.audit()}
            assert game.verify().valid
        harbour.stop()

    def test_bot_has_at_most_40_lines(self) -> None:
        assert lines_of_code("http_bot.py") <= 40
