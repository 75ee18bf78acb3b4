"""Test that text in a log reaches a terminal, a page or a spreadsheet only as text.

The commands come from the table of commands, their options from the commands: a new one is tried automatically.
"""

import ast
import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from markdown_it import MarkdownIt

from tests.at_least_one import at_least_one
from tests.attacks.command_table import commands
from tests.attacks.hostile import NAME, TEXT, fresh, hostile_game, hostile_ways, raw, unseen, wrong_ways
from tests.cli.terminal import ROOT, Answer, Terminal
from tests.face.projections import (
    inert,
    inert_cell,
    inert_json,
    inert_markdown,
    inert_markdown_line,
)
from umpire_ledger.cli import printing

COMMANDS = list(commands())
Ways = Callable[[tuple[str, ...], click.Command, str], Iterator[list[str]]]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """Return a terminal with the hostile game `ford`; tests that write take a copy."""
    return hostile_game(tmp_path_factory.mktemp("hostile"))


class TestEveryCommand:
    @pytest.fixture
    def copies(self, hostile: Terminal, tmp_path: Path) -> Callable[[], Terminal]:
        numbers = iter(range(1000))
        return lambda: fresh(hostile, tmp_path / str(next(numbers)))

    @pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[" ".join(name) for name, _ in COMMANDS])
    @pytest.mark.parametrize("kinds", [hostile_ways, wrong_ways])
    def test_command_output_contains_no_control_characters(
        self, name: tuple[str, ...], command: click.Command, kinds: Ways, copies: Callable[[], Terminal]
    ) -> None:
        for words in at_least_one(kinds(name, command, TEXT)):
            answer = copies().type(*words)
            assert not raw(answer), (words, answer)

    @pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[" ".join(name) for name, _ in COMMANDS])
    def test_nor_to_a_terminal(
        self,
        name: tuple[str, ...],
        command: click.Command,
        copies: Callable[[], Terminal],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(printing, "on_terminal", lambda: True)
        for words in at_least_one(hostile_ways(name, command, TEXT)):
            answer = copies().type(*words)
            assert not raw(answer), (words, answer)

    def test_most_of_them_are_answered_and_not_refused(self, hostile: Terminal, tmp_path: Path) -> None:
        """Check that few commands are refused, because a refusal shows none of the log. An amendment stops."""
        refused = {
            " ".join(name)
            for at, (name, command) in enumerate(COMMANDS)
            if fresh(hostile, tmp_path / str(at)).type(*next(hostile_ways(name, command, TEXT))).code
        }
        assert refused <= {
            "amend",
            "key cosign",  # the referee has no key
            "reveal",  # the game is not over
            "check-title",
            "done",
            "invite",
            "export",  # without -o
            "play",
            "dice-share",  # dice of the table take no shares
            "unarchive",
            "dispute settle",
            "rewind",
            "ask-rewind",
            "consent",
            "decline",
        }


class TestOutput:
    def test_listings_show_control_characters_by_number(self, hostile: Terminal) -> None:
        for words in (("audit", "ford"), ("status", "ford"), ("units", "ford"), ("lines", "ford")):
            assert "e<U+001B>[2J<U+009B>1m" in hostile.ok(*words).out, words

    def test_note_with_line_breaks_stays_on_one_line(self, hostile: Terminal) -> None:
        rows = hostile.ok("audit", "ford", "--event", "note.added").out.splitlines()
        assert [row.split()[0] for row in rows] == ["record", "#5", "#6", "#7", "#22"]

    def test_json_is_exact(self, hostile: Terminal) -> None:
        answer = hostile.ok("audit", "ford", "--event", "note.added", "--json")
        assert answer.json[0]["text"] == f"note: {TEXT}"
        assert "\\u202e" in answer.out

    def test_refusal_shows_the_typed_words_and_the_place(self, hostile: Terminal) -> None:
        answer = hostile.type("unit", "ford", f"\x1b]0;x\x07{NAME}")
        assert answer.code == 6
        assert " <U+001B>]0;x<U+0007>e<U+001B>[2J" in answer.err.splitlines()[0]
        assert hostile.type("unit", "ford", TEXT, "--json").error["what"].endswith(f" {TEXT}")

    def test_export_on_terminal_has_equal_values(self, hostile: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        """Print the hashed bytes into a pipe, and equal values on a terminal."""
        exact = hostile.ok("export", "ford", "-o", "-").out
        assert "\u202e" in exact
        monkeypatch.setattr(printing, "on_terminal", lambda: True)
        shown = hostile.ok("export", "ford", "-o", "-")
        assert not raw(shown)
        assert list(map(json.loads, shown.out.splitlines())) == list(map(json.loads, exact.split("\n")[:-1]))


OWN_PICTURE = re.compile(r'<img src="(map-before|map-after|dice)\.svg" alt="[^"<>]*" />')
"""Of a case file."""


class TestPages:
    @pytest.fixture(
        params=[("audit", "ford", "--all", "--markdown"), ("sitrep", "ford", "--markdown"), ("case",)],
        ids=["audit", "sitrep", "case"],
    )
    def page(self, request: pytest.FixtureRequest, hostile: Terminal) -> str:
        if request.param == ("case",):
            return (hostile.folder / "case" / "case.md").read_text(encoding="utf-8")
        return hostile.ok(*request.param).out

    def test_markdown_takes_nothing_from_a_note(self, page: str) -> None:
        assert not raw(Answer(0, page, ""))
        html = OWN_PICTURE.sub("", MarkdownIt("gfm-like", {"linkify": False}).render(page))
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
        for tag in ("<script", "<em>", "<a ", "<img", "<code>a", "<h1># "):
            assert tag not in html
        assert "# &lt;script" in page.replace("\\", ""), "the heading is text"

    def test_table_rows_have_the_cells_of_their_heading(self, page: str) -> None:
        html = MarkdownIt("gfm-like", {"linkify": False}).render(page)
        tables = html.split("<table>")[1:]
        assert len(tables) == len(re.findall(r"^\|(-+\|)+$", page, re.MULTILINE))
        for table in tables:
            rows = table.split("</table>")[0].split("<tr>")[1:]
            assert {row.count("</td>") + row.count("</th>") for row in rows} == {rows[0].count("</th>")}

    def test_csv_contains_no_formula(self, hostile: Terminal) -> None:
        text = hostile.ok("audit", "ford", "--all", "--csv").out
        head, *rows = csv.reader(io.StringIO(text))
        assert all(not cell.startswith(("=", "+", "-", "@", "\t", "\r")) for row in rows for cell in row)
        assert {row[head.index("position")] for row in rows} >= {"1", "2", "3"}, "a number stays a number"
        assert any(cell.startswith("'=HYPERLINK") for row in rows for cell in row)

    def test_case_quotes_its_commands_for_a_shell(self, terminal_with_a_hostile_id: Terminal) -> None:
        page = (terminal_with_a_hostile_id.folder / "case" / "case.md").read_text(encoding="utf-8")
        assert "umpire case 'ford;`reboot`' d1 --as referee" in page

    @pytest.fixture
    def terminal_with_a_hostile_id(self, tmp_path: Path) -> Terminal:
        terminal = Terminal(tmp_path)
        game = "ford;`reboot`"
        terminal.new(game)
        terminal.ok("dispute", "open", game, "#2", "--claim", "so it was not")
        terminal.ok("case", game, "d1", "-o", "case")
        return terminal


class TestEscaping:
    def test_every_unseen_character_of_unicode_is_shown(self) -> None:
        every = map(chr, range(sys.maxunicode + 1))
        assert not [f"{ord(char):04X}" for char in every if unseen(char) and inert(char) == char]

    def test_ordinary_text_is_not_escaped(self) -> None:
        for text in ("Ἀθῆναι → Συράκουσαι · 2d6 + 1", "Żółw's “fleet”", "戦艦大和", "non\xa0breaking", "⚔️ ☠️", "שלום"):
            assert inert(text) == text
            assert json.loads(inert_json(json.dumps(text, ensure_ascii=False))) == text

    def test_variation_selector_is_kept_only_after_a_sign(self) -> None:
        assert inert("r1\ufe0f ⚔\ufe0f") == "r1<U+FE0F> ⚔\ufe0f"

    def test_json_of_any_character_has_the_same_value(self) -> None:
        for code in (*range(0x300), *range(0x2000, 0x2100), 0xFEFF, 0xE0041, 0x1F600):
            raw_json = json.dumps(chr(code), ensure_ascii=False)
            assert json.loads(inert_json(raw_json)) == chr(code)
            assert not any(map(unseen, inert_json(raw_json)))

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("# no heading", "\\# no heading"),
            ("1. no list", "1\\. no list"),
            ("- no list", "\\- no list"),
            ("-3 is a number, 7.3 a rule", "-3 is a number, 7.3 a rule"),
            ("a\nb", "a&lt;U+000A&gt;b"),
            ("a|b `c` *d* _e_ [f](g) <h> & ~i~", "a\\|b \\`c\\` \\*d\\* \\_e\\_ \\[f\\](g) &lt;h&gt; &amp; \\~i\\~"),
        ],
    )
    def test_markdown(self, text: str, shown: str) -> None:
        assert inert_markdown_line(text) == shown

    def test_markdown_makes_no_link_of_an_address(self) -> None:
        shown = inert_markdown("see https://a.example www.b.example c@d.example")
        assert "<a" not in MarkdownIt("gfm-like", {"linkify": False}).render(shown)
        assert "://" not in shown
        assert "www." not in shown
        assert "@" not in shown

    def test_cell_of_formula_is_quoted(self) -> None:
        assert [inert_cell(text) for text in ("=1", "+1", "-1", "@a", "\t=1", "a=1")] == [
            *("'=1", "'+1", "'-1", "'@a", "<U+0009>=1", "a=1"),
        ]


def test_commands_print_through_one_door() -> None:
    """Check that `cli/printing.py` is the only place that prints: it alone escapes text."""
    others = {"print", "click.echo", "click.secho", "sys.stdout.write", "sys.stderr.write"}
    for file in at_least_one(sorted((ROOT / "cli").glob("*.py"))):
        calls = [node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
        assert file.name == "printing.py" or not others & {ast.unparse(call.func) for call in calls}, file.name
