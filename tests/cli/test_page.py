"""Check `umpire replay-page`, its errors, and `umpire verify` of a page."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.terminal import Answer, Terminal
from tests.naming import Naming
from tests.projections.page_blocks import Blocks


@pytest.fixture
def played(ford: Terminal) -> Terminal:
    """Game with three records of the opening, a move of each side, and a roll."""
    ford.give("red", "move", unit="r1", path=["0101", "0202"])
    ford.give("blue", "move", unit="b1", path=["0102", "0207"])
    ford.give("red", "roll", purpose="to hit", dice="2d6", pips=[3, 4])
    return ford


def refused(answer: Answer, code: int, *, what: str, do: str) -> None:
    """Check that an answer is a refusal in four parts, and that no incomplete file remains."""
    assert (answer.code, answer.out) == (code, "")
    assert what in answer.err.splitlines()[0], answer.err
    assert "  do:   " in answer.err
    assert do in answer.err, answer.err


def files_in(folder: Path) -> set[str]:
    """Return the names of the files in a folder, except those of the store."""
    return {file.name for file in folder.iterdir() if not file.name.startswith(("umpire.db", "umpire.views"))}


class TestPage:
    def test_page_contains_the_game_in_a_single_file(self, played: Terminal) -> None:
        said = played.ok("page", "ford", "-o", "ford.html").out
        size = (played.folder / "ford.html").stat().st_size
        assert said.splitlines()[0] == Naming("ford.html", "#1-#6", "ford", "referee", f"{size:,}")
        page = Blocks(played.folder / "ford.html")
        assert page.items[1][3] == "Red moves r1: 0101 → 0202\n"
        assert page.records[6]["x"] == {"words": "to hit: 2d6", "pips": [3, 4], "total": 7}

    def test_as_a_seat_and_as_data(self, played: Terminal) -> None:
        made = played.ok("page", "ford", "-o", "blue.html", "--as", "blue", "--from", "#5", "--to", "5", "--json").json
        assert (made["game"], made["seat"], made["first"], made["last"]) == ("ford", "blue", 5, 5)
        assert made["file"] == "blue.html"
        assert Blocks(played.folder / "blue.html").facts["seat"] == "blue"

    def test_page_of_a_copy_names_the_original(self, played: Terminal) -> None:
        played.ok("fork", "ford", "--at", "4", "--id", "what-if")
        assert "of what-if (a copy of ford at #4)" in played.ok("page", "what-if", "-o", "if.html").out

    def test_given_again_it_is_the_same_file(self, played: Terminal) -> None:
        pages = []
        for _ in range(2):
            played.ok("page", "ford", "-o", "ford.html")
            pages.append((played.folder / "ford.html").read_bytes())
        assert pages[0] == pages[1]

    @pytest.mark.parametrize(
        ("words", "code", "what", "do"),
        [
            (("ford", "-o", "ford.txt"), 2, ".txt", " .html"),
            (("ford", "-o", "ford"), 2, "", " .html"),
            (("ford", "-o", "umpire.db"), 2, ".db", " .html"),
            (("ford", "-o", "nowhere/ford.html"), 2, ": No such file or directory", ""),
            (("ford", "-o", "f.html", "--as", "bleu"), 3, "bleu", "blue"),
            (("frod", "-o", "f.html"), 6, "frod", " ford?"),
            (("ford", "-o", "f.html", "--from", "5", "--to", "4"), 2, "#4", ""),
            (("ford", "-o", "f.html", "--to", "99"), 6, "#99", ""),
            (("ford", "-o", "f.html", "--from", "0"), 6, "#0", ""),
        ],
    )
    def test_wrong_option_is_refused_and_leaves_no_file(
        self, played: Terminal, words: tuple[str, ...], code: int, what: str, do: str
    ) -> None:
        before = files_in(played.folder)
        refused(played.type("page", *words), code, what=what, do=do)
        assert files_in(played.folder) == before
        assert played.size() == 6, "the ledger is where it was"

    def test_ctrl_c_leaves_no_file_and_the_old_one_as_it_was(
        self, played: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        played.ok("page", "ford", "-o", "ford.html")
        before = (played.folder / "ford.html").read_bytes()
        names = files_in(played.folder)

        def interrupted(*_: object) -> Iterator[bytes]:
            yield b"<!doctype html>"
            raise KeyboardInterrupt

        monkeypatch.setattr("umpire_ledger.desk.pictures.replay_pages.page_html", interrupted)
        assert played.type("page", "ford", "-o", "ford.html").code == 130
        assert (played.folder / "ford.html").read_bytes() == before
        assert files_in(played.folder) == names

    def test_invalid_position_is_refused(self, played: Terminal) -> None:
        answer = played.type("page", "ford", "-o", "f.html", "--from", "turn 2")
        assert answer.code == 2
        assert "12 or #12" in answer.err


class TestVerify:
    @pytest.fixture
    def page(self, played: Terminal) -> Path:
        played.ok("page", "ford", "-o", "ford.html", "--as", "blue")
        played.ok("export", "ford", "-o", "ford.jsonl", "--as", "blue")
        return played.folder / "ford.html"

    def test_page_and_log_have_the_same_verdict(self, played: Terminal, page: Path) -> None:
        assert played.ok("verify", page.name).out == played.ok("verify", "ford.jsonl").out
        assert played.ok("verify", page.name, "--json").json == played.ok("verify", "ford.jsonl", "--json").json

    def test_through_a_pipe(self, played: Terminal, page: Path) -> None:
        assert played.type("verify", "-", stdin=page.read_bytes()).out == played.ok("verify", "ford.jsonl").out

    def test_page_with_an_altered_log_is_invalid(self, played: Terminal, page: Path) -> None:
        page.write_bytes(page.read_bytes().replace(b'"0207"', b'"0208"'))
        answer = played.type("verify", page.name)
        assert answer.code == 5
        assert answer.out.startswith("INVALID from #")

    def test_page_without_its_log_is_an_error(self, played: Terminal, page: Path) -> None:
        page.write_bytes(page.read_bytes().replace(b'id="log"', b'id="lag"'))
        answer = played.type("verify", page.name)
        assert answer.code == 5
        assert "`log`" in answer.out
        assert "get an undamaged copy of the page" in played.type("import", page.name, "--ledger", "new.db").err

    def test_any_other_page(self, played: Terminal) -> None:
        (played.folder / "other.html").write_text("<!doctype html><p>hello", encoding="utf-8")
        assert "it is not a replay page" in played.type("verify", "other.html").out
