"""A copy of a game carries its own name wherever it is shown, is compared with its original, and repeats no ruling."""

import re
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.cli.terminal import Terminal
from tests.desk.game import FORD, DeskGame
from tests.face.desk import drafts_of, fork, open_session
from tests.face.domain import REFEREE, GameCopied, commit_to_seed
from tests.face.ledger import PendingOrder
from tests.face.projections import CopyOrigin, copied_from
from tests.naming import Naming


@pytest.fixture
def copied(terminal: Terminal) -> int:
    """Create `ford` and its copy `what-if`, with different orders after the copy; return the position of the copy."""
    terminal.new()
    terminal.give("red", "pay", account="vp/red", amount=1)
    size = terminal.size()
    terminal.ok("fork", "ford", "--id", "what-if")
    terminal.ok("order", "ford", "move", "r1", "0201", "--as", "red")
    terminal.ok("order", "what-if", "pay", "vp/red", "4", "--as", "red")
    return size


LOOKS = (
    *("status", "map", "map --json", "times", "times --json", "units", "undo-points", "lines", "dice", "sitrep"),
    *("audit --all --records", "since red", "refusals", "referee", "verify"),
    *("chart dice", "chart accounts", "chart losses --text", "chart time --json"),
)


@pytest.mark.parametrize("look", LOOKS)
def test_copy_is_shown_without_its_original(terminal: Terminal, look: str) -> None:
    # A copy of an earlier edition names the game that was opened; queries to the ledger must not use that name.
    terminal.new("origin")
    with umpire.open(terminal.folder / "umpire.db") as desk:
        desk.ledger.fork("origin", desk.game("origin").size, "twin", None)
    terminal.ok("order", "twin", "move", "r1", "0201", "--as", "red")
    moved = terminal.size("twin")
    terminal.ok("order", "twin", "move", "r1", "0301", "--as", "red")
    terminal.ok("ask-rewind", "twin", "--to", str(moved), "--why", "too early", "--as", "red")
    terminal.ok("export", "twin", "-o", "twin.jsonl", "--whole")
    terminal.ok("import", "twin.jsonl", "--ledger", "alone.db")
    command, *more = look.split()
    said = terminal.ok(command, "twin", *more, "--ledger", "alone.db").out
    assert "origin" not in re.sub(r"a \w+ of origin( (at|up to) #\d+)?", "", said)
    assert "origin" not in terminal.ok("notices", "--ledger", "alone.db").out


class TestName:
    def test_every_view_carries_it(self, terminal: Terminal, copied: int) -> None:
        named = Naming("what-if", "ford", f"#{copied})")
        for seat in ("referee", "red", "spectator"):
            first = terminal.ok("status", "what-if", "--as", seat).out.splitlines()[0]
            assert first == Naming("what-if", "ford", f"#{copied})", "freeform")
            assert terminal.ok("audit", "what-if", "--as", seat).out.splitlines()[0] == named
        report = terminal.ok("sitrep", "what-if").out.splitlines()
        assert Naming("ford", f"#{copied}") in report[:5]
        for words in (("units",), ("undo-points",), ("lines",), ("dice",), ("account", "vp/red")):
            command, *more = words
            assert terminal.ok(command, "what-if", *more).out.splitlines()[0] == named, words
        assert terminal.ok("export", "what-if", "-o", "x.jsonl").out == named
        terminal.ok("dispute", "open", "what-if", str(copied), "--claim", "x", "--as", "blue")
        assert terminal.ok("dispute", "list", "what-if").out.splitlines()[0] == named
        terminal.ok("case", "what-if", "d1", "-o", "case")
        head = (terminal.folder / "case" / "case.md").read_text().splitlines()[0]
        assert head.startswith("# what-if (")
        assert head == Naming("ford", "at")
        assert terminal.ok("verify", "case").out.startswith("VALID")

    def test_original_keeps_its_name(self, terminal: Terminal, copied: int) -> None:
        assert terminal.ok("status", "ford").out.startswith("ford · freeform")
        assert "copy" not in terminal.ok("audit", "ford").out
        assert terminal.ok("status", "ford", "--json").json["copied"] is None

    def test_programs_read_it_in_the_turn_view_alone(self, terminal: Terminal, copied: int) -> None:
        view = terminal.ok("status", "what-if", "--json").json
        assert (view["game"], view["copied"]) == ("what-if", {"of": "ford", "at": copied})
        terminal.ok("rebuild")
        assert terminal.ok("status", "what-if", "--json").json["copied"] == view["copied"]
        for form in ("--json", "--csv"):
            answer = terminal.ok("audit", "what-if", form)
            assert "a copy of ford" not in answer.err
            assert not answer.out.startswith("what-if (")
        assert not terminal.ok("scenario", "what-if", "-o", "-").out.startswith("what-if (")

    def test_copy_is_named_in_its_log(self, terminal: Terminal, copied: int) -> None:
        (line,) = terminal.ok("audit", "what-if", "--event", "game.copied", "--json").json
        assert re.search(rf"^what-if .* ford .*#{copied}$", line["text"])
        said = terminal.ok("audit", "what-if", "--event", "game.copied").out
        assert re.search(rf" ford .*#{copied} .*what-if", said)
        terminal.ok("export", "what-if", "-o", "x.jsonl", "--as", "referee")
        terminal.ok("import", "x.jsonl", "--ledger", "other.db")
        other = terminal.ok("status", "what-if", "--ledger", "other.db", "--json").json
        assert other["copied"] == {"of": "ford", "at": copied}

    def test_copy_of_a_copy_names_its_original(self, terminal: Terminal, copied: int) -> None:
        terminal.ok("fork", "what-if", "--id", "again", "--at", str(copied + 1))
        assert terminal.ok("status", "again", "--json").json["copied"] == {"of": "what-if", "at": copied + 1}

    def test_copy_undone_to_before_the_copy_keeps_its_name(self, terminal: Terminal, copied: int) -> None:
        # A game with table dice can be rewound to before the copy; the name stays.
        terminal.ok("undo", "what-if", "-n", "2", "--why", "x")
        assert terminal.ok("status", "what-if", "--json").json["accounts"] == {}
        assert terminal.ok("status", "what-if", "--json").json["copied"] == {"of": "ford", "at": copied}

    def test_copies_of_earlier_editions(self) -> None:
        """Read copies without a record: with ledger dice the new commitment shows their start, otherwise only their
        original.
        """
        for dice, at in (("ledger", True), ("table", False)):
            game = DeskGame(":memory:", scenario=FORD, dice=dice)  # type: ignore[arg-type] # it is one of them
            game.give("red", "pay", account="vp/red", amount=1)
            seed = drafts_of(commit_to_seed("a" * 64, "old"), None)
            then = PendingOrder(seat=REFEREE, command="seed", drafts=seed) if at else None
            game.ledger.fork("g", game.size, "old", then)
            found = copied_from(game.ledger, "old")
            assert found == CopyOrigin(of="g", at=game.size if at else 0)
            game.close()

    def test_both_kinds_of_dice_are_copied_with_one_order(self, ford: DeskGame) -> None:
        fork(ford.ledger, "g", ford.size, "h")
        first = ford.ledger.record("h", ford.size + 1)
        told = ford.ledger.answer("h", first.command)
        assert [bytes(one.event).split(b'"')[3] for one in told] == [b"game.copied", b"dice.committed", b"dice.seeded"]
        assert open_session(ford.ledger, "h").game.id == "h"
        assert ford.game.id == "g"
        assert GameCopied(of="g", at=ford.size, game="h").at == ford.size


class TestComparison:
    def test_copy_is_compared_with_its_original(self, terminal: Terminal, copied: int) -> None:
        said = terminal.ok("diff", "ford", "what-if").out
        assert re.search(rf"ford \w+ what-if \([^)]* ford at #{copied}\)", said)
        assert f"ford #{copied + 1}" in said
        rows = terminal.ok("diff", "ford", "what-if", "--json").json
        assert [(row["kind"], row["id"], row["before"], row["after"]) for row in rows] == [
            ("unit", "r1", "0201", "0101"),
            ("account", "vp/red", 1, 5),
        ]

    @pytest.mark.parametrize(
        ("words", "differ"),
        [
            (("ford", "{at}", "what-if#{at}"), []),
            (("ford", "{at}", "what-if"), ["vp/red"]),
            (("ford#{at}", "what-if"), ["vp/red"]),
            (("ford", "what-if#{at}"), ["r1"]),
            (("what-if", "ford"), ["r1", "vp/red"]),
            (("ford", "{at}"), ["r1"]),
            (("ford", "#{at}", "#{at}"), []),
            (("what-if", "{at}", "ford#{at}"), []),
        ],
    )
    def test_games_are_compared_at_any_position(
        self, terminal: Terminal, copied: int, words: tuple[str, ...], differ: list[str]
    ) -> None:
        typed = [word.format(at=copied) for word in words]
        found = terminal.ok("diff", *typed, "--json").json
        assert [row["id"] for row in found] == differ

    @pytest.mark.parametrize(
        ("words", "code", "says"),
        [
            (("ford",), 2, "GAME 412 430"),
            (("ford", "what-i"), 6, "what-i"),
            (("ford", "what-if#999"), 6, "999"),
            (("ford", "what-if#x"), 2, "'x'"),
            (("nowhere", "3"), 6, "nowhere"),
            (("ford", "what-if", "--as", "carthage"), 3, "carthage"),
        ],
    )
    def test_invalid_comparison_is_refused(
        self, terminal: Terminal, copied: int, words: tuple[str, ...], code: int, says: str
    ) -> None:
        answer = terminal.type("diff", *words)
        assert answer.code == code, answer
        assert says in answer.err

    def test_games_of_two_titles_are_not_compared(self, terminal: Terminal, copied: int) -> None:
        folder = Path(__file__).parents[2] / "fixtures" / "war-galley" / "scenarios" / "great-harbour.toml"
        terminal.ok("new", "war-galley", "--id", "h", "--scenario", str(folder))
        answer = terminal.type("diff", "ford", "h")
        assert (answer.code, {"freeform", "war-galley"} <= set(re.findall(r"[\w-]+", answer.err))) == (2, True)


class TestRulings:
    def test_copied_ruling_is_found_once(self, terminal: Terminal) -> None:
        terminal.new()
        words = ("--rule", "8.55", "--grounds", "house", "--why", "no hex between")
        terminal.ok("rule", "ford", "no fire", *words)
        terminal.ok("fork", "ford", "--id", "what-if")
        terminal.ok("fork", "what-if", "--id", "third")
        found = terminal.ok("rulings", "--rule", "8.55", "--json").json
        assert [(one["game"], one["also"]) for one in found] == [("ford", ["what-if", "third"])]
        assert "ford (and what-if, third)" in terminal.ok("rulings", "--rule", "8.55").out
        assert [one["game"] for one in terminal.ok("rulings", "third", "--json").json] == ["third"]

    def test_two_games_that_rule_alike_are_two(self, terminal: Terminal) -> None:
        words = ("--rule", "8.55", "--grounds", "house", "--why", "no hex between")
        for game in ("ford", "bridge"):
            terminal.new(game)
            terminal.ok("rule", game, "no fire", *words)
        assert len(terminal.ok("rulings", "--rule", "8.55", "--json").json) == 2

    def test_ruling_made_in_the_copy_belongs_to_the_copy(self, terminal: Terminal, copied: int) -> None:
        words = ("--rule", "8.55", "--grounds", "house", "--why", "no hex between")
        terminal.ok("rule", "what-if", "no fire", *words)
        said = terminal.ok("rule", "ford", "no fire either", *words).out
        assert re.search(r"8\.55: what-if\b", said)

    def test_copy_has_its_full_name_in_python(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "u.db") as desk:
            game = desk.new_from_text("freeform", FORD, id="g")
            copy = game.fork("h")
            assert re.fullmatch(rf"h \(.* g .*#{game.size}\)", copy.full_name)
            assert (game.full_name, game.copied) == ("g", None)
            assert copy.referee.status.copied == copy.copied
