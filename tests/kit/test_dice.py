"""Check table dice and ledger dice: valid results, rolls from the seed, and refusals."""

import hmac
from pathlib import Path

import msgspec
import pytest

from tests.at_least_one import at_least_one
from tests.domain.teaching import NORTH, pick, step, teach, title_of
from tests.face.domain import (
    REFEREE,
    Dice,
    DiceRolled,
    DiceSource,
    Each,
    Epoch,
    FreeScenario,
    Game,
    Order,
    Plus,
    Result,
    Rewind,
    Roll,
    Rounds,
    commitment_of,
    does,
    draw,
    freeform_TITLE as TITLE,
    parse,
    read_scenario,
)
from tests.face.testing import SEED, Story
from tests.naming import Naming

FORD = Path(__file__).parents[2] / "fixtures" / "freeform" / "scenarios" / "ford.toml"
WIND = Roll(seat="red", dice="2d6", purpose="wind")


def ford(dice: DiceSource) -> Story:
    return Story(TITLE, read_scenario(FORD.read_text(encoding="utf-8"), FreeScenario), dice=dice)


class TestTableDice:
    @pytest.mark.parametrize("pips", [(7, 1), (1, 0), (-1, 3)])
    def test_result_beyond_the_faces_of_a_die_is_refused(self, pips: tuple[int, ...]) -> None:
        wrong = next(pip for pip in pips if not 1 <= pip <= 6)
        story = ford("table").when(WIND, pips=pips)
        story.then_refused("no-such-face", rule="dice", limit=6, given=wrong, purpose="wind")

    @pytest.mark.parametrize("pips", [(1, 6), (6, 1)])
    def test_lowest_and_highest_face_are_accepted(self, pips: tuple[int, ...]) -> None:
        rolled = ford("table").when(WIND, pips=pips).then(DiceRolled, pips=pips, total=7)
        assert rolled.source == "table"

    def test_as_many_pips_as_dice(self) -> None:
        table = ford("table")
        table.when(WIND, pips=(3,)).then_refused(
            "pips-missing",
            rule="dice",
            purpose="wind",
            number=2,
            faces=6,
            left=Naming(1, 1),
            pips="N,N",
            as_json='"pips": [N, N]',
        )
        table.when(WIND, pips=(3, 4, 5)).then_refused("too-many-pips", rule="dice", unused=1, given=3, pips="[5]")

    @pytest.mark.parametrize(
        ("dice", "code"), [("1d2", ""), ("1d1", "not-dice"), ("1d0", "not-dice"), ("0d2", "not-dice")]
    )
    def test_die_has_two_faces_at_least(self, dice: str, code: str) -> None:
        story = ford("table").when(Roll(seat="red", dice=dice, purpose="luck"), pips=(1,))
        if code:
            story.then_refused(code, rule="dice", dice=dice)
        else:
            story.then(DiceRolled, dice=dice, pips=(1,), total=1)


class TestLedgerDice:
    def test_results_for_ledger_dice_are_refused(self) -> None:
        story = ford("ledger").when(WIND, pips=(6, 6))
        story.then_refused("ledger-rolls", rule="dice")

    def test_copy_without_the_seed_cannot_roll(self) -> None:
        story = ford("ledger")
        story.states[-1] = msgspec.structs.replace(story.game, seed="")
        story.when(WIND).then_refused("seed-not-here", rule="dice")

    def test_pips_are_what_the_seed_gives_and_no_die_is_biased(self) -> None:
        """Discard bytes from 252 up, because 256 is not a multiple of 6 and low faces would be more frequent."""
        story = ford("ledger").when(WIND)
        rolled = story.then(DiceRolled, source="ledger")
        game = story.game
        assert rolled.pips == draw(Epoch(game.seed, game.label), 1, parse("2d6"))
        faces = [draw(Epoch(SEED, "g"), number, parse("50d200")) for number in range(1, 41)]
        low = sum(pip <= 56 for pips in faces for pip in pips)
        assert 480 < low < 640, "56 of 200 faces in 2,000 throws: 560, and with every byte taken 875"

    @pytest.mark.parametrize(("scheme", "words"), [(1, ("game", "7", "wind")), (2, ("game", "7"))])
    def test_results_are_the_fair_bytes_of_numbered_blocks(self, scheme: int, words: tuple[str, ...]) -> None:
        """Compute the results from FORMAT.md; 40 dice need a second block, and bytes from 252 on are discarded."""
        blocks = ("\0".join((*words, str(block))).encode() for block in range(3))
        stream = [byte for block in blocks for byte in hmac.digest(bytes.fromhex(SEED), block, "sha256")]
        expected = tuple(byte % 6 + 1 for byte in stream if byte < 252)[:40]
        assert draw(Epoch(SEED, "game", scheme), 7, parse("40d6"), "wind") == expected

    def test_commitment_is_the_digest_of_the_seed(self) -> None:
        assert commitment_of("00") == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"


def test_roll_names_the_members_of_the_loops_around_it() -> None:
    """Name the member that a loop has picked; a loop without a picked member names none."""
    fight = step("A", allows=(Roll,))
    battles = Each("H", "battles", of="hexes", by=NORTH, steps=(Rounds("R", "rounds", steps=(fight,)),))
    story = teach(title_of(battles), hexes=("0101",)).play(pick("0101"))
    story.when(Roll(seat=NORTH, dice="1d6", purpose="fire"), pips=(3,)).then(DiceRolled, about=("0101",), step="A")


class Volley(Order, frozen=True, kw_only=True, tag="volley"):
    """Two dice, one after the other, for the same purpose."""


def decide_volley(game: Game, order: Volley, dice: Dice) -> list[Result]:
    return [dice.roll("1d6", purpose="fire"), dice.roll("1d6", purpose="fire")]


def test_two_rolls_of_one_order_keep_two_old_rolls() -> None:
    fires = title_of(step("A", allows=(Volley,)), orders=(does(Volley, decide_volley),))
    story = teach(fires).when(Volley(seat=NORTH), pips=(2, 5))
    story.play(Rewind(seat=REFEREE, to=story.tip - 2, why="the wrong hex", dice="keep"))
    story.when(Volley(seat=NORTH)).then_accepted()
    assert [event.pips for event in story.events if isinstance(event, DiceRolled)] == [(2,), (5,)]


class TestBeforeTheLedgerThrows:
    """Orders that would fail after the roll must be refused before it."""

    def test_every_total_has_its_row(self) -> None:
        story = ford("ledger")
        table = {"dice": "2d6", "rows": {"2..6": "miss", "8..12": "hit"}}
        story.states[-1] = msgspec.structs.replace(story.game, tables={"crt": table})
        story.when(Roll(seat="red", dice="2d6", purpose="fire", table="crt")).then_refused(
            "total-without-row", rule="the scenario's tables", lowest=2, highest=12, missing=7, rows="2..6, 8..12"
        )
        full = {"dice": "2d6", "rows": {"7 or less": "miss", "8 or more": "hit"}}
        story.states[-1] = msgspec.structs.replace(story.game, tables={"crt": full})
        story.when(Roll(seat="red", dice="2d6", purpose="fire", table="crt")).then(DiceRolled, table="crt")

    def test_every_total_can_be_written_down(self) -> None:
        most = 2**53 - 1
        for amount in at_least_one((most - 5, 5 - most)):
            roll = Roll(seat="red", dice="1d6", purpose="fire", modifiers=(Plus(amount=amount, source="hill"),))
            story = ford("ledger").when(roll)
            story.then_refused("modifiers-too-large", rule="dice")
        fits = Roll(seat="red", dice="1d6", purpose="fire", modifiers=(Plus(amount=most - 6, source="hill"),))
        ford("ledger").when(fits).then(DiceRolled, purpose="fire")
