"""Check that an empty option, as from an unset shell variable, is refused, because it would have another meaning."""

import re

import pytest

from tests.cli.terminal import Terminal
from tests.face.cli import DONE, USAGE


class TestEmptyOption:
    @pytest.mark.parametrize(
        "words",
        [
            ("note", "ford", "we sail at dawn", "--to", ""),
            ("note", "ford", "we sail at dawn", "--to=", "--as", "red"),
            ("note", "ford", "we sail at dawn", "--to", " , "),
            ("order", "ford", '{"order": "note", "text": "x"}', "--as", ""),
            ("done", "ford", "--until", ""),
            ("export", "ford", "-o", ""),
        ],
    )
    def test_order_with_empty_option_records_nothing(self, ford: Terminal, words: tuple[str, ...]) -> None:
        before = ford.size()
        answer = ford.type(*words, "--json")
        assert (answer.code, answer.error["error"], ford.size()) == (USAGE, "usage", before)

    @pytest.mark.parametrize(
        "words",
        [
            ("audit", "ford", "--by", ""),
            ("games", "--title", ""),
            ("verify", "ford", "--checkpoint", ""),
            ("status", "ford", "--ledger="),
        ],
    )
    def test_look_with_empty_filter_is_refused(self, ford: Terminal, words: tuple[str, ...]) -> None:
        assert ford.type(*words).code == USAGE

    def test_empty_word_of_typed_order_is_left_to_the_order(self, ford: Terminal) -> None:
        answer = ford.type("order", "ford", "note", "", "--as", "red")
        assert "option" not in answer.err

    def test_variable_without_value_means_no_variable(self, ford: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("UMPIRE_SEAT", "")
        assert ford.type("status", "ford").code == DONE


class TestNameGivenTwice:
    @pytest.mark.parametrize("option", [("--option", "fog=true", "fog=false"), ("--key", "red=a", "red=b")])
    def test_new_game_is_refused(self, terminal: Terminal, option: tuple[str, str, str]) -> None:
        name, first, second = option
        words = ("new", "freeform", "--id", "ford", "--scenario", "scenario.toml", name, first, name, second)
        answer = terminal.type(*words)
        assert (answer.code, name in answer.err) == (USAGE, True)
        assert not (terminal.folder / "umpire.db").exists()


class TestArchivedGame:
    def test_order_in_archived_game_names_unarchive(self, ford: Terminal) -> None:
        remedy = re.compile(r"`umpire \w+ ford`")
        assert not remedy.search(ford.ok("note", "ford", "x").err)
        ford.ok("archive", "ford")
        assert remedy.search(ford.ok("note", "ford", "x").err)
        assert remedy.search(ford.ok("play", "ford", ford.orders({"as": "red", "order": "note", "text": "y"})).err)
        ford.ok("unarchive", "ford")
        assert not remedy.search(ford.ok("note", "ford", "x").err)

    def test_list_counts_archived_games(self, ford: Terminal) -> None:
        ford.ok("archive", "ford")
        (*_, last) = ford.ok("games").out.splitlines()
        assert last.startswith("1 ")
        assert "--archived`" in last
        assert "--archived`" not in ford.ok("games", "--all").out
        assert ford.ok("games", "--json").json == []
