"""Epochs of the ledger's dice: what is open is thrown from no more, and past dice are checked while play goes on."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.attacks.damaged_logs import RAW, read, written_anew
from umpire_ledger.desk.core.adapters import drafts_of, event_of
from umpire_ledger.domain.game.dice import Epoch, draw
from umpire_ledger.domain.game.dice_notation import commitment_of, parse
from umpire_ledger.domain.game.events import (
    DiceCommitted,
    DiceOpened,
    DiceRolled,
    DiceSeeded,
    PlayRewound,
)
from umpire_ledger.domain.game.orders import OpenDice, Roll
from umpire_ledger.domain.game.scenario import FreeScenario, read_scenario
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.history.dice_seeds import open_dice
from umpire_ledger.domain.titles.freeform import TITLE
from umpire_ledger.testing.fixtures import FIXTURES
from umpire_ledger.testing.story import Story

FORD = FIXTURES / "freeform" / "scenarios" / "ford.toml"
DICE = "20d6"
FIRE: dict[str, Any] = {"as": "red", "order": "roll", "dice": DICE, "purpose": "fire"}


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    with umpire.open(tmp_path / "club.ledger") as desk:
        yield desk.new("freeform", FORD, id="ford", dice="ledger")


def fire(game: umpire.PlayedGame) -> tuple[int, ...]:
    """Red throws, and what is thrown is of the seed that the game holds now."""
    before = game.ledger.state(game.id)
    [rolled] = [one.event for one in game.seat("red").order(FIRE).records if isinstance(one.event, DiceRolled)]
    assert rolled.pips == draw(Epoch(before.seed, before.label), rolled.roll, parse(DICE))
    return rolled.pips


def now(game: umpire.PlayedGame) -> Game:
    return game.ledger.state(game.id)


def of_kind(game: umpire.PlayedGame, kind: type[Any]) -> list[Any]:
    return [event for event in map(event_of, game.ledger.records(game.id)) if isinstance(event, kind)]


def open_all(game: umpire.PlayedGame) -> umpire.Checked:
    game.referee.order("end", reason="night falls")
    game.referee.order("open-dice")
    return game.verify()


def verified(game: umpire.PlayedGame, dice: int) -> None:
    """Every hash is right, and so many rolls were thrown again; no event fails to fit."""
    checked = game.verify()
    assert (checked.verdict.verdict, checked.dice, checked.findings) == ("VALID", dice, ())


def test_a_wrong_roll_is_named_with_the_pips_that_the_seed_gives(ford: umpire.PlayedGame, tmp_path: Path) -> None:
    pips = fire(ford)
    open_all(ford)
    ford.referee.export(tmp_path / "ford.jsonl")
    name, records = read((tmp_path / "ford.jsonl").read_bytes())
    said = json.dumps(list(pips), separators=(",", ":")).encode()
    other = [pip % 6 + 1 for pip in pips]
    told = json.dumps(other, separators=(",", ":")).encode()
    changed = [replace(one, event=RAW(bytes(one.event).replace(said, told))) for one in records]
    (tmp_path / "ford.jsonl").write_bytes(written_anew(name, changed))
    checked = umpire.verify(tmp_path / "ford.jsonl")
    assert checked.verdict.first_bad == 10
    assert checked.verdict.reason == (
        f"the seed gives other dice for this roll (fire: {tuple(other)}); it gives {pips}"
    )


class TestBehindTheEnd:
    def test_a_rewind_before_an_open_seed_draws_a_new_one(self, ford: umpire.PlayedGame) -> None:
        first = now(ford)
        fire(ford)
        at = ford.size
        open_all(ford)
        ford.referee.rewind(at, why="one more turn")
        fresh = now(ford)
        assert (fresh.dice_open, fresh.label, fresh.rolls) == (False, first.label, 1)
        assert fresh.seed not in ("", first.seed)
        assert fresh.commitment == commitment_of(fresh.seed) != first.commitment
        fire(ford)
        verified(ford, 1)
        open_all(ford)
        verified(ford, 2)

    def test_the_new_seed_stands_in_the_rewind_s_own_order_and_nobody_sees_it(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        at = ford.size
        open_all(ford)
        done = ford.referee.rewind(at, why="one more turn")
        assert [type(one.event) for one in done.records] == [PlayRewound, DiceCommitted]
        assert [one.visible_to for one in list(ford.ledger.records(ford.id))[-1:]] == [()]
        for seat in at_least_one(("referee", "red", "spectator")):
            assert ford.seat(seat).known(ford.size).seed == ""

    def test_redo_and_undo_go_on_with_what_is_closed(self, ford: umpire.PlayedGame) -> None:
        """The end that is returned to has an open seed: whoever goes back from it again throws from another."""
        fire(ford)
        open_all(ford)
        opened = now(ford).commitment
        ford.referee.undo(why="not yet")
        second = now(ford)
        assert not second.dice_open
        ford.referee.redo()
        assert (now(ford).commitment, now(ford).dice_open) == (second.commitment, False)
        assert now(ford).seed == second.seed
        ford.referee.undo(2, why="really not yet")
        assert now(ford).seed == second.seed
        assert opened != second.commitment
        fire(ford)
        verified(ford, 1)

    def test_return_to_the_open_end_itself_is_refused(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        open_all(ford)
        ford.seat("red").note("well played")
        before = ford.size
        with pytest.raises(umpire.Refused) as refused:
            ford.referee.rewind(before - 1, why="without the remark")
        assert (refused.value.rule, ford.size, now(ford).dice_open) == ("undo and rewind", before, True)

    def test_an_amendment_is_played_again_with_a_new_seed(self, ford: umpire.PlayedGame) -> None:
        first = fire(ford)
        at = ford.size
        open_all(ford)
        opened = now(ford).seed
        ford.referee.amend(at, how="reroll", why="a cocked die")
        assert (now(ford).dice_open, now(ford).seed == opened, now(ford).ended) == (False, False, "night falls")
        again = of_kind(ford, DiceRolled)[-1]
        assert again.pips == draw(Epoch(now(ford).seed, "ford"), 2, parse(DICE)) != first
        ford.referee.order("open-dice")
        verified(ford, 2)

    def test_the_sides_agree_on_a_rewind_and_the_seed_is_new(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        at = ford.size
        open_all(ford)
        opened = now(ford).seed
        ford.seat("red").ask_rewind(at, why="one more turn")
        ford.seat("blue").consent()
        assert now(ford).seed not in ("", opened)

    def test_a_ruling_throws_from_no_open_seed(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        at = ford.size
        open_all(ford)
        ruling = {"ruling": "once more", "reason": "a cocked die", "grounds": "house rule"}
        with pytest.raises(umpire.Refused, match="the seed of these dice is open") as refused:
            ford.referee.order("rule", **ruling, orders=[{"order": "roll", "dice": DICE, "purpose": "fire"}])
        assert "behind a rewind" in refused.value.remedy
        ford.referee.order("rule", **ruling, orders=[{"order": "rewind", "to": at}])
        assert not now(ford).dice_open
        fire(ford)

    @pytest.mark.parametrize("policy", ["reroll", "keep"])
    def test_a_ruling_that_goes_back_first_throws_from_the_new_seed(self, ford: umpire.PlayedGame, policy: str) -> None:
        at, first = ford.size, fire(ford)
        open_all(ford)
        opened = now(ford).seed
        again = {"order": "rewind", "to": at, "dice": policy}
        ruling = {"ruling": "once more", "reason": "a cocked die", "grounds": "house rule"}
        ford.referee.order("rule", **ruling, orders=[again, {"order": "roll", "dice": DICE, "purpose": "fire"}])
        assert now(ford).seed not in ("", opened)
        _, second = of_kind(ford, DiceRolled)
        fresh = draw(Epoch(now(ford).seed, "ford"), 2, parse(DICE))
        assert (second.roll, second.pips, second.kept) == ((2, fresh, 0) if policy == "reroll" else (2, first, at + 1))
        open_all(ford)
        verified(ford, 2)


class TestAnOlderEdition:
    """It committed to nothing behind a rewind, and went on with the seed that it had opened."""

    @pytest.fixture
    def reopened(self, ford: umpire.PlayedGame) -> umpire.PlayedGame:
        at = ford.size
        fire(ford)
        open_all(ford)
        back = PlayRewound(to=at, kind="rewind", why="not yet", rolls=1, tip=ford.size)
        drafts = drafts_of((back,), None)
        ford.ledger.append(ford.id, after=ford.size, seat="referee", command="of-old", drafts=drafts)
        assert not now(ford).dice_open
        return ford

    def test_nothing_is_thrown_from_a_seed_that_the_log_has_opened(self, reopened: umpire.PlayedGame) -> None:
        size = reopened.size
        with pytest.raises(umpire.Refused, match="the seed of these dice is open") as refused:
            reopened.seat("red").order(FIRE)
        assert (refused.value.rule, reopened.size) == ("dice", size)
        assert "go back to a position first" in refused.value.remedy

    def test_nor_is_it_opened_again(self, reopened: umpire.PlayedGame) -> None:
        with pytest.raises(umpire.Refused, match="the dice are open already"):
            reopened.referee.order("open-dice")

    def test_behind_the_next_rewind_the_seed_is_new(self, reopened: umpire.PlayedGame) -> None:
        opened = now(reopened).seed
        reopened.referee.rewind(reopened.size, why="new dice")
        assert now(reopened).seed not in ("", opened)
        fire(reopened)
        verified(reopened, 1)
        open_all(reopened)
        verified(reopened, 2)

    def test_a_log_that_opens_what_is_no_seed_is_played_on(self, ford: umpire.PlayedGame) -> None:
        drafts = drafts_of((DiceOpened(seed="no seed"),), None)
        ford.ledger.append(ford.id, after=ford.size, seat="referee", command="of-old", drafts=drafts)
        ford.referee.rewind(ford.size - 1, why="that was none")
        fire(ford)


class TestWhilePlayGoesOn:
    def test_past_dice_are_thrown_again_and_those_to_come_are_closed(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        fire(ford)
        first = now(ford).seed
        done = ford.referee.order("open-dice")
        assert [type(one.event) for one in done.records] == [DiceOpened, DiceCommitted]
        assert now(ford).seed not in ("", first)
        verified(ford, 2)
        fire(ford)
        verified(ford, 2)
        open_all(ford)
        verified(ford, 3)

    def test_a_rewind_across_the_change_keeps_the_newest_seed(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        at = ford.size
        ford.referee.order("open-dice")
        second = now(ford)
        fire(ford)
        ford.referee.rewind(at, why="a slip")
        assert (now(ford).seed, now(ford).commitment) == (second.seed, second.commitment)
        assert len(of_kind(ford, DiceCommitted)) == 3
        fire(ford)
        open_all(ford)
        verified(ford, 3)

    def test_a_rewind_within_it_says_nothing_of_dice(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        ford.referee.order("open-dice")
        at = ford.size
        fire(ford)
        ford.referee.rewind(at, why="a slip")
        assert len(of_kind(ford, DiceCommitted)) == len(of_kind(ford, DiceSeeded)) == 2

    def test_an_amendment_leaves_the_opening_of_dice_out(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        at = ford.size
        ford.referee.order("open-dice")
        fire(ford)
        kept = now(ford).seed
        ford.referee.amend(at, {**FIRE, "rule": "7"}, why="the rule was missing")
        assert (now(ford).seed, len(of_kind(ford, DiceOpened))) == (kept, 1)
        open_all(ford)
        verified(ford, 4)

    def test_a_seed_from_which_nothing_was_thrown_stays_closed(self, ford: umpire.PlayedGame) -> None:
        """Or the seed could be drawn again until it pleases."""
        for _ in range(2):
            with pytest.raises(umpire.Refused, match="no roll that counts is from this seed yet"):
                ford.referee.order("open-dice")
            fire(ford)
            ford.referee.order("open-dice")
        assert len(of_kind(ford, DiceOpened)) == 2

    def test_nor_is_one_opened_whose_only_roll_was_taken_back(self, ford: umpire.PlayedGame) -> None:
        start = ford.size
        fire(ford)
        ford.referee.rewind(start, why="out of range")
        with pytest.raises(umpire.Refused, match="no roll that counts is from this seed yet"):
            ford.referee.order("open-dice")

    def test_a_seed_from_which_something_was_thrown_in_secret_stays_closed(self, tmp_path: Path) -> None:
        """Or everybody could throw it again: Japan's level (7.0) is nobody else's business. It opens at the end."""
        orders = (FIXTURES / "pacific-war" / "orders" / "solomons-suspended.jsonl").read_text(encoding="utf-8")
        with umpire.open(tmp_path / "club.ledger") as desk:
            scenario = FIXTURES / "pacific-war" / "scenarios" / "solomons.toml"
            game = desk.new("pacific-war", scenario, id="solomons", dice="ledger")
            for line in orders.splitlines():
                raw = json.loads(line)
                raw.pop("pips", None)
                with suppress(umpire.Refused):
                    game.seat(raw.pop("as")).order(raw)
                if now(game).turn > 1:
                    break
            secret = [record for record in game.ledger.records("solomons") if record.visible_to is not None]
            assert any(isinstance(event_of(record), DiceRolled) for record in secret)
            with pytest.raises(umpire.Refused, match="not all of it is for everybody") as refusal:
                game.referee.order("open-dice")
            assert (refusal.value.rule, refusal.value.remedy) == ("dice", "open the dice when the game is over")
            open_all(game)

    def test_only_the_referee_opens_them(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        with pytest.raises(umpire.Refused, match="the referee's"):
            ford.seat("red").order("open-dice")


class TestATurn:
    def story(self) -> Story:
        """A game in its first turn."""
        story = Story(TITLE, read_scenario(FORD.read_text(encoding="utf-8"), FreeScenario), dice="ledger")
        story.states[-1] = replace(story.game, turn=1)
        return story

    def test_its_dice_are_opened_when_it_is_over(self) -> None:
        story = self.story().play(Roll(seat="red", dice="2d6", purpose="fire"))
        story.when(OpenDice(seat=REFEREE)).then_refused(
            rule="dice", says="dice were thrown in this turn: roll 1, fire", do="before the first roll of the next turn"
        )
        story.states[-1] = replace(story.game, turn=2)
        story.when(OpenDice(seat=REFEREE)).then(DiceOpened)
        story.when(OpenDice(seat=REFEREE)).then_refused(rule="dice", says="no roll that counts is from this seed yet")

    def test_a_new_seed_must_be_brought(self) -> None:
        """`decide` draws none by itself."""
        story = self.story().play(Roll(seat="red", dice="2d6", purpose="fire"))
        with pytest.raises(umpire.Refused, match="a new seed, and none was brought"):
            open_dice(replace(story.game, turn=0), story, "")


class TestACopy:
    def test_its_open_dice_do_not_tell_those_of_the_other_game(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        """The copy holds the other game's seed in a record that nobody may see."""
        fire(ford)
        copy = ford.fork("copy")
        copy.referee.order("roll", dice=DICE, purpose="fire")
        open_all(copy)
        for seat in at_least_one(("referee", "red", "spectator")):
            seen = copy.seat(seat)
            assert now(ford).seed not in str(seen.audit(all_lines=True))
            seen.export(tmp_path / f"{seat}.jsonl")
            assert now(ford).seed not in (tmp_path / f"{seat}.jsonl").read_text(encoding="utf-8")

    def test_it_may_be_rewound_over_its_own_change_of_seed(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        copy = ford.fork("copy")
        at = copy.size
        copy.referee.order("roll", dice=DICE, purpose="fire")
        copy.referee.order("open-dice")
        copy.referee.rewind(at, why="a slip")
        with pytest.raises(umpire.Refused, match="its dice are another game's"):
            copy.referee.rewind(at - 4, why="too far")
