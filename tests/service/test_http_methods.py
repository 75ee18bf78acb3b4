"""HEAD answers wherever GET does, OPTIONS and 405 name both, and answers are compressed for those who accept it."""

import gzip

import httpx
import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.face.service import is_worth_it
from tests.service.served import CERTIFICATES, Served

READS = (
    "/games",
    "/games/{game}",
    "/games/{game}/status",
    "/games/{game}/units",
    "/games/{game}/audit",
    "/games/{game}/map.svg",
    "/table/{game}?as=red",
    "/replay/{game}?as=red",
    "/titles",
    "/health",
    "/schema/openapi.json",
)


def raw(served: Served, method: str, path: str, token: str = "", **headers: str) -> httpx.Response:
    """Send a request and return the answer with its body as it was sent."""
    bearer = {"Authorization": f"Bearer {token}"} if token else {}
    with (
        httpx.Client(base_url=served.address, timeout=60, verify=CERTIFICATES) as http,
        http.stream(method, path, headers={"Accept-Encoding": "identity", **bearer, **headers}) as answer,
    ):
        answer.extensions["raw"] = b"".join(answer.iter_raw())
        return answer


class TestHead:
    @pytest.mark.parametrize("path", READS)
    def test_head_answers_like_get_without_a_body(self, served: Served, path: str) -> None:
        game = served.game()
        token = served.token(game, "red", "program")
        asked = path.format(game=game)
        got, head = (raw(served, method, asked, token) for method in ("GET", "HEAD"))
        assert (head.status_code, head.extensions["raw"]) == (got.status_code, b"")
        for name in ("content-type", "etag", "content-security-policy"):
            assert head.headers.get(name, "")[:40] == got.headers.get(name, "")[:40], name

    def test_head_of_a_stream_ends(self, served: Served) -> None:
        game = served.game()
        answer = raw(served, "HEAD", f"/games/{game}/stream", served.token(game, "red", "program"))
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")

    @pytest.mark.parametrize(("who", "status"), [("", 401), ("other", 403), ("red", 200)])
    def test_head_refuses_whom_get_refuses(self, served: Served, who: str, status: int) -> None:
        game, other = served.game(), served.game()
        token = {"": "", "other": served.token(other, "red", "program"), "red": served.token(game, "red", "program")}
        for method in ("GET", "HEAD"):
            assert raw(served, method, f"/games/{game}/status", token[who]).status_code == status

    def test_head_does_not_act(self, served: Served) -> None:
        game = served.game()
        token = served.token(game, "red", "program")
        answer = raw(served, "HEAD", f"/games/{game}/done", token)
        assert answer.status_code == 405
        assert "HEAD" not in answer.headers["allow"]


class TestAllow:
    @pytest.mark.parametrize(
        ("path", "allowed"),
        [
            ("/games/{game}/status", {"GET", "HEAD", "OPTIONS"}),
            ("/games/{game}/done", {"POST", "OPTIONS"}),
            ("/games/{game}/orders", {"GET", "HEAD", "POST", "OPTIONS"}),
            ("/games", {"GET", "HEAD", "POST", "OPTIONS"}),
        ],
    )
    def test_options_and_405_name_the_methods(self, served: Served, path: str, allowed: set[str]) -> None:
        game = served.game()
        token = served.token(game, "red", "program")
        for method in ("OPTIONS", "DELETE"):
            answer = raw(served, method, path.format(game=game), token)
            assert {one.strip() for one in answer.headers["allow"].split(",")} == allowed, method


class TestOneGame:
    @pytest.mark.parametrize("seat", ["red", "blue", "spectator", "referee"])
    @pytest.mark.parametrize("options", [{}, {"spectator_delay": "30m"}])
    def test_entry_is_that_of_the_list(self, served: Served, seat: str, options: dict[str, str]) -> None:
        game = served.game(options=options)
        served.program(game, "red").post(f"/games/{game}/orders", {"order": "note", "text": "new"})
        program = served.program(game, seat)
        entry = program.get(f"/games/{game}").json()  # it first records that a referee was let in
        assert entry == program.get("/games").json()[0]

    @pytest.mark.parametrize("known", [True, False])
    def test_game_of_others_is_refused_like_a_missing_one(self, served: Served, known: bool) -> None:
        game, other = served.game(), served.game() if known else "nowhere"
        answer = served.program(game, "red").get(f"/games/{other}")
        assert answer.status_code == 403
        assert answer.json()["error"] == "not-your-seat"

    def test_operator_gets_404_for_a_missing_game(self, served: Served) -> None:
        assert served.program("", "referee").get("/games/nowhere").status_code == 404


class TestCompression:
    def test_long_answer_is_compressed_and_equal(self, served: Served) -> None:
        game = served.game()
        token = served.token(game, "red", "program")
        plain = raw(served, "GET", f"/games/{game}/map.svg", token)
        small = raw(served, "GET", f"/games/{game}/map.svg", token, **{"Accept-Encoding": "gzip"})
        assert small.headers["content-encoding"] == "gzip"
        assert "Accept-Encoding" in small.headers["vary"]
        assert int(small.headers["content-length"]) == len(small.extensions["raw"])
        assert gzip.decompress(small.extensions["raw"]) == plain.extensions["raw"]

    def test_every_text_varies_by_accepted_encoding(self, served: Served) -> None:
        game = served.game()
        token = served.token(game, "red", "program")
        for path, asked in (("/games/{game}/status", "identity"), ("/titles", "gzip"), ("/table/{game}", "gzip")):
            answer = raw(served, "GET", path.format(game=game), token, **{"Accept-Encoding": asked})
            assert "Accept-Encoding" in answer.headers["vary"], path
        static = raw(served, "GET", "/pages/umpire.js")
        assert static.headers["vary"] == "Accept-Encoding"

    @pytest.mark.parametrize("path", ["/games/{game}/map.svg", "/titles/war-galley/orders", "/pages/umpire.js"])
    def test_forms_of_an_answer_have_their_own_etags(self, served: Served, path: str) -> None:
        """RFC 9110, 8.8.3.3."""
        game = served.game()
        token, asked = served.token(game, "red", "program"), path.format(game=game)
        plain = raw(served, "GET", asked, token).headers["etag"]
        small = raw(served, "GET", asked, token, **{"Accept-Encoding": "gzip"}).headers["etag"]
        assert small != plain
        for tag in (plain, small, f"W/{small}", f'"other", {small}'):
            for encoding in ("gzip", "identity"):
                known = {"If-None-Match": tag, "Accept-Encoding": encoding}
                answer = raw(served, "GET", asked, token, **known)
                assert answer.status_code == 304, (tag, encoding)
                assert answer.headers["etag"] in tag
                assert "Accept-Encoding" in answer.headers["vary"]
        assert raw(served, "GET", asked, token, **{"If-None-Match": '"other-gzip"'}).status_code == 200

    def test_equal_etags_of_compressed_answers_mean_equal_bytes(self, served: Served) -> None:
        game = served.game()
        token = served.token(game, "red", "program")
        asked = {"Accept-Encoding": "gzip"}
        seen: dict[str, set[bytes]] = {}
        for _ in range(200):
            answer = raw(served, "GET", f"/games/{game}/map.svg", token, **asked)
            seen.setdefault(answer.headers["etag"], set()).add(answer.extensions["raw"])
        assert len(seen) < 200
        assert {len(bodies) for bodies in seen.values()} == {1}

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    def test_order_may_name_the_etag_of_a_compressed_answer(self, served: Served, method: str) -> None:
        game = served.game()
        token = served.token(game, "red", "program")
        seen = raw(served, method, f"/games/{game}/map.svg", token, **{"Accept-Encoding": "gzip"}).headers["etag"]
        assert "-gzip" in seen
        program = served.program(game, "red")
        order = {"order": "note", "text": "new"}
        assert program.post(f"/games/{game}/orders", order, If_Match=seen).status_code == 200
        late = program.post(f"/games/{game}/orders", order, If_Match=seen)
        assert (late.status_code, late.json()["error"]) == (412, "somebody-wrote-first")
        assert program.post(f"/games/{game}/orders", order, If_Match=f"W/{seen}").status_code == 400

    def test_length_of_equal_answers_varies(self, served: Served) -> None:
        game = served.game()
        token = served.token(game, "red", "program")
        asked = {"Accept-Encoding": "gzip"}
        sizes = {len(raw(served, "GET", f"/games/{game}/map.svg", token, **asked).extensions["raw"]) for _ in range(8)}
        assert len(sizes) > 1

    @pytest.mark.parametrize("said", ["", "identity", "br", "gzip;q=0", "*;q=0"])
    def test_client_that_does_not_accept_gzip_gets_plain_text(self, served: Served, said: str) -> None:
        game = served.game()
        answer = raw(
            served, "GET", f"/games/{game}/map.svg", served.token(game, "red", "program"), **{"Accept-Encoding": said}
        )
        assert "content-encoding" not in answer.headers

    @pytest.mark.parametrize(
        ("kind", "length", "more", "fits"),
        [
            (b"text/html", 1024, False, True),
            (b"text/html", 1023, False, False),
            (b"text/html", 1024, True, False),
            (b"image/png", 1024, False, False),
            (b"text/event-stream", 1024, False, False),
        ],
    )
    def test_only_a_whole_long_text_is_compressed(self, kind: bytes, length: int, more: bool, fits: bool) -> None:
        start = {"headers": [(b"content-type", kind)]}
        message = {"body": b"x" * length, "more_body": more}
        assert is_worth_it({b"accept-encoding": b"gzip"}, start, message) is fits
