"""Check `umpire play GAME` in a real pseudo-terminal, with `prompt_toolkit` and without it."""

import importlib.util
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.pseudo_terminal import PseudoTerminal
from tests.cli.terminal import ROOT, Terminal
from tests.naming import Naming

GALLEY = str(ROOT / "fixtures" / "war-galley" / "scenarios" / "great-harbour.toml")
PLAINLY = "import sys; sys.modules['prompt_toolkit'] = None; from umpire_ledger.cli.main import umpire; umpire()"
ENTER, TAB, UP, CTRL_C, CTRL_D = "\r", "\t", "\x1b[A", "\x03", "\x04"
TOOLKIT = pytest.param(
    "toolkit",
    marks=pytest.mark.skipif(
        importlib.util.find_spec("prompt_toolkit") is None, reason="the extra `prompt` is not installed"
    ),
)


@pytest.fixture(params=["plain", TOOLKIT])
def program(request: pytest.FixtureRequest) -> list[str]:
    """Return the command of the program, with or without the library."""
    return [sys.executable, *(["-c", PLAINLY] if request.param == "plain" else ["-m", "umpire_ledger.cli.main"])]


def at_prompt(terminal: Terminal, program: list[str], *words: str) -> PseudoTerminal:
    return PseudoTerminal([*program, "play", *words], terminal.folder, terminal.environment)


@pytest.fixture
def red(ford: Terminal, program: list[str]) -> Iterator[PseudoTerminal]:
    """Terminal with Red's prompt in the game `ford`, which writes accepted lines to a file."""
    with at_prompt(ford, program, "ford", "--as", "red", "--record", "evening.jsonl") as typed:
        typed.see("red>")
        yield typed


def recorded(terminal: Terminal, file: str = "evening.jsonl") -> list[dict[str, object]]:
    return [json.loads(line) for line in (terminal.folder / file).read_text(encoding="utf-8").splitlines()]


def orders_of(terminal: Terminal, game_id: str = "ford") -> list[dict[str, object]]:
    """Return the orders in the ledger, without the opening."""
    terminal.ok("export", game_id, "-o", "log.jsonl")
    lines = (terminal.folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    causes = [record["cause"] for line in lines if (record := json.loads(line)).get("cause")]
    found = [one if isinstance(one, dict) else json.loads(one) for one in causes]
    return [one for one in found if one.get("order")]


def test_session_at_the_prompt_is_recorded_and_replayable(ford: Terminal, red: PseudoTerminal) -> None:
    """Give orders, a typo and an undo; the saved file leads to the same state."""
    red.type("move r1 0201 0202" + ENTER)
    red.see("r1: 0101 → 0201 → 0202")
    red.see("red>")
    red.type("move r2 0201" + ENTER)
    red.see("Refused:")
    red.see("r2")
    red.see("red>")
    red.type("pay vp/red 2" + ENTER)
    red.see("vp/red")
    red.see("red>")
    red.type("u" + ENTER)
    red.see("#6  Red ")
    red.see("red>")
    red.type('{"order": "note", "text": "well met"}' + ENTER)
    red.see("#7  Red ")
    red.see(": well met")
    red.see("red>")
    red.type(CTRL_D)
    assert red.ends() == 0
    lines = recorded(ford)
    assert [line["order"] for line in lines] == ["move", "pay", "undo", "note"]
    assert lines == orders_of(ford)
    played = ford.ok("play", "ford", "evening.jsonl", "--as", "red", "--json").json
    assert (played["orders"], [one["line"] for one in played["skipped"]]) == (0, [1, 2, 3, 4])
    ford.new("again")
    ford.ok("play", "again", "evening.jsonl")
    assert ford.ok("units", "again", "--json").json == ford.ok("units", "ford", "--json").json


def test_empty_line_shows_the_step_and_suggested_orders(terminal: Terminal, program: list[str]) -> None:
    terminal.ok("new", "war-galley", "--id", "harbour", "--scenario", GALLEY, "--dice", "table")
    with at_prompt(terminal, program, "harbour", "--as", "athens") as athens:
        athens.see("A athens>")
        athens.type(ENTER)
        said = athens.see("roll-wind --as athens --pips N,N")
        assert "turn 1 · A the wind" in said
        assert "required:" in said
        first = said.partition("orders:")[2].partition("\n")[0]
        assert first == Naming("athens", "A", "roll-wind"), "what is owed is the first of the orders"
        assert "--as syracuse" not in said
        athens.type("? roll-wind" + ENTER)
        assert "roll-wind [--by-the-book OUTCOME:SOURCE]" in athens.see("Steps:")
        athens.type("?" + ENTER)
        assert "Possible orders now" in athens.see("At any time:")
        athens.type("status" + ENTER)
        athens.see("last_turn 8")
        athens.see("A athens>")
        athens.type("roll-wind --pips 3,4" + ENTER)
        athens.see("B.choice athens>")


def test_empty_line_lists_the_available_orders(red: PseudoTerminal) -> None:
    red.type(ENTER)
    assert red.see("orders:")
    assert red.see("seal-choice")


def test_views_can_be_typed_at_the_prompt(ford: Terminal, red: PseudoTerminal) -> None:
    """Run views for this game and seat, with no record and with errors for typos."""
    before = ford.size()
    for typed, told in (
        ("audit --last 1", "#1 "),
        ("units --side red", "strength 4"),
        ("why 2", "#2 r1 "),
        ("undo --preview", "Refused:"),
        ("why", "do:   why [OPTIONS] #N"),
        ("unit r9", "Error:"),
        ("import x", "`umpire import ford …`"),
        ("export x", "do:   export ["),
        ("help", "Possible orders now"),
        ("? move", "Move a unit along a path of places"),
    ):
        red.type(typed + ENTER)
        red.see(told)
        red.see("red>")
    assert ford.size() == before


def test_sentence_is_recorded_as_typed(ford: Terminal, red: PseudoTerminal) -> None:
    red.type("""note Blue doesn't agree: "why?\"""" + ENTER)
    red.see("#4  Red ")
    red.see(": Blue doesn't agree")
    red.see("red>")
    assert orders_of(ford)[-1]["text"] == """Blue doesn't agree: "why?\""""


def test_prompt_drops_the_waiting_side_after_its_order(terminal: Terminal, program: list[str]) -> None:
    terminal.ok("new", "war-galley", "--id", "harbour", "--scenario", GALLEY, "--dice", "table")
    with at_prompt(terminal, program, "harbour", "--as", "athens") as athens:
        athens.see("since")
        athens.see("A athens>")
        athens.type("roll-wind @3,4" + ENTER)
        told = athens.see("B.choice athens>")
        assert "required:" in told
        assert "since" not in told


def test_tab_completes_orders_and_units(ford: Terminal, red: PseudoTerminal) -> None:
    for typed in ("mov" + TAB, " r" + TAB, " 0301" + ENTER):
        red.type(typed)
        time.sleep(1)  # what Tab puts in is drawn letter by letter: there are no words to wait for
    red.see("r1: 0101 → 0301")
    assert [order["order"] for order in orders_of(ford)] == ["move"]


def test_arrow_key_recalls_a_line_of_the_last_session(ford: Terminal, program: list[str]) -> None:
    for typed, told in (("pay vp/red 1", "#4"), (UP, "#5")):
        with at_prompt(ford, program, "ford", "--as", "red") as red:
            red.see("red>")
            red.type(typed + ENTER)
            red.see(told)
    assert [order["order"] for order in orders_of(ford)] == ["pay", "pay"]
    folder = ford.folder / "umpire.db.history"
    assert folder.stat().st_mode & 0o077 == 0, "nobody else sees who sat down"
    (kept,) = folder.iterdir()
    assert kept.stat().st_mode & 0o077 == 0, "nobody else reads what a seat typed"


def test_history_of_a_seat_is_hidden_from_other_seats(ford: Terminal, program: list[str]) -> None:
    with at_prompt(ford, program, "ford", "--as", "red") as red:
        red.see("red>")
        red.type("seal-choice stance attack" + ENTER)
        red.see("#4  Red ")
        red.see("attack")
    with at_prompt(ford, program, "ford", "--as", "blue") as blue:
        blue.see("blue>")
        blue.type(UP + "note nothing" + ENTER)
        assert "attack" not in blue.see("#6  Blue ") + blue.see(": nothing")


def test_ctrl_c_gives_up_a_line_and_ctrl_d_leaves(ford: Terminal, red: PseudoTerminal) -> None:
    before = ford.size()
    red.type("pay vp/red 1")
    time.sleep(1)  # so that it is read: an interrupt that comes before is the program's, not the line's
    for _ in range(3):  # a signal just before the program reads is seen with the next key
        red.type(CTRL_C)
        if red.shows("no order given", 5):
            break
    red.see("no order given")
    red.see("red>")
    red.type(CTRL_D)
    assert red.ends() == 0
    assert ford.size() == before


def test_however_it_is_interrupted_the_ledger_and_the_file_agree(ford: Terminal, red: PseudoTerminal) -> None:
    """Send Ctrl-C after each order, at once or some milliseconds later, while it is read, recorded or shown."""
    for number in range(60):
        red.type(f"pay vp/red {number + 1}{ENTER}")
        time.sleep(number * 7 % 31 / 1000)
        red.type(CTRL_C)
    red.type(ENTER + "note the end" + ENTER)
    red.see("the end")
    red.see("the end")
    red.see("red>")
    assert red.leave() == 0
    assert recorded(ford) == orders_of(ford)


def test_order_is_shown_as_recorded_if_file_is_full(ford: Terminal, program: list[str]) -> None:
    (ford.folder / "evening.jsonl").symlink_to("/dev/full")
    before = ford.size()
    with at_prompt(ford, program, "ford", "--as", "red", "--record", "evening.jsonl") as typed:
        typed.see("red>")
        typed.type("note the bridge is down" + ENTER)
        typed.see("#4  Red ")
        typed.see(": the bridge is down")
        typed.see("Warning: ")
        typed.see("evening.jsonl")
        typed.see("red>")
        typed.type(CTRL_D)
        assert typed.ends() == 0
    assert ford.size() == before + 1


def test_pasted_lines_are_orders_of_their_own(ford: Terminal, red: PseudoTerminal) -> None:
    red.type("\x1b[200~note well met\npay vp/red 1\x1b[201~" + ENTER)
    red.see("#4  Red ")
    red.see(": well met")
    red.see("#5  Red ")
    red.see("vp/red")
    assert [order["order"] for order in orders_of(ford)] == ["note", "pay"]


def test_prompt_shows_records_of_other_seats(ford: Terminal, red: PseudoTerminal) -> None:
    ford.give("blue", "note", text="we hold the ford")
    red.type(ENTER)
    red.see("new: ")
    red.see("we hold the ford")
    assert orders_of(ford)[-1]["order"] == "note"


def test_referee_types_for_the_waiting_side(terminal: Terminal, program: list[str]) -> None:
    terminal.ok("new", "war-galley", "--id", "harbour", "--scenario", GALLEY, "--dice", "table")
    with at_prompt(terminal, program, "harbour") as referee:
        referee.see("A athens/syracuse>")
        referee.type("roll-wind --pips 3,4 --as athens" + ENTER)
        referee.see("B.choice athens/syracuse>")
        referee.type("join athens-6 menander" + ENTER)
        referee.see("B.choice syracuse>")
    assert {"as": "athens", "entered_by": "referee"}.items() <= orders_of(terminal, "harbour")[-1].items()


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ((), "at:   umpire play ford\n"),
        (("--check",), "Error: --check, --from, --again, --resume "),
        (("orders.jsonl", "--record", "evening.jsonl"), "Error: --record "),
    ],
)
def test_prompt_requires_a_terminal_and_no_file_option(
    ford: Terminal, words: tuple[str, ...], what: str, tmp_path: Path
) -> None:
    ford.orders({"as": "red", "order": "note", "text": "a"})
    answer = ford.type("play", "ford", *words)
    assert answer.code == 2
    assert what in answer.err
    assert "do:" in answer.err
    assert not (tmp_path / "evening.jsonl").exists()


def test_status_and_orders_do_not_import_prompt_modules(ford: Terminal) -> None:
    code = (
        "import sys; from umpire_ledger.cli.main import umpire\n"
        "try: umpire({words!r})\nexcept SystemExit: pass\n"
        "names = ('prompt_toolkit', 'readline', 'umpire_ledger.cli.prompt',"
        " 'umpire_ledger.desk.orders.order_arguments',"
        " 'umpire_ledger.desk.orders.completion', 'umpire_ledger.desk.orders.order_pages')\n"
        "print([name for name in names if name in sys.modules])"
    )
    for words, needed in (
        (["status", "ford"], []),
        (["order", "ford", '{"order": "note", "text": "a"}', "--as", "red"], []),
        (["order", "ford", "note", "a", "--as", "red"], ["umpire_ledger.desk.orders.order_arguments"]),
    ):
        said = ford.run(code.format(words=words))
        assert said.splitlines()[-1] == str(needed), words
