"""Seed periods of ledger dice: a revealed seed is not used again, and past dice are checked during play."""

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
from tests.desk.game import coded
from tests.face.desk import drafts_of, event_of
from tests.face.domain import (
    REFEREE,
    DiceCommitted,
    DiceOpened,
    DiceRolled,
    DiceSeeded,
    Epoch,
    FreeScenario,
    Game,
    OpenDice,
    PlayRewound,
    Roll,
    commitment_of,
    draw,
    freeform_TITLE as TITLE,
    open_dice,
    parse,
    read_scenario,
)
from tests.face.testing import FIXTURES, Story
from tests.naming import Naming

FORD = FIXTURES / "freeform" / "scenarios" / "ford.toml"
DICE = "20d6"
FIRE: dict[str, Any] = {"as": "red", "order": "roll", "dice": DICE, "purpose": "fire"}


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    with umpire.open(tmp_path / "club.ledger") as desk:
        yield desk.new("freeform", FORD, id="ford", dice="ledger")


def fire(game: umpire.PlayedGame) -> tuple[int, ...]:
    """Roll as red, and check that the roll is from the current seed of the game."""
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
    """Check that each hash is correct, that this number of rolls was recomputed, and that each event is consistent."""
    checked = game.verify()
    assert (checked.verdict.verdict, checked.dice, checked.findings) == ("VALID", dice, ())


def test_wrong_roll_is_reported_with_the_result_of_the_seed(ford: umpire.PlayedGame, tmp_path: Path) -> None:
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
    assert checked.verdict.reason == Naming("fire", *other, *pips)


class TestAfterTheEnd:
    def test_rewind_before_a_revealed_seed_draws_a_new_one(self, ford: umpire.PlayedGame) -> None:
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

    def test_new_seed_is_in_the_order_of_the_rewind_and_hidden(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        at = ford.size
        open_all(ford)
        done = ford.referee.rewind(at, why="one more turn")
        assert [type(one.event) for one in done.records] == [PlayRewound, DiceCommitted]
        assert [one.visible_to for one in list(ford.ledger.records(ford.id))[-1:]] == [()]
        for seat in at_least_one(("referee", "red", "spectator")):
            assert ford.seat(seat).known(ford.size).seed == ""

    def test_redo_and_undo_continue_with_an_unrevealed_seed(self, ford: umpire.PlayedGame) -> None:
        # The end that redo returns to has a revealed seed: the next undo from there draws another.
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

    def test_amendment_is_replayed_with_a_new_seed(self, ford: umpire.PlayedGame) -> None:
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

    def test_rewind_by_consent_draws_a_new_seed(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        at = ford.size
        open_all(ford)
        opened = now(ford).seed
        ford.seat("red").ask_rewind(at, why="one more turn")
        ford.seat("blue").consent()
        assert now(ford).seed not in ("", opened)

    def test_ruling_cannot_roll_from_a_revealed_seed(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        at = ford.size
        open_all(ford)
        ruling = {"ruling": "once more", "reason": "a cocked die", "grounds": "house rule"}
        with pytest.raises(umpire.Refused, check=coded("seed-is-public")):
            ford.referee.order("rule", **ruling, orders=[{"order": "roll", "dice": DICE, "purpose": "fire"}])
        ford.referee.order("rule", **ruling, orders=[{"order": "rewind", "to": at}])
        assert not now(ford).dice_open
        fire(ford)

    @pytest.mark.parametrize("policy", ["reroll", "keep"])
    def test_ruling_that_rewinds_first_rolls_from_the_new_seed(self, ford: umpire.PlayedGame, policy: str) -> None:
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


class TestOlderEdition:
    """An older edition made no commitment after a rewind, and continued with the revealed seed."""

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

    def test_roll_from_a_seed_revealed_in_the_log_is_refused(self, reopened: umpire.PlayedGame) -> None:
        size = reopened.size
        with pytest.raises(umpire.Refused, check=coded("seed-is-public")) as refused:
            reopened.seat("red").order(FIRE)
        assert (refused.value.rule, reopened.size) == ("dice", size)

    def test_revealed_seed_cannot_be_revealed_again(self, reopened: umpire.PlayedGame) -> None:
        with pytest.raises(umpire.Refused, check=coded("dice-revealed-already")):
            reopened.referee.order("open-dice")

    def test_next_rewind_draws_a_new_seed(self, reopened: umpire.PlayedGame) -> None:
        opened = now(reopened).seed
        reopened.referee.rewind(reopened.size, why="new dice")
        assert now(reopened).seed not in ("", opened)
        fire(reopened)
        verified(reopened, 1)
        open_all(reopened)
        verified(reopened, 2)

    def test_log_that_reveals_an_invalid_seed_is_playable(self, ford: umpire.PlayedGame) -> None:
        drafts = drafts_of((DiceOpened(seed="no seed"),), None)
        ford.ledger.append(ford.id, after=ford.size, seat="referee", command="of-old", drafts=drafts)
        ford.referee.rewind(ford.size - 1, why="that was none")
        fire(ford)


class TestDuringPlay:
    def test_past_dice_are_recomputed_and_future_seed_is_hidden(self, ford: umpire.PlayedGame) -> None:
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

    def test_rewind_across_a_seed_rotation_keeps_the_newest_seed(self, ford: umpire.PlayedGame) -> None:
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

    def test_rewind_within_a_seed_period_records_no_dice_event(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        ford.referee.order("open-dice")
        at = ford.size
        fire(ford)
        ford.referee.rewind(at, why="a slip")
        assert len(of_kind(ford, DiceCommitted)) == len(of_kind(ford, DiceSeeded)) == 2

    def test_amendment_omits_the_reveal_of_dice(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        at = ford.size
        ford.referee.order("open-dice")
        fire(ford)
        kept = now(ford).seed
        ford.referee.amend(at, {**FIRE, "rule": "7"}, why="the rule was missing")
        assert (now(ford).seed, len(of_kind(ford, DiceOpened))) == (kept, 1)
        open_all(ford)
        verified(ford, 4)

    def test_seed_without_rolls_stays_hidden(self, ford: umpire.PlayedGame) -> None:
        """Otherwise the referee could draw seeds until one is favorable."""
        for _ in range(2):
            with pytest.raises(umpire.Refused, check=coded("nothing-rolled")):
                ford.referee.order("open-dice")
            fire(ford)
            ford.referee.order("open-dice")
        assert len(of_kind(ford, DiceOpened)) == 2

    def test_seed_with_an_undone_roll_only_stays_hidden(self, ford: umpire.PlayedGame) -> None:
        start = ford.size
        fire(ford)
        ford.referee.rewind(start, why="out of range")
        with pytest.raises(umpire.Refused, check=coded("nothing-rolled")):
            ford.referee.order("open-dice")

    def test_seed_with_a_secret_roll_stays_hidden(self, tmp_path: Path) -> None:
        """With the seed each seat could recompute Japan's secret level (7.0). It is revealed at the end."""
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
            with pytest.raises(umpire.Refused, check=coded("secret-rolls")) as refusal:
                game.referee.order("open-dice")
            assert refusal.value.rule == "dice"
            open_all(game)

    def test_seed_is_revealed_by_the_referee_only(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        with pytest.raises(umpire.Refused, check=coded("only-for-the-referee", order="open-dice")):
            ford.seat("red").order("open-dice")


class TestTurns:
    def story(self) -> Story:
        """Return a game in its first turn."""
        story = Story(TITLE, read_scenario(FORD.read_text(encoding="utf-8"), FreeScenario), dice="ledger")
        story.states[-1] = replace(story.game, turn=1)
        return story

    def test_dice_of_a_turn_are_revealed_after_it(self) -> None:
        story = self.story().play(Roll(seat="red", dice="2d6", purpose="fire"))
        story.when(OpenDice(seat=REFEREE)).then_refused("rolled-this-turn", rule="dice", roll=1, purpose="fire")
        story.states[-1] = replace(story.game, turn=2)
        story.when(OpenDice(seat=REFEREE)).then(DiceOpened)
        story.when(OpenDice(seat=REFEREE)).then_refused("nothing-rolled", rule="dice")

    def test_new_seed_must_be_provided(self) -> None:
        # `decide` does not draw a seed.
        story = self.story().play(Roll(seat="red", dice="2d6", purpose="fire"))
        with pytest.raises(umpire.Refused, check=coded("no-new-seed")):
            open_dice(replace(story.game, turn=0), story, "")


class TestCopies:
    def test_revealed_dice_of_a_copy_do_not_reveal_the_original(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        # The copy has the seed of the other game in a record that no seat may see.
        fire(ford)
        copy = ford.fork("copy")
        copy.referee.order("roll", dice=DICE, purpose="fire")
        open_all(copy)
        for seat in at_least_one(("referee", "red", "spectator")):
            seen = copy.seat(seat)
            assert now(ford).seed not in str(seen.audit(all_lines=True))
            seen.export(tmp_path / f"{seat}.jsonl")
            assert now(ford).seed not in (tmp_path / f"{seat}.jsonl").read_text(encoding="utf-8")

    def test_copy_can_be_rewound_across_its_seed_rotation(self, ford: umpire.PlayedGame) -> None:
        fire(ford)
        copy = ford.fork("copy")
        at = copy.size
        copy.referee.order("roll", dice=DICE, purpose="fire")
        copy.referee.order("open-dice")
        copy.referee.rewind(at, why="a slip")
        with pytest.raises(umpire.Refused, check=coded("dice-of-another-game", to=at - 4)):
            copy.referee.rewind(at - 4, why="too far")
