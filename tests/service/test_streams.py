"""Test streams of records: whole, in order, resumed after the last event, and only for their seats."""

import json
import signal
import socket
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.service.reading import reading
from tests.service.served import PATIENCE, Caller, Served

SEAL = {"order": "seal-choice", "question": "plan", "choice": "the left flank"}


def note(text: str) -> dict[str, str]:
    return {"order": "note", "text": text}


class TestAStream:
    def test_records_come_as_they_are_recorded(self, served: Served) -> None:
        game = served.game()
        red, blue = served.program(game, "red"), served.program(game, "blue")
        with reading(blue, f"/games/{game}/stream") as stream:
            given = red.post(f"/games/{game}/orders", note("one")).json()["position"]
            came = stream.next()
        assert came is not None
        assert (came.kind, came.id, came.data["text"]) == ("record", str(given), "note: one")

    def test_stream_reports_records_of_the_command_line(self, served: Served) -> None:
        game = served.game()
        with reading(served.program(game, "blue"), f"/games/{game}/stream") as stream:
            with served.desk() as desk:
                desk.game(game).seat("red").note("by hand")
            came = stream.next()
        assert came is not None
        assert came.data["text"] == "note: by hand"

    def test_stream_resumes_after_the_last_event(self, served: Served) -> None:
        """Resume a lost connection without a missing or repeated record."""
        game = served.game()
        red = served.program(game, "red")
        at = [red.post(f"/games/{game}/orders", note(f"n{number}")).json()["position"] for number in range(4)]
        with reading(red, f"/games/{game}/stream", Last_Event_ID=str(at[1])) as stream:
            came = [stream.next(), stream.next()]
        assert [one.id for one in came if one] == [str(at[2]), str(at[3])]

    def test_all_of_a_game_from_its_beginning(self, served: Served) -> None:
        game = served.game()
        red = served.program(game, "red")
        with served.desk() as desk:
            size = desk.game(game).size
        with reading(red, f"/games/{game}/stream?after=0") as stream:
            ids = [one.id for _ in range(size) if (one := stream.next())]
        assert ids == [str(number) for number in range(1, size + 1)]

    def test_stream_shows_a_secret_to_its_own_seat_only(self, served: Served) -> None:
        game = served.game(options={"secrets_closed_to_referee": True})
        red = served.program(game, "red")
        given = red.post(f"/games/{game}/orders", SEAL)
        assert given.status_code == 200, given.text
        red.post(f"/games/{game}/orders", note("over"))
        seen: dict[str, str] = {}
        for seat in ("red", "blue", "referee", "spectator"):
            with reading(served.program(game, seat), f"/games/{game}/stream?after=0") as stream:
                texts = []
                while (came := stream.next()) and came.data["text"] != "note: over":
                    texts.append(json.dumps(came.data))
                seen[seat] = " ".join(texts)
        assert "left flank" in seen["red"]
        assert not [seat for seat in ("blue", "referee", "spectator") if "left flank" in seen[seat]]
        assert "choice.sealed" in seen["blue"]

    def test_stream_of_revoked_seat_ends(self, served: Served) -> None:
        game = served.game()
        token = served.program(game, "blue")
        red = served.program(game, "red")
        with reading(token, f"/games/{game}/stream") as stream:
            with served.desk() as desk:
                (mine,) = [one for one in desk.invitations.listed(game) if one.seat == "blue"]
                desk.invitations.revoke(mine.id)
            red.post(f"/games/{game}/orders", note("behind their back"))
            assert [one.kind for one in stream.rest()] == ["closed"]

    def test_readers_of_a_seat_get_the_same_except_revoked_ones(self, served: Served) -> None:
        """Share one answer among the readers of a seat, but not with a reader whose seat was revoked in between."""
        game = served.game()
        red, tokens = served.program(game, "red"), [served.token(game, "blue") for _ in range(6)]
        readers = [Caller(served.address, token) for token in tokens]
        with ExitStack() as open_ones:
            streams = [open_ones.enter_context(reading(one, f"/games/{game}/stream")) for one in readers]
            for number in range(4):
                assert red.post(f"/games/{game}/orders", note(f"n{number}")).status_code == 200
                heard = {came.data["text"] for one in streams if (came := one.next())}
                assert heard == {f"note: n{number}"}
            with served.desk() as desk:
                for token in tokens[1:]:
                    desk.invitations.revoke(token.partition(".")[0])
            red.post(f"/games/{game}/orders", note("behind their backs"))
            last = streams[0].next()
            assert last is not None
            ended = [[one.kind for one in stream.rest()] for stream in streams[1:]]
        assert last.data["text"] == "note: behind their backs"
        assert ended == [["closed"]] * 5

    @pytest.mark.parametrize(("headers", "status"), [({"Last_Event_ID": "x"}, 400), ({"Last_Event_ID": "9999"}, 404)])
    def test_invalid_start_position_is_refused(self, served: Served, headers: dict[str, str], status: int) -> None:
        game = served.game()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = served.program(game, "red").get(f"/games/{game}/stream", headers=named)
        assert answer.status_code == status

    def test_streams_over_the_limit_of_a_seat_are_refused(self, served: Served) -> None:
        game = served.game()
        red = served.program(game, "red")
        open_ones = [reading(red, f"/games/{game}/stream") for _ in range(8)]
        for one in open_ones:
            assert one.__enter__().status == 200
        refused = red.get(f"/games/{game}/stream")
        assert refused.status_code == 429
        assert refused.headers["retry-after"]
        assert served.program(game, "red").get(f"/games/{game}/status").status_code == 200


class TestStreamEnd:
    def test_stop_closes_streams_and_keeps_answered_orders(self, place: Path) -> None:
        served = Served(place)
        red = served.program("first", "red")
        with reading(red, "/games/first/stream") as stream:
            given = red.post("/games/first/orders", note("last words")).json()["position"]
            began = time.monotonic()
            served.process.send_signal(signal.SIGTERM)
            kinds = [one.kind for one in stream.rest()]
        assert kinds == ["record", "stopping"]
        assert served.process.wait(PATIENCE) in (0, -signal.SIGTERM)
        assert time.monotonic() - began < 15
        served.start(served.port)
        assert red.get("/games/first/audit?last=1").json()[0]["position"] == given
        served.stop()

    def test_stalled_reader_is_dropped_and_delays_no_one(self, place: Path) -> None:
        served = Served(place, "--rate", "5000", "--growth", "100000", "--slow", "1")
        blue, red = served.token("first", "blue"), served.program("first", "red")
        many = (json.dumps(note("x" * 1900)) + "\n") * 400
        for _ in range(15):  # more than all buffers between a server and its reader
            lines = {"Content-Type": "application/x-ndjson"}
            assert red.http.post("/games/first/order-files", content=many, headers=lines).status_code == 200
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.connect(("127.0.0.1", served.port))
            asked = f"GET /games/first/stream?after=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {blue}\r\n\r\n"
            deaf.sendall(asked.encode())
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until and not any('"dropped"' in line for line in tuple(served.log)):
                assert red.post("/games/first/orders", note("go on")).status_code == 200
                time.sleep(0.1)
        assert any('"dropped"' in line for line in served.log)
        served.stop()
