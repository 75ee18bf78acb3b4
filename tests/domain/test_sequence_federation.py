"""Play a model of Federation & Empire, Phase 5: battle hexes, rounds in each, jumps both ways, a borrowing pursuit.

A few of the printed steps represent all. Phasing player: North. The reading of 5-7B is Step 8.
"""

import pytest

from tests.domain.teaching import (
    NORTH,
    SOUTH,
    auto,
    done,
    heading,
    is_marked,
    mark,
    opened,
    passed,
    pick,
    step,
    teach,
    title_of,
)
from tests.face.domain import (
    EACH,
    END,
    Answer,
    Each,
    Go,
    LoopClosed,
    LoopOpened,
    Order,
    PassBegun,
    PlayJumped,
    Rounds,
    StepClosed,
    Title,
    check,
    chose,
    ever,
    nth,
)
from tests.face.testing import Story

BASE = is_marked("base")
RETREATS = chose("5-7A1", "retreat") | chose("5-7A2", "retreat")
SMALL_SCALE = ever("5-3B", "small")

STEP_1 = heading(
    "5-S1",
    step("5-1A", SOUTH, answers=(Answer("stay"), Answer("withdraw"))),
    step(
        "5-1F",
        when=chose("5-1A", "withdraw"),
        answers=(Answer("some stay"), Answer("all gone", to="5"), Answer("pursue", to="5-S8")),
    ),
)
STEP_2 = heading(
    "5-S2",
    step("5-2A1", when=BASE, answers=(Answer("no"), Answer("cloak", to="5-S3"))),
    step("5-2B1", when=BASE, answers=(Answer("assault"), Answer("retreat", to="5-S7"))),
)
STEP_3 = heading(
    "5-S3",
    step("5-3B", when=nth(1, "5-ROUND"), keep="5", answers=(Answer("full"), Answer("small"))),
    step("5-3F3", when=is_marked("pinwheel"), answers=(Answer("accept"), Answer("refuse", to="5-S7"))),
    auto("5-3K", then=(Go("5-S6", when=SMALL_SCALE),)),
)
STEP_6 = heading(
    "5-S6",
    step("5-6A", SOUTH),
    step("5-6B", then=(Go("5-S7", when=is_marked("annihilated")),)),
)
STEP_7 = heading(
    "5-S7",
    step("5-7A1", SOUTH, answers=(Answer("stay"), Answer("retreat"))),
    step("5-7A2", answers=(Answer("stay"), Answer("retreat"))),
    auto("5-7A4", then=(Go("5-S2", when=~RETREATS),)),
    step("5-7B", EACH, answers=(Answer("let go"), Answer("pursue", to="5-S8"))),
    step("5-7D", SOUTH, then=(Go("5"),)),
)
ROUND = Rounds(
    "5-ROUND",
    "combat rounds",
    steps=(
        STEP_2,
        STEP_3,
        heading("5-S3X", step("5-3X2", EACH)),
        heading("5-S4", step("5-4D")),
        heading("5-S5", step("5-5B")),
        STEP_6,
        heading("5-S6X", step("5-6X1")),
        STEP_7,
    ),
)
STEP_8 = heading(
    "5-S8",
    step("5-8B", answers=(Answer("caught"), Answer("escaped", to="5-8L"))),
    step("5-8F", runs=("5-S3X", "5-S6")),
    step("5-8L", SOUTH, then=(Go("5"),)),
)
PHASE_5 = Each("5", "battle hexes", of="battle_hexes", by="phasing", steps=(STEP_1, ROUND))
FEDERATION: Title = title_of(PHASE_5, step("5-END", then=(Go(END),)), procedures=(STEP_8,))


@pytest.fixture
def hexes() -> Story:
    """Return a game with two battle hexes; North picks 0101, and no side withdraws."""
    story = teach(FEDERATION, phasing=(NORTH,), battle_hexes=("0101", "0202")).then_open("5")
    return story.play(pick("0101"), done("stay", by=SOUTH)).then_open("5-3B")


def fight() -> list[Order]:
    """Return the orders from Step 3X to the end of Step 6."""
    return [done(by=NORTH), done(by=SOUTH), done(), done(), done(by=SOUTH), done()]


def to_retreat() -> list[Order]:
    """Return a full first round, then South's retreat; North stays."""
    return [done("full"), *fight(), done(), done("retreat", by=SOUTH), done("stay")]


class TestDeclaration:
    def test_federation_sequence_is_valid(self) -> None:
        assert check(FEDERATION) == ()


class TestBattleHexes:
    def test_phasing_player_picks_a_hex_and_resolves_it(self, hexes: Story) -> None:
        hexes.play(*to_retreat(), done("let go", by=NORTH)).then_open("5-7D")
        hexes.when(done(by=SOUTH)).then(PassBegun, loop="5", nth=2)
        hexes.then_open("5")
        hexes.when(pick("0101")).then_refused("no-such-member", rule="5", free=("0202",))

    def test_phase_5_cannot_be_left_with_one_unresolved(self, hexes: Story) -> None:
        hexes.play(*to_retreat(), done("let go", by=NORTH), done(by=SOUTH))
        hexes.when(done()).then_refused("pick-first", rule="5")

    def test_retreat_into_new_hex_adds_a_battle_hex(self, hexes: Story) -> None:
        hexes.play(*to_retreat(), done("let go", by=NORTH), mark("battle_hexes", ("0202", "0303"), by=SOUTH))
        hexes.play(done(by=SOUTH)).then_open("5")
        hexes.when(pick("0404")).then_refused("no-such-member", rule="5", free=("0202", "0303"))

    def test_resolved_hex_is_fought_again_after_a_later_retreat(self, hexes: Story) -> None:
        hexes.play(*to_retreat(), done("let go", by=NORTH), mark("battle_hexes", ("0202",), by=SOUTH), done(by=SOUTH))
        hexes.play(pick("0202"), done("stay", by=SOUTH), *to_retreat(), done("let go", by=NORTH))
        hexes.play(mark("battle_hexes", ("0101",), by=SOUTH), done(by=SOUTH)).then_open("5")
        hexes.play(pick("0101")).then_open("5-1A")

    def test_when_all_are_resolved_the_phase_is_over(self, hexes: Story) -> None:
        hexes.play(mark("battle_hexes", ("0101",)), *to_retreat(), done("let go", by=NORTH))
        hexes.when(done(by=SOUTH)).then(LoopClosed, loop="5")
        hexes.then_open("5-END")

    def test_hex_left_by_all_has_no_round(self) -> None:
        story = teach(FEDERATION, phasing=(NORTH,), battle_hexes=("0101", "0202"))
        story.play(pick("0101"), done("withdraw", by=SOUTH), done("all gone")).then_open("5")


class TestJumpsForwardAndBack:
    def test_neither_retreats_the_next_round_begins_at_step_2(self, hexes: Story) -> None:
        hexes.play(done("full"), *fight(), done(), done("stay", by=SOUTH))
        hexes.when(done("stay")).then(PassBegun, loop="5-ROUND", nth=2)
        hexes.then_open("5-3X2")

    def test_small_scale_question_opens_in_the_first_round_only(self, hexes: Story) -> None:
        hexes.play(done("full"), *fight(), done(), done("stay", by=SOUTH), done("stay"))
        assert opened(hexes).count("5-3B") == 1
        assert "5-3B" in passed(hexes)

    def test_small_scale_skips_to_step_6_in_every_round_of_this_hex(self, hexes: Story) -> None:
        hexes.when(done("small")).then(StepClosed, step="5-3K", to="5-S6")
        hexes.then_open("5-6A")
        hexes.play(done(by=SOUTH), done(), done(), done("stay", by=SOUTH), done("stay")).then_open("5-6A")

    def test_and_is_forgotten_in_the_next_hex(self, hexes: Story) -> None:
        hexes.play(done("small"), done(by=SOUTH), done(), done(), done("retreat", by=SOUTH), done("stay"))
        hexes.play(done("let go", by=NORTH), done(by=SOUTH), pick("0202"), done("stay", by=SOUTH), done("full"))
        hexes.then_open("5-3X2")

    def test_before_the_base_the_attacker_may_cloak_past_or_retreat(self) -> None:
        story = teach(FEDERATION, phasing=(NORTH,), battle_hexes=("0101",), base=True)
        story.play(pick("0101"), done("stay", by=SOUTH)).then_open("5-2A1").play(done("cloak")).then_open("5-3B")
        story = teach(FEDERATION, phasing=(NORTH,), battle_hexes=("0101",), base=True)
        story.play(pick("0101"), done("stay", by=SOUTH), done("no"), done("retreat")).then_open("5-7A1")

    def test_pinwheels_refused_there_is_no_combat_this_round(self, hexes: Story) -> None:
        hexes.play(mark("pinwheel"), done("full"), done("refuse")).then_open("5-7A1")


class TestPursuit:
    @pytest.fixture
    def pursuit(self, hexes: Story) -> Story:
        """Game after round 1, in which South retreats and North pursues."""
        hexes.play(*to_retreat()).when(done("pursue", by=NORTH)).then(LoopOpened, loop="5-S8", kind="call")
        return hexes.then_open("5-8B")

    def test_pursuit_borrows_steps_3x_to_6_and_returns(self, pursuit: Story) -> None:
        pursuit.when(done("caught")).then(LoopOpened, loop="5-8F", kind="borrow", stretch=("5-S3X", "5-S6"))
        pursuit.then_open("5-3X2").play(*fight()).then_open("5-8F")

    def test_pursuit_returns_if_borrowed_steps_lead_elsewhere(self, pursuit: Story) -> None:
        """Return from the pursuit without a second retreat, although an ordinary round leads to Step 7."""
        pursuit.play(done("caught"), *fight()[:-1], mark("annihilated"))
        pursuit.when(done()).then(StepClosed, step="5-6B", to="5-S7")
        pursuit.then_open("5-8F")

    def test_afterwards_the_hex_is_resolved(self, pursuit: Story) -> None:
        pursuit.play(done("caught"), *fight(), done())
        pursuit.when(done(by=SOUTH)).then(PlayJumped, to="5", frames=2)
        pursuit.then_open("5")

    def test_failed_pursuit_die_skips_the_battle(self, pursuit: Story) -> None:
        pursuit.play(done("escaped")).then_open("5-8L").play(done(by=SOUTH)).then_open("5")

    def test_after_a_withdrawal_it_is_fought_before_any_round_is(self) -> None:
        story = teach(FEDERATION, phasing=(NORTH,), battle_hexes=("0101", "0202"))
        story.play(pick("0101"), done("withdraw", by=SOUTH), done("pursue"), done("caught")).then_open("5-3X2")
        story.play(*fight(), done(), done(by=SOUTH)).then_open("5")
        assert "5-7A1" not in opened(story)
