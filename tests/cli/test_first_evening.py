"""Check the help for mistakes that newcomers made on their first evening."""

import json
import shlex

import pytest

from tests.cli.terminal import ROOT, Terminal
from tests.naming import Naming

GALLEY = str(ROOT / "fixtures" / "war-galley" / "scenarios" / "great-harbour.toml")
HARBOUR = str(ROOT / "fixtures" / "war-galley" / "replays" / "great-harbour.jsonl")


@pytest.fixture
def harbour(terminal: Terminal) -> Terminal:
    terminal.ok("import", HARBOUR)
    return terminal


@pytest.fixture
def moor(terminal: Terminal) -> Terminal:
    """Return a game on a field in inches, before the officers of Red may move."""
    terminal.ok("scenario", "red-coat-rags", "-o", "moor.toml")
    terminal.ok("new", "red-coat-rags", "--id", "moor", "--scenario", "moor.toml")
    terminal.ok("order", "moor", "roll-initiative", "--pips", "3", "--as", "red")
    terminal.ok("order", "moor", "roll-initiative", "--pips", "1", "--as", "blue")
    return terminal


class TestPlacesThatHaveCommas:
    """Places that contain a comma: `reposition red-co 24,6` once failed with "there is no place 24"."""

    def test_place_with_a_comma_is_typed_as_one_word(self, moor: Terminal) -> None:
        moor.ok("order", "moor", "reposition", "red-co", "24,6")
        at = {one["id"]: one["at"] for one in moor.ok("units", "moor", "--json").json}
        assert at["red-co"] == "24,6"

    @pytest.mark.parametrize("typed", ["24,5,24,6", "24,5;24,6", "24,5 24,6"])
    def test_path_of_places_with_commas_is_divided_in_any_way(self, moor: Terminal, typed: str) -> None:
        moor.ok("order", "moor", "reposition", "red-co", *typed.split())
        (moved,) = moor.ok("audit", "moor", "--event", "unit.moved", "--json").json
        assert "24,4 → 24,5 → 24,6" in moved["text"]

    def test_suggested_order_is_typed_without_semicolon(self, moor: Terminal) -> None:
        page = moor.ok("order", "moor", "--help").out
        (idea,) = [line for line in page.splitlines() if "umpire order moor reposition red-co" in line]
        assert ";" not in idea
        moor.ok(*shlex.split(idea)[1:])

    def test_place_too_far_is_not_reported_as_missing(self, moor: Terminal) -> None:
        answer = moor.type("order", "moor", "reposition", "red-co", "24,39")
        assert answer.code == 3
        assert "there is no place" not in answer.err


class TestLeavingAStepThatAsksForAnAnswer:
    def test_missing_answer_is_refused_with_the_words_to_type(self, moor: Terminal) -> None:
        moor.ok("done", "moor")
        moor.ok("done", "moor")
        assert "answers:  red in 3: `done none`" in moor.ok("status", "moor").out
        answer = moor.type_json("done", "moor")
        assert answer.code == 3
        assert answer.error["refusal_code"] == "answer-missing"
        assert answer.error["remedy"] == Naming("none", "`done none`")


class TestAChoiceOfWords:
    def test_unique_beginning_of_a_choice_is_accepted(self, ford: Terminal) -> None:
        ford.ok("order", "ford", "rule", "it stands", "seen by all", "house")
        (line,) = ford.ok("audit", "ford", "--event", "ruling.made", "--json").json
        assert "house rule" in line["text"]

    def test_ambiguous_beginning_of_a_choice_is_refused(self, ford: Terminal) -> None:
        answer = ford.type("order", "ford", "undo", "1", "--dice", "kee")
        assert answer.code == 2
        assert "takes keep or keep-unless-new or reroll, not 'kee'" in answer.err


class TestRemediesAreTypedAsTheyStand:
    def test_dice(self, terminal: Terminal) -> None:
        terminal.ok("new", "war-galley", "--id", "harbour", "--scenario", GALLEY, "--dice", "table")
        error = terminal.type_json("order", "harbour", "roll-wind", "--as", "athens").error
        assert error["refusal_code"] == "pips-missing"
        assert "`--pips N,N`" in error["remedy"]

    def test_remedy_names_the_option_of_a_reason(self, harbour: Terminal) -> None:
        answer = harbour.type("undo", "great-harbour")
        assert answer.code == 3
        assert '`--why "…"`' in answer.err

    def test_unquoted_position_with_a_hash_is_explained(self, harbour: Terminal) -> None:
        answer = harbour.type("why", "great-harbour")
        assert answer.code == 2
        assert "'#60'" in answer.err
        assert "'#60'" not in harbour.type("unit", "great-harbour").err

    def test_unknown_order_names_the_command_that_lists_orders(self, harbour: Terminal) -> None:
        answer = harbour.type("order", "great-harbour", "frobnicate")
        assert " TITLE`" in answer.err
        assert len(answer.err) < 400

    @pytest.mark.parametrize("words", [("status",), ("verify",), ("audit",), ("units",), ("order", "note", "a")])
    def test_unknown_game_suggests_the_nearest(self, harbour: Terminal, words: tuple[str, ...]) -> None:
        command, *more = words
        answer = harbour.type(command, "great-harbor", *more)
        assert answer.code == 6
        assert " great-harbour?" in answer.err
        assert "great-harbour?" not in harbour.type(command, "xyz", *more).err

    def test_misspelt_title_suggests_the_nearest(self, terminal: Terminal) -> None:
        answer = terminal.type("scenario", "red-coat-rag")
        assert answer.code == 6
        assert " red-coat-rag\n" in answer.err
        assert " red-coat-rags?" in answer.err
        assert not (terminal.folder / "umpire.db").exists()


class TestWhatAFilterIsRefusedWith:
    @pytest.mark.parametrize(
        ("words", "what", "near"),
        [
            (("games", "--waiting", "athen"), "athen", "athens"),
            (("games", "--sort", "foo"), "foo", "entered"),
            (("audit", "great-harbour", "--unit", "athens-99"), "athens-99", "athens-8"),
            (("audit", "great-harbour", "--event", "foo"), "foo", "account.changed"),
        ],
    )
    def test_its_remedy_names_what_is_there(
        self, harbour: Terminal, words: tuple[str, ...], what: str, near: str
    ) -> None:
        error = harbour.type_json(*words).error
        assert (error["refusal_code"], error["what"], error["remedy"]) == ("not-there", Naming(what), Naming(near))

    def test_all_ways_to_sort_are_named(self, harbour: Terminal) -> None:
        assert "disputes" in harbour.type("games", "--sort", "foo").err


class TestNumbersOfThings:
    def test_orders_before_and_after_are_counted(self, ford: Terminal) -> None:
        orders = ford.orders({"as": "red", "order": "note", "text": "a"}, {"as": "red", "order": "move"})
        refused = ford.type_json("play", "ford", orders)
        assert refused.error["where"] == Naming("orders.jsonl", 2)
        assert refused.error["remedy"] == Naming(1)
        ford.give("red", "pay", account="vp/red", amount=1)
        (undone,) = ford.ok("undo", "ford", "--preview", "--json").json["orders"]
        assert undone["seat"] == "red"
        nothing = ford.type_json("play", "ford", ford.orders({"as": "red", "order": "move"}, name="bad.jsonl"))
        assert nothing.error["where"] == Naming("bad.jsonl", 1)
        assert nothing.error["remedy"] != Naming(1)


class TestAPreview:
    def test_remedies_of_a_preview_have_separate_lines(self, ford: Terminal) -> None:
        ford.give("red", "pay", account="vp/red", amount=1)
        out = ford.ok("undo", "ford", "--preview").out
        assert "U+000A" not in out
        remedies = ford.ok("undo", "ford", "--preview", "--json").json["remedies"]
        lines = out.splitlines()[-2 * len(remedies) :]
        assert lines[0::2] == [f"          {one['what']}" for one in remedies]
        assert lines[1::2] == [f"            {one['command']}" for one in remedies]
        assert remedies[0]["command"].endswith(" --about 4")


class TestTablesOfAnswers:
    def test_why_as_csv_and_markdown(self, harbour: Terminal) -> None:
        lines = harbour.ok("why", "great-harbour", "303", "--csv").out.splitlines()
        assert lines[0] == "relation,records,degree,turn,step,seat,order,reason"
        rows = [line.split(",")[:2] for line in lines[1:]]
        assert rows[0][1] == "#158"
        assert [at for _, at in rows[2:6]] == ["#304-#307", "#572", "#576", "#577-#579"]
        assert [way == rows[0][0] for way, _ in rows] == [True, True, False, False, False, False, False]
        assert harbour.ok("why", "great-harbour", "303", "--markdown").out.startswith("| relation | records |")

    def test_peek_is_printed_as_csv(self, ford: Terminal) -> None:
        ford.give("red", "seal-choice", question="stance", choice="attack")
        answer = ford.ok("peek", "ford", "red", "--why", "x", "--csv")
        header, *rows = answer.out.splitlines()
        assert header.startswith("record,seat,")
        assert header.endswith(" red")
        assert all(len(row.split(",")) == 3 for row in rows)
        assert "attack" in answer.out
        assert answer.err == Naming("red")

    def test_doctor_is_printed_as_csv(self, ford: Terminal) -> None:
        assert ford.ok("doctor", "--csv").out.splitlines()[0] == "state,check,finding,do"

    def test_empty_table_is_marked_as_empty(self, ford: Terminal) -> None:
        assert ford.ok("rulings", "--rule", "4.2").out.splitlines()[-1] == "no rulings"
        assert ford.ok("rulings", "--rule", "4.2", "--csv").out.count("\n") == 1


class TestWhatIsNew:
    def test_status_names_the_command_for_earlier_new_records(self, harbour: Terminal) -> None:
        """Use the command that `status` names, because a view marks all records as seen."""
        out = harbour.ok("status", "great-harbour").out
        (line,) = [one for one in out.splitlines() if " great-harbour --from " in one]
        options = line.partition(" great-harbour ")[2].rstrip("`")
        told = harbour.ok("audit", "great-harbour", *shlex.split(options)).out.splitlines()
        shown = [one.split()[0] for one in out.splitlines() if one.lstrip().startswith("#")]
        assert told[1].startswith("#1 ")
        assert len(told) - 1 + len(shown) == 148
        assert " great-harbour --from " not in harbour.ok("status", "great-harbour").out

    def test_since_is_about_who_asks(self, ford: Terminal) -> None:
        said = ford.ok("since", "ford", "--as", "red", "--json").json
        assert (said["seat"], said["looked"]) == ("red", 0)
        assert ford.ok("since", "ford", "--json").json["seat"] == "referee"


class TestACopyIsCheckedByItsName:
    def test_in_the_ledger_and_as_a_log(self, ford: Terminal) -> None:
        at = ford.size()
        ford.ok("fork", "ford", "--id", "what-if")
        said = f"VALID (hashes only): what-if (a copy of ford at #{at}), {at + 1} records"
        assert ford.ok("verify", "what-if").out.splitlines()[0] == said
        ford.ok("export", "what-if", "-o", "what-if.jsonl")
        assert ford.ok("verify", "what-if.jsonl").out.splitlines()[0] == said
        assert ford.ok("verify", "what-if", "--json").json["copied"] == {"of": "ford", "at": at}
        assert ford.ok("verify", "ford", "--json").json["copied"] is None


class TestAPositionInsideAnOrder:
    def test_rewind_request_names_the_position_taken(self, harbour: Terminal) -> None:
        words = ("ask-rewind", "great-harbour", "--to", "587", "--why", "x", "--as", "syracuse")
        answer = harbour.ok(*words, "--json")
        (asked,) = answer.json["events"]
        assert (asked["type"], asked["to"]) == ("rewind.asked", 580)
        assert answer.err == Naming("#587", "#580")


class TestASideInThePlural:
    def test_sentences_and_refusals_agree(self, moor: Terminal) -> None:
        text = (moor.folder / "moor.toml").read_text()
        moor.write("picts.toml", text.replace('name = "Red"', 'name = "Picts"\nplural = true'))
        moor.ok("new", "red-coat-rags", "--id", "picts", "--scenario", "picts.toml")
        rolled = ("order", "picts", "roll-initiative", "--pips", "3", "--as", "red")
        moor.ok(*rolled)
        error = moor.type_json(*rolled).error
        assert error["refusal_code"] == "initiative-decided"
        assert error["fields"] == {"side_has": "Picts have", "other": "Blue"}
        moor.ok("export", "picts", "-o", "picts.jsonl")
        header = json.loads((moor.folder / "picts.jsonl").read_text().splitlines()[1])
        assert header["event"]["sides"][0] == {"id": "red", "name": "Picts", "plural": True}
        assert header["event"]["sides"][1] == {"id": "blue", "name": "Blue"}
        assert moor.ok("verify", "picts.jsonl").out.startswith("VALID")
