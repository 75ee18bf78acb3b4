"""Check that long answers are paged and colored on a terminal only, and that colors add nothing to the words."""

import re
from collections.abc import Mapping

import click
import pytest

from tests.cli.pseudo_terminal import PseudoTerminal
from tests.cli.terminal import Terminal
from tests.face.cli import (
    COMMANDS,
    SECTIONS,
    WIDEST,
    is_coloured,
    paint,
    side_marks,
    umpire,
)

ESCAPE = "\x1b["


def commands() -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [()]
    for name in COMMANDS:
        command = umpire.get_command(click.Context(umpire), name)
        inner = command.commands if isinstance(command, click.Group) else {}
        found += [(name,), *((name, one) for one in inner)]
    return found


class TestHelp:
    @pytest.mark.parametrize("words", commands(), ids=" ".join)
    def test_help_has_at_most_80_columns(self, terminal: Terminal, words: tuple[str, ...]) -> None:
        said = terminal.ok(*words, "--help").out
        assert [line for line in said.split("\n") if len(line) > 80] == []

    def test_commands_stand_by_what_they_are_for(self, terminal: Terminal) -> None:
        said = terminal.ok("--help").out
        assert (
            said.index("\nPlay:\n  status ")
            < said.index("\nGo back:\n  undo-points ")
            < said.index("\nShare and check:\n  export ")
        )
        assert "..." not in said.partition("Start a game:")[2].partition("Exit codes")[0]

    def test_every_command_has_its_place_and_its_line(self) -> None:
        placed = [name for some in SECTIONS.values() for name in some]
        assert set(COMMANDS) <= set(placed), "give the command a line in `cli/help_page.py`"
        assert len(placed) == len(set(placed))


class TestAPager:
    @pytest.fixture
    def long(self, ford: Terminal) -> Terminal:
        for number in range(60):
            ford.ok("note", "ford", f"remark {number}")
        return ford

    def at(self, terminal: Terminal, *words: str, **environment: str) -> PseudoTerminal:
        variables: Mapping[str, str] = {**terminal.environment, **environment}
        return PseudoTerminal(terminal.command(*words), terminal.folder, variables)

    def test_long_answer_opens_a_pager(self, long: Terminal) -> None:
        with self.at(long, "audit", "ford", PAGER="less -FRX") as screen:
            screen.see("remark 1")
            screen.type("q")
            assert screen.ends() == 0

    def test_pager_is_named_by_PAGER(self, long: Terminal) -> None:
        with self.at(long, "audit", "ford", PAGER="sed s/remark/PAGED/") as screen:
            screen.see("PAGED 59")
            assert screen.ends() == 0

    @pytest.mark.parametrize(("words", "pager"), [(("--no-pager",), "sed s/remark/PAGED/"), ((), "cat"), ((), "")])
    def test_pager_can_be_turned_off(self, long: Terminal, words: tuple[str, ...], pager: str) -> None:
        with self.at(long, "audit", "ford", *words, PAGER=pager) as screen:
            assert "PAGED" not in screen.see("remark 59")
            assert screen.ends() == 0

    def test_short_answer_is_printed_without_a_pager(self, ford: Terminal) -> None:
        with self.at(ford, "status", "ford", PAGER="sed s/Skirmish/PAGED/") as screen:
            assert "PAGED" not in screen.see("Skirmish at the ford")
            assert screen.ends() == 0

    def test_error_keeps_its_exit_code_with_a_pager(self, ford: Terminal) -> None:
        with self.at(ford, "audit", "fort", PAGER="cat") as screen:
            screen.see("Error:")
            assert screen.ends() == 6

    def test_never_in_a_pipe(self, long: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PAGER", "sed s/remark/PAGED/")
        assert "PAGED" not in long.process("audit", "ford").out


class TestColours:
    def test_none_in_a_pipe(self, ford: Terminal) -> None:
        assert ESCAPE not in ford.process("status", "ford").out
        assert ESCAPE not in ford.process("status", "fort").err

    def test_forced_colours_are_used_outside_a_terminal(self, ford: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CLICOLOR_FORCE", "1")
        assert f"{ESCAPE}31m" in ford.process("status", "fort").err

    def test_nowhere_with_NO_COLOR(self, ford: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CLICOLOR_FORCE", "1")
        monkeypatch.setenv("NO_COLOR", "1")
        assert ESCAPE not in ford.process("status", "fort").err

    def test_terminal_without_colours_gets_no_colours(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Screen:
            def isatty(self) -> bool:
                return True

        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("TERM", "xterm")
        assert is_coloured(Screen())  # type: ignore[arg-type]
        monkeypatch.setenv("TERM", "dumb")
        assert not is_coloured(Screen())  # type: ignore[arg-type]

    @pytest.mark.parametrize("line", ["Error: x", "Warning: x", "VALID: ford", "INVALID: ford", "waiting:  red"])
    def test_they_say_no_more_than_the_words(self, line: str) -> None:
        assert ESCAPE in paint(line)
        assert re.sub(r"\x1b\[[0-9;]*m", "", paint(line)) == line

    def test_sides_have_different_marks_and_colours(self) -> None:
        marks = side_marks(("unit", "side"), [("r1", "red"), ("b1", "blue"), ("n", "")])
        assert {text for text, _ in marks.values()} == {"▲ blue", "● red"}
        assert len({colour for _, colour in marks.values()}) == 2


class TestTablesInAPipe:
    @pytest.mark.parametrize("title", ["pacific-war", "federation-and-empire"])
    def test_long_cell_runs_on_in_its_own_line(self, terminal: Terminal, title: str) -> None:
        lines = terminal.ok("orders", title).out.splitlines()
        assert all(line == line.rstrip() for line in lines)
        gaps = [len(gap) for line in lines for gap in re.findall(" {2,}", line)]
        assert max(gaps) <= WIDEST + 2


class TestTablesForOtherPrograms:
    @pytest.mark.parametrize(
        "words",
        [
            ("units", "ford"),
            ("undo-points", "ford"),
            ("lines", "ford"),
            ("diff", "ford", "1", "3"),
            ("refusals", "ford"),
            ("unit", "ford", "r1"),
            ("since", "ford", "red"),
            ("dispute", "list", "ford"),
            ("rulings",),
            ("titles",),
            ("orders", "war-galley"),
            ("sequence", "war-galley"),
            ("conformance", "ford"),
        ],
        ids=" ".join,
    )
    def test_every_table_is_had_as_csv_and_markdown(self, ford: Terminal, words: tuple[str, ...]) -> None:
        csv = ford.ok(*words, "--csv").out.split("\n")
        markdown = ford.ok(*words, "--markdown").out.split("\n")
        assert csv[0].count(",") >= 1
        assert "  " not in csv[0]
        assert markdown[0].startswith("| ")
        assert markdown[1].startswith("|---|")

    def test_messages_next_to_a_csv_table_go_to_stderr(self, ford: Terminal) -> None:
        answer = ford.ok("unit", "ford", "r1", "--csv")
        assert answer.out.startswith("record,turn,")
        assert "r1" in answer.err
