"""Each attack in its short form. The long forms are one command each, `python -m tests.attacks.NAME --help`."""

import contextlib
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from tests.attacks import secrets
from tests.attacks.attack import Findings
from tests.attacks.kills import Line, half
from tests.attacks.mutants_in import EXPECTED
from tests.attacks.mutants_in import Attack as Mutants
from tests.attacks.secrets import Worlds
from tests.attacks.worlds import GAME, Pair, laid_open, pairs, pairs_in_the_dark, pairs_of_own_sequences
from tests.cli.terminal import ROOT
from umpire_ledger.desk.core.adapters import need_title_of
from umpire_ledger.domain.game.decision import events_of
from umpire_ledger.domain.game.errors import DomainError
from umpire_ledger.domain.game.events import ChoiceRevealed
from umpire_ledger.domain.game.order_json import read_order
from umpire_ledger.domain.play import amend
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.ledger.records.record import Record
from umpire_ledger.testing.fixtures import titles
from umpire_ledger.testing.random_play import NO_PAST

SHORT = {"kills": 20, "writers": 80, "bits_of_a_log": 60, "mutants_in": 120, "secrets": 90, "stores": 1, "delay": 12}
"""Counts for a few seconds each."""


@pytest.mark.parametrize("name", SHORT)
def test_nothing_is_found(name: str) -> None:
    """In a process of its own: some of them fork."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.attacks.{name}", "--count", str(SHORT[name]), "--seed", "7"],
        cwd=ROOT,
        env={**os.environ, "UMPIRE_DELAY_BOUND": "30"},  # other tests run on the same cores
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ": 0 faults" in done.stdout


def test_the_readme_shows_every_attack_with_its_command() -> None:
    attacks = {
        file.stem for file in Path(__file__).parent.glob("*.py") if "attack(" in file.read_text(encoding="utf-8")
    }
    shown = (ROOT / "README.md").read_text(encoding="utf-8").split("## Attacked\n", 1)[1].split("\n## ", 1)[0]
    named = set(re.findall(r"`python -m tests\.attacks\.(\w+) --count \d+ --seed \d+", shown))
    assert named == {name for name in attacks if name not in ("attack", "test_attacks", "test_bits_of_a_store")}


class TestAKillThatLeftSomethingHalf:
    """That the attack would see it."""

    BEFORE = (Line(1, "referee", b"{}", begins=True),)
    AFTER = (*BEFORE, Line(2, "red", b"{}", begins=True), Line(3, "red", b"{}", begins=False))

    def judged(self, name: str, there: Sequence[Line], *, acknowledged: bool = False) -> str:
        return half(name, {"g": list(self.BEFORE)}, {"g": list(there)}, {"g": list(self.AFTER)}, acknowledged)

    def test_all_or_nothing_is_well(self) -> None:
        assert self.judged("amend", self.BEFORE) == self.judged("amend", self.AFTER, acknowledged=True) == ""

    def test_half_an_order(self) -> None:
        assert "inside an order" in self.judged("play", self.AFTER[:2])

    def test_what_was_acknowledged_and_is_gone(self) -> None:
        assert "acknowledged" in self.judged("order", self.BEFORE, acknowledged=True)

    def test_a_record_that_became_another(self) -> None:
        assert "other records" in self.judged("play", [Line(1, "blue", b"{}", begins=True)])

    def test_a_part_of_what_comes_all_at_once(self) -> None:
        assert "some of it" in self.judged("import", self.AFTER[:2])


@pytest.fixture(scope="module")
def pair() -> Pair:
    return next(pairs(1))


def test_whoever_may_not_see_it_is_offered_the_same_to_type(tmp_path: Path, pair: Pair) -> None:
    """Orders, examples and completions, with both secrets."""
    found = Findings()
    Worlds(tmp_path, pair, found, random.Random(1)).typing()
    assert not found.faults
    assert found.counts["outputs"] > 100


def test_amendment_that_keeps_sealed_orders_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it once was: a private note was given again, and sealed orders were not."""
    words = next(one for one in pairs(1) if one.secret == "seal-words")
    monkeypatch.setattr(secrets, "WAYS_BACK", 7)
    found = Findings()
    Worlds(folder_in(tmp_path, "sound"), words, found, random.Random(1)).went_back()
    assert not found.faults
    monkeypatch.setattr(amend, "is_private_words", lambda taken: False)
    monkeypatch.setattr(amend, "NOT_AGAIN", (*amend.NOT_AGAIN, "seal-words"))
    Worlds(folder_in(tmp_path, "faulty"), words, found, random.Random(1)).went_back()
    assert any("amend" in fault for fault in found.faults)


def folder_in(place: Path, name: str) -> Path:
    (place / name).mkdir()
    return place / name


def test_a_game_with_its_own_sequence_keeps_its_secrets(tmp_path: Path) -> None:
    """What is sealed in a step of the scenario's own: every look of the others is the same with both answers."""
    found = Findings()
    own = next(pairs_of_own_sequences(1))
    assert own.game.sequence
    worlds = Worlds(tmp_path, own, found, random.Random(1))
    worlds.holder_sees_it()
    worlds.too_late()
    worlds.told_again()
    worlds.typing()
    worlds.read_models()
    worlds.commands(15)
    assert not found.faults
    assert found.counts["outputs"] > 100


@pytest.mark.parametrize("title", [title.id for title in titles()])
def test_hidden_units_are_seen_by_nobody_else(tmp_path: Path, title: str) -> None:
    """Another unit, elsewhere, farther, something else done to it: every look of the others is the same."""
    found, pair = Findings(), next(pairs_in_the_dark(5, title))
    assert not pair.leaks
    worlds = Worlds(tmp_path, pair, found, random.Random(1))
    worlds.holder_sees_it()
    worlds.told_again()
    worlds.read_models()
    worlds.commands(12)
    assert not found.faults
    assert found.counts["outputs"] > 25


def test_what_hangs_on_a_hidden_unit_in_the_open_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An admiral who is out of sight and adds his rating to a die, where orders were not decided on the open table."""
    monkeypatch.setattr("umpire_ledger.domain.play.decide.state_for_decision", lambda known, order: known)
    leaks = (leak for pair in islice(pairs_in_the_dark(1, "war-galley"), 60) for leak in pair.leaks)
    assert "roll-initiative" in next(leaks)


class TestASecretThatIsTold:
    """The same: with a filter taken out, or with the eyes of whoever may see it, the attack finds something."""

    @pytest.fixture
    def found(self) -> Findings:
        return Findings()

    def worlds(self, place: Path, pair: Pair, found: Findings) -> Worlds:
        return Worlds(place, pair, found, random.Random(1))

    def test_by_a_command(self, tmp_path: Path, pair: Pair, found: Findings) -> None:
        holder = next(side for side in pair.game.side_ids if side not in pair.blind)
        worlds = self.worlds(tmp_path, pair, found)
        assert not found.faults
        worlds.pair = pair._replace(blind=(holder,))
        worlds.commands(25)
        assert found.faults

    def test_by_the_answer_to_whoever_comes_too_late(
        self, tmp_path: Path, pair: Pair, found: Findings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        worlds = self.worlds(tmp_path, pair, found)
        monkeypatch.setattr("umpire_ledger.desk.core.game_session.sees", lambda *_: True)
        worlds.too_late()
        assert any("has seen" in fault for fault in found.faults)


def ends_the_step(pair: Pair) -> str:
    """The blind seat whose `done` lays the whole secret open; "" if there is none."""
    title = need_title_of(pair.game)
    for seat in set(pair.game.cursor.waiting()) & set(pair.blind):
        with contextlib.suppress(DomainError):
            told = decide(title, pair.game, read_order(title, {"order": "done", "as": seat}), NO_PAST).told
            opened = {(one.question, one.side) for one in events_of(told) if isinstance(one, ChoiceRevealed)}
            if pair.keys and pair.keys <= opened:
                return seat
    return ""


class Opened(NamedTuple):
    """A pair whose secret is laid open by a blind seat's `done`, in ledgers, and what that records in each world."""

    pair: Pair
    worlds: Worlds
    one: Sequence[Record]
    other: Sequence[Record]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """For instance a die for a pursuit, opened when the pursued end their step."""
    pair, seat = next((pair, seat) for pair in islice(pairs(21), 200) if (seat := ends_the_step(pair)))
    worlds = Worlds(tmp_path_factory.mktemp("worlds"), pair, Findings(), random.Random(1))
    return Opened(pair, worlds, *(worlds.recorded(home, ["done", GAME, "--as", seat]) for home in worlds.homes))


class TestASecretThatAnActLaysOpen:
    """The answer to whoever ends the step before a reveal may differ, and nothing more."""

    @pytest.fixture
    def found(self, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> Findings:
        found = Findings()
        monkeypatch.setattr(opened.worlds, "found", found)
        return found

    def test_is_counted_by_itself(self, opened: Opened, found: Findings) -> None:
        opened.worlds.commands(sys.maxsize, "done")
        assert not found.faults
        assert found.counts["reveals"] >= 3

    def test_is_a_fault_where_it_is_shown_and_not_recorded(
        self, opened: Opened, found: Findings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(opened.worlds, "recorded", lambda *_: [])
        opened.worlds.commands(sys.maxsize, "done")
        assert any("umpire done" in fault for fault in found.faults)

    def test_is_laid_open_in_both_worlds(self, opened: Opened) -> None:
        pair, one, other = opened.pair, opened.one, opened.other
        assert laid_open(pair, one, other)
        assert not laid_open(pair, one, [])
        assert not laid_open(pair, [], other)
        assert not laid_open(pair, one, one)

    def test_is_laid_open_to_everybody_and_whole(self, opened: Opened) -> None:
        pair, told = opened.pair, (opened.one, opened.other)
        one, other = ([replace(record, visible_to=pair.blind) for record in world] for world in told)
        assert not laid_open(pair, one, other)
        assert not laid_open(pair._replace(keys=pair.keys | {("another", pair.blind[0])}), *told)
        assert not laid_open(pair._replace(keys=frozenset()), *told)

    def test_is_told_by_nothing_before_its_reveal(self, opened: Opened) -> None:
        pair, one, other = opened.pair, opened.one, opened.other
        begins_elsewhere = replace(one[0], event=one[1].event)
        for_nobody = replace(one[0], visible_to=())
        assert not laid_open(pair, [begins_elsewhere, *one[1:]], other)
        assert not laid_open(pair, [for_nobody, *one[1:]], other)


class TestAnInputThatCrashes:
    def test_a_traceback_and_a_code_that_is_not_documented(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        found = Findings()
        attack = Mutants(tmp_path, 1, found)
        monkeypatch.setattr("umpire_ledger.cli.order.read_order_json", lambda text: 1 // 0)
        monkeypatch.setattr("tests.attacks.mutants_in.EXPECTED", EXPECTED[:1])
        attack.go(30)
        assert any(fault.startswith("ZeroDivisionError") for fault in found.faults)
        assert any("answered 2" in fault or "answered 3" in fault for fault in found.faults)
