"""Build a sixth title in an afternoon: Two Rivers, in its own package, found by its entry point, with contract checks.

The folder `two_rivers/` holds the files that a package installer puts on the path: the package and its `.dist-info`.
No file of Umpire names the title.
"""

import json
import os
import subprocess
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import ROOT, Answer, Terminal
from tests.face.desk import find_title, need_title, title_references
from tests.face.domain import (
    BUILT_IN,
    AccountChanged,
    ChoiceMade,
    ChoiceRevealed,
    DiceRolled,
    GameEnded,
    NoSuchTitle,
    ScenarioError,
    StepPassed,
    Title,
    UnitMoved,
    UnitRemoved,
    read_scenario,
)
from tests.face.testing import Story

SITE = Path(__file__).parent / "two_rivers"
FIXTURES = SITE / "two_rivers" / "fixtures"
SCENARIO = FIXTURES / "scenarios" / "spring-flood.toml"
ORDERS = FIXTURES / "orders" / "spring-flood.jsonl"
LINES = [json.loads(line) for line in ORDERS.read_text().splitlines() if not line.startswith("#")]
HILLS, DELTA = "hills", "delta"


@pytest.fixture
def title(monkeypatch: pytest.MonkeyPatch) -> Title:
    """Return the title, found like any title of another package."""
    monkeypatch.syspath_prepend(SITE)
    return need_title("two-rivers")


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """Return a terminal in an empty folder."""
    return Terminal(tmp_path)


@pytest.fixture
def river(title: Title) -> Story:
    return Story(title, read_scenario(SCENARIO.read_text(), title.scenario))


def says(seat: str, order: str, *pips: int, **arguments: Any) -> dict[str, Any]:
    return {"as": seat, "order": order, **arguments, **({"pips": pips} if pips else {})}


def to_rafting(river: Story, pip: int = 4, hills: int = 1, delta: int = 2) -> Story:
    """Water and tolls are settled; the hills pick a raft."""
    return river.play(
        says(HILLS, "roll-water", pip), says(HILLS, "seal-toll", coins=hills), says(DELTA, "seal-toll", coins=delta)
    ).then_open("3.1")


class TestEntryPoint:
    def test_title_is_found_through_the_metadata_of_its_package(self, title: Title) -> None:
        assert "two-rivers" not in BUILT_IN
        (point,) = distribution("two-rivers").entry_points
        assert (point.group, point.value) == ("umpire.titles", "two_rivers:TITLE")
        assert title_references()["two-rivers"] == "two_rivers:TITLE"

    def test_without_the_package_there_is_no_such_title(self) -> None:
        assert find_title("two-rivers") is None
        with pytest.raises(NoSuchTitle, match="two-rivers"):
            need_title("two-rivers")

    def test_umpire_does_not_name_the_title(self) -> None:
        sources = (
            file for package in ("domain", "cli", "projections", "ledger") for file in (ROOT / package).rglob("*.py")
        )
        assert not [file for file in sources if "two_rivers" in file.read_text() or "two-rivers" in file.read_text()]


class TestRules:
    @pytest.mark.parametrize(("pip", "carries"), [(1, 1), (2, 1), (3, 2), (5, 2), (6, 3)])
    def test_1_the_die_says_how_far_the_water_carries(self, river: Story, pip: int, carries: int) -> None:
        river.when(says(DELTA, "roll-water", pip)).then(DiceRolled, outcome=f"carries {carries}", rule="1")
        assert river.game.markers["water"] == carries

    def test_2a_tolls_are_sealed_and_only_their_owner_knows(self, river: Story) -> None:
        river.play(says(HILLS, "roll-water", 4)).when(says(HILLS, "seal-toll", coins=3)).then(ChoiceMade, choice=3)
        secret = [told for told in river.told if hasattr(told, "visible_to")]
        assert [told.visible_to for told in secret] == [(HILLS, "referee")]

    def test_2a_a_side_seals_once(self, river: Story) -> None:
        river.play(says(HILLS, "roll-water", 4), says(HILLS, "seal-toll", coins=3))
        river.when(says(HILLS, "seal-toll", coins=1)).then_refused(
            "step-of-another-side", rule="2a", step="2a", sides="The delta"
        )

    def test_2b_choices_are_revealed_together(self, river: Story) -> None:
        to_rafting(river)
        assert [event.choice for event in river.events if isinstance(event, ChoiceRevealed)] == [1, 2]

    def test_3a_a_raft_that_comes_to_the_others_mill_pays(self, river: Story) -> None:
        to_rafting(river).play(says(HILLS, "pick", member="heron")).when(says(HILLS, "drift", stretches=2))
        river.then(UnitMoved, unit="heron", path=("north/spring", "north/bend", "north/mill"), rule="3a")
        river.then(AccountChanged, account="coins/hills", amount=-2, after=0)
        river.then(AccountChanged, account="coins/delta", amount=2, after=4)

    def test_3a_ones_own_mill_is_free(self, river: Story) -> None:
        to_rafting(river).play(says(HILLS, "pick", member="otter"))
        river.when(says(HILLS, "drift", stretches=2)).then_not(AccountChanged)

    def test_3a_who_cannot_pay_may_not_pass(self, river: Story) -> None:
        to_rafting(river, delta=3).play(says(HILLS, "pick", member="heron")).when(says(HILLS, "drift", stretches=2))
        river.then_refused(rule="Two Rivers 3a", says="the toll is 3, and 2 coins are left", do="stop above the mill")

    def test_raft_above_mill_it_cannot_pay_is_passed(self, river: Story) -> None:
        """Two Rivers 3a."""
        to_rafting(river, pip=1)
        river.play(says(HILLS, "pick", member="heron"), says(HILLS, "drift", stretches=1))
        for side, raft in ((DELTA, "pike"), (HILLS, "otter")):
            river.play(says(side, "pick", member=raft), says(side, "done"))
        to_rafting(river, pip=1, delta=3).when(says(HILLS, "pick", member="heron"))
        river.then(StepPassed, step="3a")
        assert river.game.cursor.waiting() == (DELTA,)
        assert river.game.units["heron"].at == "north/bend"

    def test_3a_no_raft_outruns_the_water(self, river: Story) -> None:
        to_rafting(river).play(says(HILLS, "pick", member="heron")).when(says(HILLS, "drift", stretches=3))
        river.then_refused(rule="Two Rivers 3a", says="carries 2, not 3", do="drift 1 to 2")

    def test_3_a_side_with_nothing_left_is_skipped(self, river: Story) -> None:
        to_rafting(river)
        for side, raft in ((HILLS, "heron"), (DELTA, "pike"), (HILLS, "otter")):
            assert river.game.cursor.waiting() == (side,)
            river.play(says(side, "pick", member=raft), says(side, "done"))
        river.then_open("1")

    def test_4_bales_at_sea_score_and_the_last_raft_ends_the_game(self, river: Story) -> None:
        river.play(*LINES)
        river.then(UnitRemoved, unit="heron", fate="delivered", rule="4a")
        river.then(GameEnded, why="every raft has delivered", winner=HILLS)
        assert (river.game.accounts["points/hills"], river.game.accounts["points/delta"]) == (5, 2)

    def test_scenario_with_a_mill_of_an_unknown_side_is_refused(self, title: Title) -> None:
        with pytest.raises(ScenarioError, match="no side sea") as refusal:
            read_scenario(SCENARIO.read_text().replace('north = "delta"', 'north = "sea"'), title.scenario)
        assert refusal.value.where == "$.mills.north"


class TestAtTheCommandLine:
    """In processes of their own, with the package on the path and without."""

    def umpire(self, terminal: Terminal, *words: str, installed: bool = True) -> Answer:
        path = os.pathsep.join((str(ROOT), *([str(SITE)] if installed else [])))
        done = subprocess.run(
            terminal.command(*words),
            cwd=terminal.folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    def test_game_played_and_exported_can_be_verified(self, terminal: Terminal) -> None:
        listed = self.umpire(terminal, "titles", "--json").json
        assert {"id": "two-rivers", "name": "Two Rivers"}.items() <= next(
            one for one in listed if one["id"] == "two-rivers"
        ).items()
        assert self.umpire(terminal, "new", "two-rivers", "--id", "g", "--scenario", str(SCENARIO)).code == 0
        assert self.umpire(terminal, "play", "g", str(ORDERS)).code == 0
        assert self.umpire(terminal, "export", "g", "-o", "g.jsonl").code == 0
        # A log needs no title to be read.
        assert self.umpire(terminal, "verify", "g.jsonl", "--json", installed=False).json["verdict"] == "VALID"
        told = self.umpire(terminal, "audit", "g", "--text", "toll", "--json", installed=False)
        assert [line["step"] for line in told.json if line["event"] == "account.changed"][:1] == ["3a"]

    def test_without_the_package_it_cannot_be_opened(self, terminal: Terminal) -> None:
        answer = self.umpire(terminal, "new", "two-rivers", "--id", "g", "--scenario", str(SCENARIO), installed=False)
        assert answer.code == 6
        assert "no title two-rivers" in answer.err
