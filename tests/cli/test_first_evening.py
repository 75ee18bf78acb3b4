"""What newcomers typed on their first evening, and what has to help them."""

import json
import shlex

import pytest

from tests.cli.terminal import ROOT, Terminal

GALLEY = str(ROOT / "fixtures" / "war-galley" / "scenarios" / "great-harbour.toml")
HARBOUR = str(ROOT / "fixtures" / "war-galley" / "replays" / "great-harbour.jsonl")


@pytest.fixture
def harbour(terminal: Terminal) -> Terminal:
    terminal.ok("import", HARBOUR)
    return terminal


@pytest.fixture
def moor(terminal: Terminal) -> Terminal:
    """A field measured in inches, before the officers of Red may move."""
    terminal.ok("scenario", "red-coat-rags", "-o", "moor.toml")
    terminal.ok("new", "red-coat-rags", "--id", "moor", "--scenario", "moor.toml")
    terminal.ok("order", "moor", "roll-initiative", "--pips", "3", "--as", "red")
    terminal.ok("order", "moor", "roll-initiative", "--pips", "1", "--as", "blue")
    return terminal


class TestPlacesThatHaveCommas:
    """`reposition red-co 24,6` was told that there is no place 24."""

    def test_one_place_and_a_way_of_two(self, moor: Terminal) -> None:
        moor.ok("order", "moor", "reposition", "red-co", "24,6")
        at = {one["id"]: one["at"] for one in moor.ok("units", "moor", "--json").json}
        assert at["red-co"] == "24,6"

    @pytest.mark.parametrize("typed", ["24,5,24,6", "24,5;24,6", "24,5 24,6"])
    def test_a_way_however_it_is_divided(self, moor: Terminal, typed: str) -> None:
        moor.ok("order", "moor", "reposition", "red-co", *typed.split())
        (moved,) = moor.ok("audit", "moor", "--event", "unit.moved", "--json").json
        assert "24,4 → 24,5 → 24,6" in moved["text"]

    def test_what_is_worth_trying_is_typed_without_semicolon(self, moor: Terminal) -> None:
        page = moor.ok("order", "moor", "--help").out
        (idea,) = [line for line in page.splitlines() if "umpire order moor reposition red-co" in line]
        assert ";" not in idea
        moor.ok(*shlex.split(idea)[1:])

    def test_too_far_is_told_as_too_far(self, moor: Terminal) -> None:
        answer = moor.type("order", "moor", "reposition", "red-co", "24,39")
        assert answer.code == 3
        assert "there is no place" not in answer.err


class TestLeavingAStepThatAsksForAnAnswer:
    def test_the_refusal_says_what_is_typed(self, moor: Terminal) -> None:
        moor.ok("done", "moor")
        moor.ok("done", "moor")
        assert "answers:  red in 3: `done none`" in moor.ok("status", "moor").out
        answer = moor.type("done", "moor")
        assert answer.code == 3
        assert "answer with one of: none; `done none`, for instance" in answer.err


class TestAChoiceOfWords:
    def test_it_may_be_begun_as_long_as_it_is_clear(self, ford: Terminal) -> None:
        ford.ok("order", "ford", "rule", "it stands", "seen by all", "house")
        (line,) = ford.ok("audit", "ford", "--event", "ruling.made", "--json").json
        assert "house rule" in line["text"]

    def test_it_may_not_where_two_begin_so(self, ford: Terminal) -> None:
        answer = ford.type("order", "ford", "undo", "1", "--dice", "kee")
        assert answer.code == 2
        assert "takes keep or keep-unless-new or reroll, not 'kee'" in answer.err


class TestRemediesAreTypedAsTheyStand:
    def test_dice(self, terminal: Terminal) -> None:
        terminal.ok("new", "war-galley", "--id", "harbour", "--scenario", GALLEY, "--dice", "table")
        answer = terminal.type("order", "harbour", "roll-wind", "--as", "athens")
        assert "wind needs 2d6, and no pips were given" in answer.err
        assert "`--pips N,N`" in answer.err

    def test_a_reason(self, harbour: Terminal) -> None:
        answer = harbour.type("undo", "great-harbour")
        assert answer.code == 3
        assert '`--why "…"`' in answer.err

    def test_a_position_behind_the_sign_that_begins_a_comment(self, harbour: Terminal) -> None:
        answer = harbour.type("why", "great-harbour")
        assert answer.code == 2
        assert "write 60, or '#60'" in answer.err
        assert "comment" not in harbour.type("unit", "great-harbour").err

    def test_no_such_order(self, harbour: Terminal) -> None:
        answer = harbour.type("order", "great-harbour", "frobnicate")
        assert "`umpire orders TITLE` lists them" in answer.err
        assert len(answer.err) < 400

    @pytest.mark.parametrize("words", [("status",), ("verify",), ("audit",), ("units",), ("order", "note", "a")])
    def test_a_game_that_is_not_there(self, harbour: Terminal, words: tuple[str, ...]) -> None:
        command, *more = words
        answer = harbour.type(command, "great-harbor", *more)
        assert answer.code == 6
        assert "did you mean great-harbour?" in answer.err
        assert "`umpire games` lists them" in harbour.type(command, "xyz", *more).err

    def test_a_title_whose_name_is_not_quite_that(self, terminal: Terminal) -> None:
        answer = terminal.type("scenario", "red-coat-rag")
        assert answer.code == 6
        assert "there is no title or game red-coat-rag" in answer.err
        assert "did you mean red-coat-rags?" in answer.err
        assert not (terminal.folder / "umpire.db").exists()


class TestWhatAFilterIsRefusedWith:
    @pytest.mark.parametrize(
        ("words", "rule"),
        [
            (("games", "--waiting", "athen"), "names of sides and seats that are there"),
            (("games", "--sort", "foo"), "names of sortings that are there"),
            (("audit", "great-harbour", "--unit", "athens-99"), "names of units that are there"),
            (("audit", "great-harbour", "--event", "foo"), "names of kinds of record that are there"),
        ],
    )
    def test_its_rule_is_a_sentence(self, harbour: Terminal, words: tuple[str, ...], rule: str) -> None:
        assert harbour.type(*words, "--json").error["rule"] == rule

    def test_all_ways_to_sort_are_named(self, harbour: Terminal) -> None:
        assert "disputes" in harbour.type("games", "--sort", "foo").err


class TestNumbersOfThings:
    def test_one_order_is_no_orders(self, ford: Terminal) -> None:
        orders = ford.orders({"as": "red", "order": "note", "text": "a"}, {"as": "red", "order": "move"})
        refused = ford.type("play", "ford", orders)
        assert "(the 1 order before it is recorded, this one and the rest are not)" in refused.err
        ford.give("red", "pay", account="vp/red", amount=1)
        assert "would undo 1 order of red" in ford.ok("undo", "ford", "--preview").out
        nothing = ford.type("play", "ford", ford.orders({"as": "red", "order": "move"}, name="bad.jsonl"))
        assert "(no orders before it are recorded, " in nothing.err


class TestAPreview:
    def test_each_remedy_stands_in_lines_of_its_own(self, ford: Terminal) -> None:
        ford.give("red", "pay", account="vp/red", amount=1)
        out = ford.ok("undo", "ford", "--preview").out
        assert "U+000A" not in out
        assert '          let it stand, and say so\n            umpire note ford "it stands: …" --about 4\n' in out


class TestTablesOfAnswers:
    def test_why_as_csv_and_markdown(self, harbour: Terminal) -> None:
        lines = harbour.ok("why", "great-harbour", "303", "--csv").out.splitlines()
        assert lines[0] == "way,records,degree,turn,step,by,what,because"
        ways = [line.split(",")[0] for line in lines[1:]]
        assert ways == ["rested on", "rested on", "led to", "led to", "led to", "led to", "led to"]
        assert any(line.startswith("rested on,#157,") for line in lines)
        assert harbour.ok("why", "great-harbour", "303", "--markdown").out.startswith("| way | records |")

    def test_a_peek_as_csv(self, ford: Terminal) -> None:
        ford.give("red", "seal-choice", question="stance", choice="attack")
        answer = ford.ok("peek", "ford", "red", "--why", "x", "--csv")
        assert answer.out.splitlines()[0] == "record,by,for the eyes of red"
        assert "attack" in answer.out
        assert "looks at what only red may know" in answer.err

    def test_a_check_up_as_csv(self, ford: Terminal) -> None:
        assert ford.ok("doctor", "--csv").out.splitlines()[0] == ",check,what,do"

    def test_a_table_with_nothing_in_it_says_so(self, ford: Terminal) -> None:
        assert ford.ok("rulings", "--rule", "4.2").out.splitlines()[-1] == "none"
        assert ford.ok("rulings", "--rule", "4.2", "--csv").out.count("\n") == 1


class TestWhatIsNew:
    def test_more_than_a_view_tells_is_told_where_to_find(self, harbour: Terminal) -> None:
        """Looking marks all of it as seen."""
        out = harbour.ok("status", "great-harbour").out
        (line,) = [one for one in out.splitlines() if "earlier ones" in one]
        command = line.partition("`")[2].rstrip("`")
        told = harbour.ok(*shlex.split(command)[1:]).out.splitlines()
        shown = [one.split()[0] for one in out.splitlines() if one.lstrip().startswith("#")]
        assert told[1].startswith("#1 ")
        assert len(told) - 1 + len(shown) == 148
        assert "earlier ones" not in harbour.ok("status", "great-harbour").out

    def test_since_is_about_who_asks(self, ford: Terminal) -> None:
        assert ford.ok("since", "ford", "--as", "red").out.startswith("red has not looked yet")
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
    def test_who_asks_for_a_rewind_is_told_which_was_taken(self, harbour: Terminal) -> None:
        words = ("ask-rewind", "great-harbour", "--to", "587", "--why", "x", "--as", "syracuse")
        assert "#587 is inside an order; taken is #580" in harbour.ok(*words).err


class TestASideInThePlural:
    def test_sentences_and_refusals_agree(self, moor: Terminal) -> None:
        text = (moor.folder / "moor.toml").read_text()
        moor.write("picts.toml", text.replace('name = "Red"', 'name = "Picts"\nplural = true'))
        moor.ok("new", "red-coat-rags", "--id", "picts", "--scenario", "picts.toml")
        rolled = ("order", "picts", "roll-initiative", "--pips", "3", "--as", "red")
        assert "Picts roll for the initiative" in moor.ok(*rolled).out
        assert "Picts have rolled for initiative" in moor.type(*rolled).err
        moor.ok("export", "picts", "-o", "picts.jsonl")
        header = json.loads((moor.folder / "picts.jsonl").read_text().splitlines()[1])
        assert header["event"]["sides"][0] == {"id": "red", "name": "Picts", "plural": True}
        assert header["event"]["sides"][1] == {"id": "blue", "name": "Blue"}
        assert moor.ok("verify", "picts.jsonl").out.startswith("VALID")
