"""Check templates, schemas and checks of `umpire scenario`, and that a refused `new` leaves no file."""

import json
from pathlib import Path

import pytest

from tests.cli.terminal import Answer, Terminal
from tests.face.desk import title_ids


@pytest.mark.parametrize("title", title_ids())
def test_unchanged_template_opens_a_game(terminal: Terminal, title: str) -> None:
    terminal.ok("scenario", title, "-o", "mine.toml")
    assert terminal.ok("scenario", "--check", "mine.toml").out.startswith("mine.toml: ")
    terminal.ok("new", title, "--id", "mine", "--scenario", "mine.toml")


def test_template_is_printed_without_a_file_name(terminal: Terminal) -> None:
    assert terminal.ok("scenario", "war-galley").out.startswith("#:schema war-galley.schema.json\n")
    told = terminal.ok("scenario", "war-galley", "--json").json
    assert (told["title"], told["file"]) == ("war-galley", None)


def test_schema_is_written_for_an_editor(terminal: Terminal) -> None:
    terminal.ok("scenario", "war-galley", "--schema", "-o", "war-galley.schema.json")
    written = json.loads((terminal.folder / "war-galley.schema.json").read_text())
    assert written == terminal.ok("scenario", "war-galley", "--schema").json
    assert written["$schema"] == "http://json-schema.org/draft-07/schema#"


class TestATitleAndAGameOfOneName:
    """A name of both a title and a game, which means the game, so that older scripts keep their meaning."""

    def test_shared_name_means_the_game(self, terminal: Terminal) -> None:
        terminal.ok("new", "freeform", "--id", "freeform", "--scenario", "scenario.toml")
        assert "[position]" in terminal.ok("scenario", "freeform").out

    def test_shared_name_means_the_title_for_template_and_schema(self, terminal: Terminal) -> None:
        terminal.ok("new", "freeform", "--id", "freeform", "--scenario", "scenario.toml")
        assert terminal.ok("scenario", "freeform", "--template").out.startswith("#:schema")
        assert terminal.ok("scenario", "freeform", "--schema").json["title"] == "A scenario of Freeform"

    def test_position_option_means_a_game(self, terminal: Terminal) -> None:
        answer = terminal.type("scenario", "freeform", "--at", "3")
        assert answer.code == 7  # there is no ledger yet

    def test_name_of_no_title_or_game_is_refused(self, ford: Terminal) -> None:
        assert ford.type("scenario", "fort").code == 6


class TestLookingThrough:
    def broken(self, terminal: Terminal, *more: str) -> Answer:
        text = (terminal.folder / "scenario.toml").read_text()
        terminal.write(
            "broken.toml", text.replace('at = "0101"', "at = 0101").replace('side = "blue"', 'side = "bleu"')
        )
        return terminal.type("scenario", "--check", "broken.toml", *more)

    def test_check_lists_every_fault_with_line_and_path(self, terminal: Terminal) -> None:
        answer = self.broken(terminal)
        assert answer.code == 2
        assert answer.out.startswith("broken.toml: 2 faults\nbroken.toml:11: the file is not valid TOML")
        assert "broken.toml:16: there is no side bleu\n  at:   $.units[1].side\n" in answer.out
        assert '  do:   put text and hexes in quotes: at = "0101"\n' in answer.out

    def test_as_json(self, terminal: Terminal) -> None:
        answer = self.broken(terminal, "--json")
        assert answer.code == 2
        assert [(one["line"], one["path"]) for one in answer.json["findings"]] == [(11, ""), (16, "$.units[1].side")]

    def test_check_of_a_missing_file_is_an_error(self, terminal: Terminal) -> None:
        answer = terminal.type("scenario", "--check", "nowhere.toml", "--json")
        assert answer.code == 2
        assert "nowhere.toml" in answer.error["what"]

    def test_check_of_a_file_refuses_an_extra_name(self, terminal: Terminal) -> None:
        answer = terminal.type("scenario", "freeform", "--check", "scenario.toml", "--json")
        assert (answer.code, answer.error["what"]) == (2, "--check takes a file and cannot be combined with a name")
        assert "the file names its own title" in answer.error["remedy"]

    def test_scenario_without_arguments_is_refused(self, terminal: Terminal) -> None:
        answer = terminal.type("scenario", "--json")
        assert answer.code == 2
        assert "`umpire titles`" in answer.error["remedy"]

    def test_refused_new_counts_the_remaining_faults(self, terminal: Terminal) -> None:
        text = (terminal.folder / "scenario.toml").read_text()
        terminal.write(
            "two.toml", text.replace('side = "red"', 'side = "rot"').replace('side = "blue"', 'side = "blau"')
        )
        answer = terminal.type("new", "freeform", "--id", "ford", "--scenario", "two.toml", "--json")
        assert answer.error["what"] == "there is no side rot"
        assert answer.error["remedy"].endswith("1 more: `umpire scenario --check FILE` lists them")


class TestARefusedNewLeavesNothingBehind:
    @pytest.mark.parametrize(
        ("words", "code"),
        [
            (("freeform", "--id", "ford", "--scenario", "broken.toml"), 2),
            (("freeform", "--id", "ford", "--scenario", "missing.toml"), 2),
            (("war-galley", "--id", "ford", "--scenario", "scenario.toml"), 2),
            (("no-such-title", "--id", "ford", "--scenario", "scenario.toml"), 6),
            (("freeform", "--id", "the ford", "--scenario", "scenario.toml"), 2),
        ],
    )
    def test_refused_new_leaves_no_file_and_no_ledger(
        self, terminal: Terminal, words: tuple[str, ...], code: int
    ) -> None:
        text = (terminal.folder / "scenario.toml").read_text()
        terminal.write("broken.toml", text.replace('side = "red"', 'side = "rot"'))
        before = files(terminal.folder)
        assert terminal.type("new", *words).code == code
        assert files(terminal.folder) == before

    def test_refused_new_leaves_an_existing_ledger_unchanged(self, ford: Terminal) -> None:
        before = (ford.ok("games", "--json").out, (ford.folder / "umpire.db").read_bytes())
        text = (ford.folder / "scenario.toml").read_text()
        ford.write("broken.toml", text.replace('side = "red"', 'side = "rot"'))
        assert ford.type("new", "freeform", "--id", "second", "--scenario", "broken.toml").code == 2
        assert ford.type("new", "freeform", "--id", "ford", "--scenario", "scenario.toml").code == 2
        assert (ford.ok("games", "--json").out, (ford.folder / "umpire.db").read_bytes()) == before


def files(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}
