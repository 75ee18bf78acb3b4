"""Check that no output reveals secrets of a side: levels, the Condition, sealed bids.

Two games at the command line differ only in a secret and in its secret roll. Everything that another seat can get is
compared: turn view, audit trail, undo points, dice, export, refusals.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import Terminal
from tests.face.domain import SPECTATOR
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    FIXTURES,
    JAPAN,
    Line,
    bids,
    campaign,
    operation,
    says,
    strategic,
    until,
)

TELLTALE = {"salt", "leaf", "inner", "prior", "root", "hash", "checkpoint", "at", "recorded_at"}
"""What differs between any two ledgers: salts, hashes and the clock; ids that nobody chose are random, too."""
Asked = dict[str, Any]


class Written(Story):
    """A story that keeps its lines, so that the same game can be played at the command line."""

    lines: list[Line]

    def when(self, order: Any, *, pips: tuple[int, ...] | None = None) -> "Written":
        super().when(order, pips=pips)
        if self.refusal is None:
            self.__dict__.setdefault("lines", []).append(order)
        return self


def written(story: Story) -> Written:
    story.__class__ = Written
    return story  # type: ignore[return-value] # it is one now


def at_the_terminal(folder: Path, name: str, lines: list[Line]) -> Terminal:
    """Play these lines in a ledger of its own."""
    folder.mkdir()
    terminal = Terminal(folder)
    terminal.ok("new", "pacific-war", "--id", "g", "--scenario", str(FIXTURES / "scenarios" / f"{name}.toml"))
    terminal.orders(*lines)
    terminal.ok("play", "g", "orders.jsonl")
    return terminal


def everything(terminal: Terminal, seat: str) -> str:
    """Return all that a seat can see, except salts, hashes and times."""
    shown = [
        terminal.ok(*command, "g", "--as", seat, "--json").json
        for command in (("status",), ("audit", "--all"), ("undo-points",), ("units",))
    ]
    earlier = range(20, terminal.ok("status", "g", "--json").json["position"], 20)
    shown += [terminal.ok("status", "g", "--at", str(at), "--as", seat, "--json").json for at in earlier]
    terminal.ok("export", "g", "-o", "out.jsonl", "--as", seat)
    lines = (terminal.folder / "out.jsonl").read_text(encoding="utf-8").splitlines()
    return json.dumps([bare(shown), [bare(json.loads(line)) for line in lines]], sort_keys=True)


def bare(found: Any) -> Any:
    """Return a text without the parts that differ between any two ledgers."""
    if isinstance(found, dict):
        return {key: bare(value) for key, value in found.items() if key not in TELLTALE}
    if isinstance(found, str):
        found = re.sub(r"^\d{4}-\d\d-\d\dT[\d:.]+Z$", "a time", found)
        played = re.sub(r"\bfile-[0-9a-f]{8}\.[0-9a-f]{8}-(\d+)-[0-9a-f]{8}\b", r"order \1 of a file", found)
        return re.sub(r"\b[0-9a-f]{16,64}\b", "a random id", played)
    return [bare(one) for one in found] if isinstance(found, list) else found


def compare(tmp_path: Path, name: str, games: list[list[Line]], owner: str, others: tuple[str, ...]) -> None:
    """Check that two games look the same to the others, but different to the owner of the secret."""
    first, second = (at_the_terminal(tmp_path / str(at), name, lines) for at, lines in enumerate(games))
    for seat in others:
        assert everything(first, seat) == everything(second, seat), seat
    assert everything(first, owner) != everything(second, owner)


def attrition(level: int, roll: int) -> list[Line]:
    """Play a Strategic month up to 5.1.H: the Allied level by its roll, and an attrition roll with the same row."""
    table = written(strategic())
    plan = {"5.1.B": [says(JAPAN, "determine-level", 5), says(ALLIES, "determine-level", level)]}
    until(table, "5.1.H", plan={**plan, "5.1.F": [says(ALLIES, "count-attrition", roll)]})
    return table.lines


def contact(roll: int) -> list[Line]:
    """Play a campaign up to the middle of 5.1.R: the Condition by its roll, not revealed."""
    table = written(campaign())
    activate = says(JAPAN, "activate", units=["shokaku", "hiei", "shokaku-air"], headquarters="combined-fleet")
    plan = {**bids(9, 0), "5.1.P/activate": [activate], "5.1.Q": [says(ALLIES, "determine-condition", roll)]}
    until(table, "5.1.R/move", plan=plan)
    table.play(says(JAPAN, "move", unit="kido-butai", path=["ontong-java"]), says(JAPAN, "advance-day"))
    return table.lines


def one_bid(points: int) -> list[Line]:
    table = written(until_bids())
    table.play(says(JAPAN, "bid", points=points))
    return table.lines


def until_bids() -> Story:
    return until(written(campaign()), "5.1.O/bid")


class TestWhatIsShown:
    def test_level_and_its_attrition_roll_stay_secret(self, tmp_path: Path) -> None:
        """Level 1 and a 6, or level 3 and a 4: with four submarines the same row, and the same losses."""
        compare(tmp_path, "marianas", [attrition(5, 6), attrition(9, 4)], ALLIES, (JAPAN, SPECTATOR))

    def test_condition_stays_secret_until_revealed(self, tmp_path: Path) -> None:
        compare(tmp_path, "solomons", [contact(1), contact(9)], ALLIES, (JAPAN, SPECTATOR))

    def test_sealed_bid_stays_secret(self, tmp_path: Path) -> None:
        compare(tmp_path, "solomons", [one_bid(3), one_bid(17)], JAPAN, (ALLIES, SPECTATOR))


class TestRefusals:
    def test_refusal_does_not_depend_on_the_hidden_condition(self) -> None:
        """Japan asks for everything that might tell it; so do the Allies for what they may not do yet."""
        asked = [
            says(JAPAN, "force-end"),
            says(JAPAN, "reveal-condition"),
            says(JAPAN, "determine-condition", 5),
            says(JAPAN, "done", step="5.1.R/condition"),
            says(ALLIES, "force-end"),
            says(ALLIES, "done", step="5.1.R/condition"),
        ]
        heard = []
        for roll in (1, 9):
            table = campaign()
            table.play(*contact(roll))
            refusals = [table.when(order).refusal for order in asked]
            heard.append([(one.what, one.where, one.rule, one.remedy) for one in refusals if one])
            assert len(heard[-1]) == len(asked)
        assert heard[0] == heard[1]

    def test_refusal_does_not_disclose_a_sealed_bid(self) -> None:
        heard = []
        for points in (3, 17):
            table = campaign()
            table.play(*one_bid(points))
            refusal = table.when(says(ALLIES, "bid", points=99)).refusal
            assert refusal is not None
            heard.append((refusal.what, refusal.remedy))
        assert heard[0] == heard[1]


class Test51BLevelsAreSecret:
    @pytest.mark.parametrize(("seat", "sees"), [(JAPAN, False), (SPECTATOR, False), (ALLIES, True), ("referee", True)])
    def test_allied_level_is_shown_only_to_permitted_seats(self, tmp_path: Path, seat: str, sees: bool) -> None:
        terminal = at_the_terminal(tmp_path / "g", "marianas", attrition(9, 4))
        view = terminal.ok("status", "g", "--as", seat, "--json").json
        asked = {(one["question"], one["side"]): one for one in view["choices"]}
        level = asked["strategic intelligence", ALLIES]
        assert (level["known"], level["choice"]) == ((True, 3) if sees else (False, None))
        audit = terminal.ok("audit", "g", "--as", seat, "--all", "--records").out
        assert ("merchant-attrition" in audit) is sees

    def test_that_a_level_was_determined_is_public(self, tmp_path: Path) -> None:
        terminal = at_the_terminal(tmp_path / "g", "marianas", attrition(9, 4))
        audit = terminal.ok("audit", "g", "--as", JAPAN, "--json").json
        assert any(line["event"] == "choice.sealed" and "allies" in line["text"] for line in audit)

    def test_losses_are_public(self, tmp_path: Path) -> None:
        terminal = at_the_terminal(tmp_path / "g", "marianas", attrition(9, 4))
        view = terminal.ok("status", "g", "--as", JAPAN, "--json").json
        assert view["accounts"]["merchant"] == 37

    def test_once_revealed_the_condition_is_everybodys(self, tmp_path: Path) -> None:
        lines = [*contact(9), says(ALLIES, "reveal-condition")]
        terminal = at_the_terminal(tmp_path / "g", "solomons", lines)
        assert terminal.ok("status", "g", "--as", JAPAN, "--json").json["markers"]["condition"] == "ambush"

    def test_game_can_be_opened_with_secrets_closed_to_the_referee(self) -> None:
        table = campaign(secrets_closed_to_referee=True).when(says(JAPAN, "determine-level", 5))
        assert {one.visible_to for one in table.told if hasattr(one, "visible_to")} == {(JAPAN,)}


def test_number_of_records_does_not_depend_on_a_secret() -> None:
    sizes = set()
    for roll in (1, 5, 9):
        table = campaign()
        sizes.add(len(table.play(*contact(roll)).states))
    assert len(sizes) == 1
    assert operation(campaign(), "chokai").game.markers.get("condition") is None
