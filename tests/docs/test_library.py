"""Run the Python blocks of the pages about the library, and of every other page that has some."""

import json
import os
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.docs import pages

EMBEDDING = pages.ROOT / "docs" / "how-to" / "library.md"
PROGRAMS = pages.ROOT / "docs" / "how-to" / "library-programs.md"
HARBOUR = "fixtures/war-galley/scenarios/great-harbour.toml"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty working folder with a link to the fixtures of a clone."""
    (tmp_path / "fixtures").symlink_to(pages.ROOT / "fixtures", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", pages.pages(), ids=lambda page: page.name)
def test_python_blocks_of_the_page_run_and_print_as_shown(page: Path, folder: Path) -> None:
    pages.run(page, folder)


def test_blocks_of_the_pages_are_all_found() -> None:
    """Match every opened fence with the pattern for blocks."""
    for page in at_least_one(pages.pages()):
        opened = re.findall(r"^ *```python", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(opened) == len(list(pages.blocks(page))), page.name


def test_links_of_the_page_lead_to_headings() -> None:
    text = EMBEDDING.read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^## (.+)$", text, re.M)
    }
    assert set(re.findall(r"\]\(#([\w-]+)\)", text)) == headings


class TestTour:
    def test_session_of_the_page_leaves_a_valid_ledger(self, folder: Path) -> None:
        """Open and verify the files that the page left on the disk, with the results of the page."""
        pages.run(EMBEDDING, folder)
        with umpire.open("umpire.db", read_only=True) as desk:
            assert [game.game for game in desk.games()] == ["harbour", "what-if", "evening-2"]
            harbour = desk.game("harbour")
            assert harbour.verify().valid
            acts = [act.kind for act in harbour.referee.referee_acts()]
            assert acts == ["correction"] * 3  # the rewind, the redo, the amendment
            assert harbour.referee.disputes("open") == []
        assert umpire.verify("harbour.jsonl").valid


class TestBot:
    def test_two_bots_play_a_turn_against_each_other(self, folder: Path) -> None:
        (folder / "bot.py").write_text(pages.file_in(PROGRAMS, "bot.py"), encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(pages.ROOT)}
        command = [sys.executable, "-X", "dev", "bot.py"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        assert re.fullmatch(r"turn 2, \d+ records, VALID\n", done.stdout)
        with umpire.open("bots.db", read_only=True) as desk:
            harbour = desk.game("harbour")
            orders = {line.order: line.seat for line in harbour.referee.audit()}
            authors = set(orders.values())
            assert {"athens", "syracuse"} <= authors
            assert harbour.referee.refusals() == []
            assert len({unit.at for unit in harbour.referee.units()}) > 1

    def test_code_is_about_40_lines(self) -> None:
        assert lines_of_code("bot.py") <= 40


class _Threads(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing on the terminal."""


class _Client:
    """A client with a token at the other end of a socket."""

    def __init__(self, port: int) -> None:
        self._base = f"http://127.0.0.1:{port}"

    def ask(
        self, path: str, token: str = "olive", body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], Any]:
        said = {
            "Authorization": f"Bearer {token}",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        request = urllib.request.Request(self._base + path, data=body, headers=said)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, dict(answer.headers), json.load(answer)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, dict(refusal.headers), json.loads(refusal.read() or b"null")

    def order(self, token: str = "olive", /, *, headers: dict[str, str] | None = None, **order: Any) -> Any:
        return self.ask("/games/harbour/orders", token, json.dumps(order).encode(), **(headers or {}))


class TestWebHandler:
    @pytest.fixture
    def harbour(self, folder: Path) -> Iterator[umpire.PlayedGame]:
        with umpire.open("web.db") as desk:
            yield desk.new("war-galley", HARBOUR, id="harbour", dice="table")

    @pytest.fixture
    def client(self, harbour: umpire.PlayedGame) -> Iterator[_Client]:
        web = pages.load(pages.file_in(PROGRAMS, "web.py"), "web", "web.py")
        server = make_server("127.0.0.1", 0, web.application(harbour.desk), _Threads, _Quiet)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield _Client(server.server_port)
        server.shutdown()
        thread.join()
        server.server_close()

    def test_status_is_that_of_the_seat_with_its_position(self, client: _Client, harbour: umpire.PlayedGame) -> None:
        code, headers, shown = client.ask("/games/harbour", "laurel")
        assert (code, shown["seat"], shown["waiting"]) == (200, "syracuse", ["athens", "syracuse"])
        assert headers["ETag"] == f'"{harbour.size}"'

    def test_order_is_accepted_from_both_sides(self, client: _Client, harbour: umpire.PlayedGame) -> None:
        code, _, outcome = client.order(order="roll-wind", pips=[3, 4])
        assert (code, outcome["seat"], outcome["position"]) == (200, "athens", harbour.size)
        code, _, outcome = client.order("laurel", order="join", ship="syracuse-6", squadron="sicanus")
        assert (code, outcome["seat"]) == (200, "syracuse")
        assert harbour.spectator.known().units["syracuse-6"].attributes["squadron"] == "sicanus"

    def test_refusal_is_a_problem(self, client: _Client, harbour: umpire.PlayedGame) -> None:
        before = harbour.size
        code, headers, problem = client.order(order="roll-wind", pips=[7, 4])
        assert (code, headers["Content-Type"]) == (422, "application/problem+json")
        assert (problem["type"], problem["status"], problem["rule"]) == ("urn:umpire:refused", 422, "dice")
        assert problem["do"]
        assert harbour.size == before

    def test_order_of_the_other_side_is_refused(self, client: _Client) -> None:
        code, _, problem = client.order("laurel", **{"as": "athens", "order": "roll-wind", "pips": [3, 4]})
        assert (code, problem["rule"]) == (422, "seats")
        assert problem["title"].startswith("this is an order of athens")

    def test_order_for_an_older_position_is_refused(self, client: _Client, harbour: umpire.PlayedGame) -> None:
        _, headers, _ = client.ask("/games/harbour")
        seen = {"If_Match": headers["ETag"]}
        assert client.order("laurel", headers=seen, order="note", text="first")[0] == 200
        code, _, problem = client.order(headers=seen, order="roll-wind", pips=[3, 4])
        assert (code, problem["type"]) == (412, "urn:umpire:somebody-wrote-first")
        assert "note: first" in problem["do"]
        seen = {"If_Match": f'"{harbour.size}"'}
        assert client.order(headers=seen, order="roll-wind", pips=[3, 4])[0] == 200

    def test_order_sent_twice_is_carried_out_once(self, client: _Client, harbour: umpire.PlayedGame) -> None:
        key = {"Idempotency_Key": "n-1"}
        _, _, first = client.order(headers=key, order="note", text="once")
        size = harbour.size
        code, _, again = client.order(headers=key, order="note", text="once")
        assert (code, again["repeated"], again["records"]) == (200, True, first["records"])
        assert harbour.size == size

    @pytest.mark.parametrize("body", [b"{", b"", b"[1]", b"null", b'"\xff"'])
    def test_body_that_is_not_an_order_is_a_bad_request(self, client: _Client, body: bytes) -> None:
        code, _, problem = client.ask("/games/harbour/orders", body=body)
        assert (code, problem["type"]) == (400, "urn:umpire:usage")

    def test_strangers_other_games_and_other_pages(self, client: _Client) -> None:
        assert client.ask("/games/harbour", "thistle")[0] == 401
        assert client.ask("/games/piraeus")[0] == 404
        assert client.ask("/games")[0] == 404
        assert client.order(headers={"If_Match": "yesterday"}, order="done")[0] == 400

    def test_many_at_once(self, client: _Client, harbour: umpire.PlayedGame) -> None:
        before = harbour.size
        codes: list[int] = []

        def talk(token: str) -> None:
            codes.extend(client.order(token, order="note", text=str(number))[0] for number in range(8))

        people = [threading.Thread(target=talk, args=(token,)) for token in ("olive", "laurel") * 2]
        for one in people:
            one.start()
        for one in people:
            one.join()
        assert codes == [200] * 32
        assert harbour.size == before + 32
        assert harbour.verify().valid

    def test_code_is_about_40_lines(self) -> None:
        assert lines_of_code("web.py") <= 45


class TestAnalysis:
    def test_its_figures_are_those_of_the_recording(self, folder: Path) -> None:
        """Counted again from the lines of the replay, without Umpire."""
        session = pages.run(PROGRAMS, folder)
        replay = pages.ROOT / "fixtures" / "war-galley" / "replays" / "great-harbour.jsonl"
        lines = [json.loads(line) for line in replay.read_text(encoding="utf-8").splitlines()]
        events = [line["event"] for line in lines if "event" in line]
        pips = [pip for event in events if event["type"] == "dice.rolled" for pip in event["pips"]]
        printed = PROGRAMS.read_text(encoding="utf-8")
        assert f"d6       {tuple(pips.count(face) for face in range(1, 7))}" in printed
        removed = [event["unit"] for event in events if event["type"] == "unit.removed"]
        assert sum(session["losses"].values()) == len(removed) == 2
        orders = len({line["command"] for line in lines if "command" in line})
        assert sum(session["taken"].values()) == 30 * (orders - 1)


def lines_of_code(name: str) -> int:
    code = pages.file_in(PROGRAMS, name)
    return sum(
        1 for line in code.splitlines() if line.strip() and not line.lstrip().startswith(("#", "import", "from"))
    )
