"""Check that the prompt takes the words of the shell: `dispute open`, `rule`, `amend` and others."""

from collections.abc import Callable
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.cli.terminal import Terminal
from tests.face.cli import Conversation, is_shell_form

Typed = Callable[..., str]


class Lines:
    """Prepared input lines, followed by the end of input."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)

    def read(self, label: str) -> str:
        if not self._lines:
            raise EOFError
        return self._lines.pop(0)


@pytest.fixture
def typed(ford: Terminal, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Return a function that types lines at a seat's prompt, and returns the output."""

    def type_lines(*lines: str, seat: str = "referee", record: Path | None = None) -> str:
        with umpire.open(str(ford.folder / "umpire.db")) as desk:
            Conversation(desk.game("ford").seat(seat), Lines(*lines), record).run()
        said = capsys.readouterr()
        return said.out + said.err

    return type_lines


def test_dispute_and_ruling_at_the_prompt_are_typed_as_in_the_shell(ford: Terminal, typed: Typed) -> None:
    said = typed(
        "move r1 0201 --as red",
        "dispute open '#4' --claim 'too far' --as red",
        'rule "it is fine" --grounds house --why agreed --dispute d1',
        "dispute list",
    )
    assert "it is fine (agreed)" in said
    assert "new:" not in said
    assert [one["settled"] for one in ford.ok("dispute", "list", "ford", "--json").json] == [7]


def test_amendment_at_the_prompt_goes_to_the_file(ford: Terminal, typed: Typed) -> None:
    file = ford.folder / "evening.jsonl"
    typed("move r1 0201 --as red", "amend '#4' move r1 0202 --why misread", record=file)
    (unit,) = (one for one in ford.ok("units", "ford", "--json").json if one["id"] == "r1")
    assert unit["at"] == "0202"
    assert '"order":"amend"' in file.read_text(encoding="utf-8").splitlines()[1]


@pytest.mark.parametrize("line", ["dispute 3 unfair", 'rule fine agreed "house rule"', "undo 1", "note hello"])
def test_typed_orders_keep_their_form(ford: Terminal, typed: Typed, line: str) -> None:
    before = ford.size()
    said = typed("pay vp/red 1", line)
    assert "Error" not in said
    assert ford.size() == before + 2


@pytest.mark.parametrize("line", ["amend 3 --drop --why x", "rule x --grounds house --why y", "peek blue --why x"])
def test_command_of_the_referee_is_refused_at_a_seats_prompt(ford: Terminal, typed: Typed, line: str) -> None:
    before = ford.size()
    assert f"Refused: only the referee may use {line.split(maxsplit=1)[0]}" in typed(line, seat="red")
    assert ford.size() == before


FOR_ANOTHER_SEAT = [
    "order move r1 0201 --as {}",
    "undo -n 1 --as {}",
    "rewind --to '#3' --why x --as={}",
    "seal -o seal.txt --as {}",
    "reveal --all --as {}",
    "export -o all.log --as {}",
    "audit --as {}",
]


@pytest.mark.parametrize("line", FOR_ANOTHER_SEAT)
@pytest.mark.parametrize(
    ("seat", "other"), [("red", "blue"), ("red", "referee"), ("blue", "red"), ("spectator", "red")]
)
def test_command_for_another_seat_is_refused(ford: Terminal, typed: Typed, line: str, seat: str, other: str) -> None:
    before, files = ford.size(), sorted(ford.folder.iterdir())
    said = typed(line.format(other), seat=seat)
    assert "  rule: seats" in said.splitlines()
    assert f"open a prompt with --as {other}" in said
    assert (ford.size(), sorted(ford.folder.iterdir())) == (before, files)


@pytest.mark.parametrize("line", ["order move r1 0201 --as", "audit --as", "audit --as="])
@pytest.mark.parametrize("seat", ["red", "blue", "spectator"])
def test_command_for_an_unnamed_seat_is_refused(ford: Terminal, typed: Typed, line: str, seat: str) -> None:
    before = ford.size()
    said = typed(line, seat=seat)
    assert "  rule: seats" in said.splitlines()
    assert "--as SEAT" in said
    assert ford.size() == before


@pytest.mark.parametrize(("seat", "named"), [("red", "red"), ("referee", "red"), ("referee", "referee")])
def test_command_for_own_seat_or_by_referee_is_carried_out(ford: Terminal, typed: Typed, seat: str, named: str) -> None:
    before = ford.size()
    typed(f"order pay vp/red 1 --as {named}", seat=seat)
    assert ford.size() == before + 1
    assert ford.ok("audit", "ford", "--json").json[-1]["seat"] == named


SHELL_FORMS = {
    "amend": (["", "3 --drop", "3 --before", "3 --reroll", "3 --skip", "3 --why=x"], ["3 note a", "3 move r1 0202"]),
    "reveal": (["", "4", "#4", "plan --all", "4 --withdraw"], ["plan", "#", "#plan"]),
    "rewind": (["--to 3", "--to=3", "3 --json"], ["", "3", "3 --tomorrow"]),
    "undo": (["-n 1", "-n=1", "1 --orders"], ["", "1", "n"]),
    "dispute": (["open 3", "settle d1", "list", "show d1"], ["", "3 unfair", "3 open"]),
    "note": (["a --if x", "a --arrives 3", "a --order-id b"], ["", "a", "if", "a --about x"]),
    "export": (["", "x"], []),
    "move": ([], ["r1 0201", "r1 0201 --to 3"]),
}
"""The possible continuations of each word, for the shell command and for the order."""


@pytest.mark.parametrize("seat", ["red", "blue", "referee"])
@pytest.mark.parametrize("word", SHELL_FORMS)
def test_order_and_command_of_one_name_differ(ford: Terminal, word: str, seat: str) -> None:
    commands, orders = SHELL_FORMS[word]
    with umpire.open(str(ford.folder / "umpire.db")) as desk:
        sitting = desk.game("ford").seat(seat)
        assert [one for one in commands if not is_shell_form(sitting, [word, *one.split()])] == []
        assert [one for one in orders if is_shell_form(sitting, [word, *one.split()])] == []


@pytest.mark.parametrize("line", ["diff", "rule x --why y", "dispute open 3", "case d9"])
def test_wrong_use_of_a_command_leaves_the_prompt_open(typed: Typed, line: str) -> None:
    said = typed(line, "note still here")
    assert "Error:" in said
    assert "still here" in said


def test_question_mark_explains_a_command(typed: Typed) -> None:
    assert "Decline a requested rewind" in typed("? decline")
    assert "umpire amend --help" in typed("? amend")
