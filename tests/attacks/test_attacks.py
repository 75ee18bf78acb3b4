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
from tests.attacks.mutants_in import EXPECTED, Attack as Mutants
from tests.attacks.secrets import Worlds
from tests.attacks.worlds import GAME, Pair, laid_open, pairs, pairs_in_the_dark, pairs_of_own_sequences
from tests.cli.terminal import ROOT
from tests.face.desk import need_title_of
from tests.face.domain import (
    ChoiceRevealed,
    DomainError,
    amend,
    decide,
    events_of,
    read_order,
)
from tests.face.ledger import Record
from tests.face.testing import NO_HISTORY, titles

SHORT = {"kills": 20, "writers": 80, "bits_of_a_log": 60, "mutants_in": 120, "secrets": 90, "stores": 1, "delay": 12}
"""Counts for a few seconds each."""


@pytest.mark.parametrize("name", SHORT)
def test_attack_finds_no_fault(name: str) -> None:
    """Run the attack in a separate process, because some attacks fork."""
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


def test_readme_shows_every_attack_with_its_command() -> None:
    attacks = {
        file.stem for file in Path(__file__).parent.glob("*.py") if "attack(" in file.read_text(encoding="utf-8")
    }
    shown = (ROOT / "docs" / "explanation" / "attacks.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`python -m tests\.attacks\.(\w+) --count \d+ --seed \d+", shown))
    assert named == {name for name in attacks if name not in ("attack", "test_attacks", "test_bits_of_a_store")}


class TestPartialRecords:
    """That the attack would see it."""

    BEFORE = (Line(1, "referee", b"{}", begins=True),)
    AFTER = (*BEFORE, Line(2, "red", b"{}", begins=True), Line(3, "red", b"{}", begins=False))

    def judged(self, name: str, there: Sequence[Line], *, acknowledged: bool = False) -> str:
        return half(name, {"g": list(self.BEFORE)}, {"g": list(there)}, {"g": list(self.AFTER)}, acknowledged)

    def test_all_or_nothing_is_well(self) -> None:
        assert self.judged("amend", self.BEFORE) == self.judged("amend", self.AFTER, acknowledged=True) == ""

    def test_half_an_order(self) -> None:
        assert "inside an order" in self.judged("play", self.AFTER[:2])

    def test_missing_acknowledged_order_is_found(self) -> None:
        assert "acknowledged" in self.judged("order", self.BEFORE, acknowledged=True)

    def test_changed_record_is_found(self) -> None:
        assert "other records" in self.judged("play", [Line(1, "blue", b"{}", begins=True)])

    def test_partial_import_is_found(self) -> None:
        assert "some of it" in self.judged("import", self.AFTER[:2])


@pytest.fixture(scope="module")
def pair() -> Pair:
    return next(pairs(1))


def test_typing_by_blind_seat_reveals_no_secret(tmp_path: Path, pair: Pair) -> None:
    """Compare orders, examples and completions, with both secrets."""
    found = Findings()
    Worlds(tmp_path, pair, found, random.Random(1)).typing()
    assert not found.faults
    assert found.counts["outputs"] > 100


def test_amendment_that_keeps_sealed_orders_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the filter for private words: a private note is repeated then, and sealed orders are not."""
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


def test_secret_in_own_sequence_stays_secret(tmp_path: Path) -> None:
    """Compare every view of the other seats after a secret choice in a step of the scenario's own sequence."""
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
def test_hidden_units_are_unknown_to_other_seats(tmp_path: Path, title: str) -> None:
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


def test_public_effect_of_hidden_unit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a hidden admiral's rating to a public die: orders are decided with the hidden units here."""
    monkeypatch.setattr("umpire_ledger.domain.play.decide.state_for_decision", lambda known, order: known)
    leaks = (leak for pair in islice(pairs_in_the_dark(1, "war-galley"), 60) for leak in pair.leaks)
    assert "roll-initiative" in next(leaks)


class TestLeakedSecret:
    """The attack finds a leak when a filter is removed or a view is that of the secret's own seat."""

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
        worlds.commands(60)
        assert found.faults

    def test_leak_in_position_conflict_is_found(
        self, tmp_path: Path, pair: Pair, found: Findings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        worlds = self.worlds(tmp_path, pair, found)
        monkeypatch.setattr("umpire_ledger.desk.core.game_session.sees", lambda *_: True)
        worlds.too_late()
        assert any("has seen" in fault for fault in found.faults)


def ends_the_step(pair: Pair) -> str:
    """Return the blind seat whose `done` reveals the whole secret; "" if there is none."""
    title = need_title_of(pair.game)
    for seat in set(pair.game.cursor.waiting()) & set(pair.blind):
        with contextlib.suppress(DomainError):
            told = decide(title, pair.game, read_order(title, {"order": "done", "as": seat}), NO_HISTORY).told
            opened = {(one.question, one.side) for one in events_of(told) if isinstance(one, ChoiceRevealed)}
            if pair.keys and pair.keys <= opened:
                return seat
    return ""


class Opened(NamedTuple):
    """A pair whose secret is revealed by a blind seat's `done`, in ledgers, with that order's records in each world."""

    pair: Pair
    worlds: Worlds
    one: Sequence[Record]
    other: Sequence[Record]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """Return such a pair, for instance with a pursuit die that is revealed when the pursued side ends its step."""
    pair, seat = next((pair, seat) for pair in islice(pairs(21), 200) if (seat := ends_the_step(pair)))
    worlds = Worlds(tmp_path_factory.mktemp("worlds"), pair, Findings(), random.Random(1))
    return Opened(pair, worlds, *(worlds.recorded(home, ["done", GAME, "--as", seat]) for home in worlds.homes))


class TestRevealedSecret:
    """Only the answer to the seat that ends the step before a reveal may differ."""

    @pytest.fixture
    def found(self, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> Findings:
        found = Findings()
        monkeypatch.setattr(opened.worlds, "found", found)
        return found

    def test_reveal_is_counted_separately(self, opened: Opened, found: Findings) -> None:
        opened.worlds.commands(sys.maxsize, "done")
        assert not found.faults
        assert found.counts["reveals"] >= 3

    def test_reveal_without_record_is_a_fault(
        self, opened: Opened, found: Findings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(opened.worlds, "recorded", lambda *_: [])
        opened.worlds.commands(sys.maxsize, "done")
        assert any("umpire done" in fault for fault in found.faults)

    def test_reveal_must_happen_in_both_worlds(self, opened: Opened) -> None:
        pair, one, other = opened.pair, opened.one, opened.other
        assert laid_open(pair, one, other)
        assert not laid_open(pair, one, [])
        assert not laid_open(pair, [], other)
        assert not laid_open(pair, one, one)

    def test_reveal_must_be_public_and_complete(self, opened: Opened) -> None:
        pair, told = opened.pair, (opened.one, opened.other)
        one, other = ([replace(record, visible_to=pair.blind) for record in world] for world in told)
        assert not laid_open(pair, one, other)
        assert not laid_open(pair._replace(keys=pair.keys | {("another", pair.blind[0])}), *told)
        assert not laid_open(pair._replace(keys=frozenset()), *told)

    def test_reveal_must_be_the_first_difference(self, opened: Opened) -> None:
        pair, one, other = opened.pair, opened.one, opened.other
        begins_elsewhere = replace(one[0], event=one[1].event)
        for_nobody = replace(one[0], visible_to=())
        assert not laid_open(pair, [begins_elsewhere, *one[1:]], other)
        assert not laid_open(pair, [for_nobody, *one[1:]], other)


class TestCrashingInput:
    def test_traceback_or_undocumented_exit_code_is_found(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        found = Findings()
        attack = Mutants(tmp_path, 1, found)
        monkeypatch.setattr("umpire_ledger.cli.order.read_order_json", lambda text: 1 // 0)
        monkeypatch.setattr("tests.attacks.mutants_in.EXPECTED", EXPECTED[:1])
        attack.go(30)
        assert any(fault.startswith("ZeroDivisionError") for fault in found.faults)
        assert any("answered 2" in fault or "answered 3" in fault for fault in found.faults)
