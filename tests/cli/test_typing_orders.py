"""Check orders typed as words: answers, refusals, help, and completion from the game."""

import json
import re
import shlex

import pytest
from click.shell_completion import ShellComplete

import umpire_ledger as library
from tests.cli.terminal import ROOT, Answer, Terminal
from tests.face.cli import umpire
from tests.naming import Naming

GALLEY = str(ROOT / "fixtures" / "war-galley" / "scenarios" / "great-harbour.toml")
BORDER = str(ROOT / "fixtures" / "federation-and-empire" / "scenarios" / "border-war.toml")
HARBOUR = ROOT / "fixtures" / "war-galley" / "orders" / "great-harbour.jsonl"


@pytest.fixture
def harbour(terminal: Terminal) -> Terminal:
    """Return the Great Harbour before the wind is rolled."""
    terminal.ok("new", "war-galley", "--id", "harbour", "--scenario", GALLEY, "--dice", "table")
    return terminal


@pytest.fixture
def at_sea(harbour: Terminal) -> Terminal:
    """Return the Great Harbour in E.1, in which the first squadron moves."""
    lines = HARBOUR.read_text(encoding="utf-8").splitlines()
    last = next(nth for nth, line in enumerate(lines) if '"move-ship"' in line)
    harbour.write("before.jsonl", "\n".join(lines[:last]))
    harbour.ok("play", "harbour", "before.jsonl")
    return harbour


@pytest.fixture
def border(terminal: Terminal) -> Terminal:
    terminal.ok("new", "federation-and-empire", "--id", "border", "--scenario", BORDER, "--dice", "table")
    return terminal


def give(terminal: Terminal, *words: str) -> Answer:
    """Give an order of War Galley, which must be accepted."""
    return terminal.ok("order", "harbour", *words)


def last_order(terminal: Terminal, game_id: str = "harbour") -> dict[str, object]:
    """Return the order of the last record with an order, as in an export."""
    terminal.ok("export", game_id, "-o", "log.jsonl")
    lines = (terminal.folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    causes = [record["cause"] for line in lines if (record := json.loads(line)).get("cause")]
    found: dict[str, object] = causes[-1] if isinstance(causes[-1], dict) else json.loads(causes[-1])
    return found


class TestShortForm:
    def test_required_arguments_are_typed_in_their_order(self, at_sea: Terminal) -> None:
        """Type a ship and its path with commas, as words or as an option, each as the same order."""
        for words in (("0507,0508",), ("0507", "0508"), ("--path", "0507,0508"), ("--path=0507", "--path", "0508")):
            answer = give(at_sea, "move-ship", "syracuse-1", *words, "--as", "syracuse", "--json")
            moved = next(event for event in answer.json["events"] if event["type"] == "unit.moved")
            assert (moved["unit"], moved["path"]) == ("syracuse-1", ["0506", "0507", "0508"])
            assert last_order(at_sea)["path"] == ["0507", "0508"]
            at_sea.ok("undo", "harbour", "--as", "syracuse")

    def test_dice_and_a_witness_come_along(self, harbour: Terminal) -> None:
        give(harbour, "roll-wind", "--pips", "3,4", "--witness", "Anna", "--as", "athens")
        assert {"pips": [3, 4], "witness": "Anna", "as": "athens"}.items() <= last_order(harbour).items()

    def test_same_id_is_a_single_order(self, harbour: Terminal) -> None:
        first = give(harbour, "roll-wind", "--pips", "3,4", "--id", "w1", "--as", "athens", "--json").json
        again = give(harbour, "roll-wind", "--pips", "3,4", "--id", "w1", "--as", "athens", "--json").json
        assert again["repeated"]
        assert again["position"] == first["position"]

    def test_modifier_is_typed_with_its_source(self, harbour: Terminal) -> None:
        give(harbour, "roll-wind", "--pips", "3,4", "--modifiers", "-1:storm, and rain", "--as", "athens")
        assert last_order(harbour)["modifiers"] == [{"amount": -1, "source": "storm, and rain"}]

    def test_sentence_needs_no_quotation_marks(self, harbour: Terminal) -> None:
        give(harbour, "note", "Athens", "offered", "a", "draw")
        assert last_order(harbour)["text"] == "Athens offered a draw"

    def test_attributes_are_typed_as_name_and_number(self, ford: Terminal) -> None:
        ford.ok(
            "order",
            "ford",
            "place",
            "r2",
            "red",
            "foot",
            "0103",
            "--attributes",
            "strength=2,tired=true",
            "--as",
            "red",
        )
        assert last_order(ford, "ford")["attributes"] == {"strength": 2, "tired": True}

    def test_negative_amount_is_not_read_as_an_option(self, ford: Terminal) -> None:
        ford.ok("order", "ford", "pay", "vp/red", "-2", "--as", "red")
        assert last_order(ford, "ford")["amount"] == -2

    def test_first_optional_argument_can_be_typed_by_position(self, ford: Terminal) -> None:
        ford.ok("order", "ford", "mark", "day", "1", "--as", "red")
        ford.ok("order", "ford", "undo", "1", "--as", "red")
        assert last_order(ford, "ford")["orders"] == 1

    def test_choice_with_a_leading_zero_is_a_word(self, ford: Terminal) -> None:
        """Read 407 as a number and the hex 0407 as a word, because a choice takes numbers, words and lists."""
        for word, choice in (("0407", "0407"), ("407", 407), ("0", 0), ("-3", -3)):
            ford.ok("order", "ford", "choose", "aim", word, "--as", "red")
            assert last_order(ford, "ford")["choice"] == choice

    def test_json_is_taken_as_before(self, harbour: Terminal) -> None:
        give(harbour, '{"order": "roll-wind", "pips": [3, 4]}', "--as", "athens")
        assert last_order(harbour)["order"] == "roll-wind"


class TestWhoseItIs:
    def test_referee_types_for_the_side_of_the_named_unit(self, harbour: Terminal) -> None:
        give(harbour, "roll-wind", "--pips", "3,4", "--as", "athens")
        give(harbour, "join", "syracuse-6", "sicanus")
        assert {"as": "syracuse", "entered_by": "referee"}.items() <= last_order(harbour).items()

    def test_referee_must_name_the_side_if_several_can_give_it(self, harbour: Terminal) -> None:
        answer = harbour.type_json("order", "harbour", "roll-wind", "--pips", "3,4")
        assert answer.code == 2
        assert answer.error["refusal_code"] == "wrong-use"
        assert answer.error["what"] == Naming("Athens", "Syracuse", "roll-wind")
        assert answer.error["remedy"] == Naming("--as athens", "--as syracuse")

    def test_player_cannot_type_for_another_side(self, harbour: Terminal) -> None:
        order = '{"order": "roll-wind", "as": "athens"}'
        answer = harbour.type_json("order", "harbour", order, "--as", "syracuse")
        assert answer.code == 3
        assert answer.error["refusal_code"] == "given-by-another-seat"
        assert answer.error["fields"] == {"author": "athens", "hand": "syracuse"}


def refused(terminal: Terminal, game_id: str, *words: str, code: str, what: Naming, do: Naming) -> None:
    """Require a refusal with this code, that names these in the fault and in the remedy, and no record."""
    before = terminal.size(game_id)
    answer = terminal.type_json("order", game_id, *words)
    assert answer.code == (2 if code == "wrong-use" else 3), answer
    error = answer.error
    assert (error["refusal_code"], error["what"], error["remedy"]) == (code, what, do)
    assert terminal.size(game_id) == before


USE, NO_NAME, NO_ORDER = "wrong-use", "unknown-name", "no-such-order-nearest"


class TestSlips:
    @pytest.mark.parametrize(
        ("words", "code", "what", "do"),
        [
            (("move-shp", "syracuse-1", "0507"), NO_ORDER, Naming("move-shp"), Naming("move-ship")),
            (("move-ship", "syracuse-55", "1009"), NO_NAME, Naming("syracuse-55"), Naming("syracuse-5")),
            (("ram", "syracuse-1", "athns-1"), NO_NAME, Naming("athns-1"), Naming("athens-1")),
            (("move-ship", "syracuse-1"), USE, Naming("move-ship", "PATH"), Naming("move-ship SHIP PATH,…")),
            (("move-ship", "syracuse-1", "0507", "--pth", "1"), USE, Naming("--pth"), Naming("--path", "SHIP PATH")),
            (("set-sails", "syracuse-1", "up", "now"), USE, Naming("now"), Naming("set-sails SHIP")),
            (("move-ship", "--path"), USE, Naming("--path"), Naming("move-ship")),
            (("hit", "syracuse-1", "crew", "--amount", "two"), USE, Naming("amount", "'two'"), Naming("hit SHIP")),
            (("hit", "syracuse-1", "crew", "2"), USE, Naming("hit", 2), Naming("--amount 2", "@ or --pips: @2")),
            (("ram", "syracuse-1", "syracuse-1", "--pips", "six"), USE, Naming("--pips", "six"), Naming("--pips 3,4")),
            (("done", "--until", "G.2bb"), NO_NAME, Naming("G.2bb"), Naming("G.2b")),
        ],
    )
    def test_typo_names_the_nearest_word_of_the_right_kind(
        self, at_sea: Terminal, words: tuple[str, ...], code: str, what: Naming, do: Naming
    ) -> None:
        refused(at_sea, "harbour", *words, "--as", "syracuse", code=code, what=what, do=do)

    def test_of_units_those_of_the_seat_come_first(self, border: Terminal) -> None:
        words = ("check-supply", "--partial", "Z-F5-1", "--as", "coalition")
        refused(border, "border", *words, code=NO_NAME, what=Naming("Z-F5-1"), do=Naming("K-F5-1", "K-F5-2", "K-D5-1"))

    def test_wrong_step_is_reported_before_wrong_arguments(self, border: Terminal) -> None:
        order = '{"order": "build", "unit": 7}'
        for words in (
            ("build",),
            ("build", "K-D5-9"),
            ("build", "a", "b", "nowhere", "few"),
            ("build", "--kinds", "D5"),
            (order,),
        ):
            refused(
                border,
                "border",
                *words,
                "--as",
                "coalition",
                code="not-allowed-now",
                what=Naming("build", "2B3", "11C2"),
                do=Naming("check-supply"),
            )

    def test_commas_separate_two_lists(self, terminal: Terminal) -> None:
        """Require commas, because separate words could belong to either list."""
        terminal.ok("new", "federation-and-empire", "--id", "border", "--scenario", BORDER)
        answer = terminal.type("order", "border", "designate", "K-D7C", "K-D6S", "x", "--as", "coalition")
        assert answer.code in (2, 3)

    def test_invalid_choice_is_refused_with_the_valid_ones(self, at_sea: Terminal) -> None:
        refused(
            at_sea,
            "harbour",
            "set-sails",
            "syracuse-1",
            "sideways",
            "--as",
            "syracuse",
            code=USE,
            what=Naming("down or up", "'sideways'"),
            do=Naming("set-sails SHIP down|up"),
        )

    def test_unclosed_quotation_mark_is_refused(self, ford: Terminal) -> None:
        with library.open(ford.folder / "umpire.db") as desk:
            red = desk.game("ford").seat("red")
            with pytest.raises(library.WrongUse) as refusal:
                red.typed('note "half a sentence')
            assert refusal.value.where == "the order"
            assert red.typed('note "half a sentence"')


class TestHelp:
    def test_help_on_an_order_has_an_example_that_works_now(self, at_sea: Terminal) -> None:
        said = at_sea.ok("order", "harbour", "move-ship", "--help").out
        assert said.splitlines()[0] == Naming("harbour move-ship SHIP PATH,…")
        arguments = said.partition("\n\nOptions:")[0].splitlines()[-2:]
        assert [line.split()[0] for line in arguments] == ["SHIP", "PATH,…"], "an argument is no option besides"
        assert "--path" not in said
        assert re.findall(r"(?m)^  (--\S+)", said.partition("Options:")[2].partition("\n\n")[0]) == ["--facing"]
        example = re.search(r"(?m)^\w+: \S+ \S+ harbour (move-ship \S.* --as syracuse)$", said)
        assert example
        assert at_sea.type("order", "harbour", *shlex.split(example[1])).code == 0

    def test_example_that_is_invalid_here_is_labeled_another_game(self, at_sea: Terminal) -> None:
        valid, invalid = (
            re.search(
                rf"(?m)^(.*): \S+ \S+ harbour {order} [a-z]+-1", at_sea.ok("order", "harbour", order, "--help").out
            )
            for order in ("move-ship", "board")
        )
        assert valid
        assert invalid
        assert valid[1] != invalid[1]

    def test_help_on_a_game_lists_available_and_suggested_orders(self, at_sea: Terminal) -> None:
        said = at_sea.ok("order", "harbour", "--help").out
        assert "move-ship SHIP PATH,…" in said
        assert "board SHIPS" not in said
        tried = [line.removeprefix("  umpire ") for line in said.split("Suggested:\n")[1].split("\n\n")[0].splitlines()]
        assert tried
        for line in tried:
            assert at_sea.type(*shlex.split(line.replace("N,N", "3,4"))).code == 0, line
            at_sea.ok("undo", "harbour", "--why", "only tried")

    def test_order_of_a_title_is_shown_with_short_form_and_example(self, terminal: Terminal) -> None:
        said = terminal.ok("orders", "war-galley", "board").out
        short, example = said.splitlines()[1:3]
        assert re.search(r": +board SHIPS,… TARGET .*\[--send UNIT=N,…\]$", short)
        assert re.search(r": +\S+ \S+ GAME board athens-1 ", example)


def completed(terminal: Terminal, *words: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the completions that Tab offers for the last of these words."""
    monkeypatch.chdir(terminal.folder)
    found = ShellComplete(umpire, {}, "umpire", "_UMPIRE_COMPLETE").get_completions(list(words[:-1]), words[-1])
    return [one.value for one in found]


class TestCompletion:
    def test_games_with_the_typed_beginning_are_completed(
        self, at_sea: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert completed(at_sea, "status", "har", monkeypatch=monkeypatch) == ["harbour"]
        assert completed(at_sea, "status", "x", monkeypatch=monkeypatch) == []

    def test_available_orders_are_completed(self, at_sea: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        found = completed(at_sea, "order", "harbour", "--as", "syracuse", "", monkeypatch=monkeypatch)
        assert "move-ship" in found
        assert "board" not in found
        assert completed(at_sea, "order", "harbour", "--as", "syracuse", "boa", monkeypatch=monkeypatch) == ["board"]

    def test_units_of_the_seat_and_reachable_places_are_completed(
        self, at_sea: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ships = completed(at_sea, "order", "harbour", "--as", "syracuse", "move-ship", "", monkeypatch=monkeypatch)
        assert ships
        assert all(ship.startswith("syracuse-") for ship in ships)
        places = completed(
            at_sea, "order", "harbour", "--as", "syracuse", "move-ship", ships[0], "", monkeypatch=monkeypatch
        )
        assert places
        for place in places:
            assert at_sea.type("order", "harbour", "move-ship", ships[0], place, "--as", "syracuse").code == 0, place
            at_sea.ok("undo", "harbour", "--as", "syracuse")
        further = completed(
            at_sea,
            "order",
            "harbour",
            "--as",
            "syracuse",
            "move-ship",
            ships[0],
            f"{places[0]},",
            monkeypatch=monkeypatch,
        )
        assert further
        assert all(path.startswith(f"{places[0]},") for path in further)

    def test_options_and_their_values(self, at_sea: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        given = ("order", "harbour", "--as", "syracuse", "set-sails", "syracuse-1")
        assert completed(at_sea, *given, "", monkeypatch=monkeypatch) == ["up"], "they are down now"
        assert "--pips" in completed(at_sea, *given, "up", "--", monkeypatch=monkeypatch)
        assert completed(at_sea, *given[:-1], "--ship", "syracuse-1", monkeypatch=monkeypatch) == ["syracuse-1"]

    def test_members_to_pick_open_steps_and_answers(self, harbour: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        lines = HARBOUR.read_text(encoding="utf-8").splitlines()
        last = next(nth for nth, line in enumerate(lines) if '"pick"' in line)
        harbour.write("before.jsonl", "\n".join(lines[:last]))
        harbour.ok("play", "harbour", "before.jsonl")
        picker = json.loads(lines[last])
        found = completed(harbour, "order", "harbour", "--as", picker["as"], "pick", "", monkeypatch=monkeypatch)
        assert picker["member"] in found
        steps = completed(harbour, "order", "harbour", "done", "--step", "", monkeypatch=monkeypatch)
        assert steps == [one["step"] for one in harbour.ok("status", "harbour", "--json").json["steps"]]

    def test_leaving_a_step_completes_its_options_too(self, at_sea: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        assert completed(at_sea, "done", "harbour", "--step", "", monkeypatch=monkeypatch) == ["E.1"]
        assert completed(at_sea, "done", "harbour", "--until", "G.2", monkeypatch=monkeypatch)[:2] == ["G.2", "G.2a"]

    def test_unknown_game_or_order_has_no_completions(self, harbour: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        assert completed(harbour, "order", "har", monkeypatch=monkeypatch) == ["harbour"]
        assert completed(harbour, "order", "nowhere", "mo", monkeypatch=monkeypatch) == []
        assert completed(harbour, "order", "harbour", "bored", "", monkeypatch=monkeypatch) == []


class TestWhatGoesByItself:
    """A pick of the only member, which the next order makes automatically, so that this order can be typed at once."""

    @pytest.fixture
    def last_pick(self, harbour: Terminal) -> Terminal:
        lines = HARBOUR.read_text(encoding="utf-8").splitlines()
        picks = [nth for nth, line in enumerate(lines) if '"pick"' in line]
        levels = [nth for nth, line in enumerate(lines) if '"set-levels"' in line]
        first_after = next(nth for nth in picks if nth > levels[7])
        last = max(nth for nth in picks if nth < first_after)
        harbour.write("before.jsonl", "\n".join(lines[:last]))
        harbour.ok("play", "harbour", "before.jsonl")
        return harbour

    def test_order_after_an_automatic_pick_is_typed_at_once(self, last_pick: Terminal) -> None:
        give(last_pick, "set-levels", "cruise")
        assert last_order(last_pick)["order"] == "set-levels"

    def test_typo_after_an_automatic_pick_is_reported_as_a_typo(self, last_pick: Terminal) -> None:
        refused(
            last_pick,
            "harbour",
            "set-levels",
            "fast",
            code=USE,
            what=Naming("cruise or maximum"),
            do=Naming("set-levels"),
        )

    def test_tab_offers_it(self, last_pick: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        assert "set-levels" in completed(last_pick, "order", "harbour", "set", monkeypatch=monkeypatch)
        found = completed(last_pick, "order", "harbour", "set-levels", "", monkeypatch=monkeypatch)
        assert found == ["cruise", "maximum"]


def test_dice_results_are_typed_after_an_at_sign(harbour: Terminal) -> None:
    give(harbour, "roll-wind", "@3,4", "--as", "athens")
    assert last_order(harbour)["pips"] == [3, 4]
    refused(
        harbour, "harbour", "redo", "3,4", "--as", "athens", code=USE, what=Naming("redo", "3,4"), do=Naming("@3,4")
    )
