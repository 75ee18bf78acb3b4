"""Check each kind of event against its state: one inconsistent event and one valid one."""

from typing import Any, get_args

import msgspec
import pytest

from tests.face.domain import (
    AnyEvent,
    Game,
    commitment_of,
    events as e,
    fold,
    transition_error,
    transition_error_in_part,
)

SEED, OTHER_SEED = "5e" * 32, "5f" * 32
RED, BLUE = "red", "blue"

OPENED = e.GameOpened(
    game="ford",
    title="teaching",
    version="1",
    name="The ford",
    sides=(e.Side(id=RED, name="Red"), e.Side(id=BLUE, name="Blue")),
    dice="ledger",
)
SETTING: tuple[AnyEvent, ...] = (
    OPENED,
    e.DiceCommitted(commitment=commitment_of(SEED), label="ford"),
    e.SeatTaken(seat="anna", side=RED),
    e.UnitPlaced(unit="heron", side=RED, kind="raft", at="bend", attributes={"bales": 1}),
    e.UnitPlaced(unit="otter", side=BLUE, kind="raft", at="mill"),
    e.UnitRemoved(unit="otter", fate="sunk", at="mill"),
    e.UnitPlaced(unit="red-eel", side=RED, kind="boat", at="weir", seen_by=(RED,)),
    e.AccountChanged(account="coins", amount=5, before=0, after=5),
    e.MarkerSet(marker="water", before=None, after="high"),
    e.ChoiceMade(question="face down", side="referee", choice="gold", sealed=True),
    e.LoopOpened(loop="T", name="turns"),
    e.PassBegun(loop="T", nth=1, turn=1),
    e.LoopOpened(loop="R", name="rounds"),
    e.PassBegun(loop="R", nth=1),
    e.StepOpened(step="1", name="tolls", waits=(RED, BLUE)),
    e.ChoiceSealed(question="toll", side=RED),
    e.ChoiceMade(question="toll", side=RED, choice=3, sealed=True),
    e.DiceRolled(roll=1, purpose="water", dice="2d6", pips=(3, 4), total=7),
    e.RewindAsked(seat=BLUE, side=BLUE, to=3, why="a slip"),
)
"""Turn 1, round 1, step 1, which waits for both sides; one roll was made, and one side has requested a rewind."""

GAME = fold(Game(), SETTING)

Case = tuple[AnyEvent, AnyEvent, str]
"""A valid event, an inconsistent one, and a part of the reason."""


def roll(**other: Any) -> e.DiceRolled:
    fields = {"roll": 2, "purpose": "toll", "dice": "2d6+1", "pips": (6, 1), "total": 8}
    modifiers = (e.Modifier(amount=1, source="2d6+1"),)
    return e.DiceRolled(**{**fields, "modifiers": modifiers, **other})


def paid(**other: Any) -> e.AccountChanged:
    return e.AccountChanged(**{"account": "coins", "amount": -2, "before": 5, "after": 3, **other})


def went(*path: str, unit: str = "heron") -> e.UnitMoved:
    return e.UnitMoved(unit=unit, path=path)


def became(attribute: str, before: e.Value, after: e.Value, unit: str = "heron") -> e.UnitChanged:
    return e.UnitChanged(unit=unit, attribute=attribute, before=before, after=after)


def jump(**other: Any) -> e.PlayJumped:
    return e.PlayJumped(**{"to": "9", "frames": 2, "broke_off": ("1",), **other})


def step(name: str, **more: Any) -> e.StepOpened:
    return e.StepOpened(step=name, name="rafting", **more)


def borrowed(**other: Any) -> e.LoopOpened:
    return e.LoopOpened(**{"loop": "9", "name": "", "kind": "borrow", "back": "1", "stretch": ("1", "2"), **other})


CASES: tuple[Case, ...] = (
    (e.SeatTaken(seat="ben", side=BLUE), e.SeatTaken(seat="anna", side=BLUE), "the seat anna already plays for red"),
    (e.SeatTaken(seat="ben", side=BLUE), e.SeatTaken(seat="ben", side="green"), "no side green"),
    (e.SeatKeyed(seat=RED, key="k"), e.SeatKeyed(seat="green", key="k"), "no seat green"),
    (step("2", waits=(RED,)), step("1", waits=(RED,)), "step 1 is already open"),
    (step("2", waits=(RED,)), step("2", waits=("green",)), "no side green"),
    (step("2", where=e.Where(turn=2)), step("2", where=e.Where(turn=4)), "it is turn 1"),
    (e.OrderGiven(step="1", order="drift", side=RED), e.OrderGiven(step="2", order="drift", side=RED), "not open"),
    (e.SideDone(step="1", side=RED), e.SideDone(step="2", side=RED), "step 2 is not open"),
    (e.SideDone(step="1", side=RED), e.SideDone(step="1", side="green"), "does not wait for green"),
    (e.SideLeaves(side=RED, until="9"), e.SideLeaves(side="green", until="9"), "no side green"),
    (e.StepClosed(step="1"), e.StepClosed(step="2"), "step 2 is not open"),
    (e.StepPassed(step="2", name="", why=""), e.StepPassed(step="1", name="", why=""), "is open"),
    (jump(), jump(frames=9), "leaves 9 loops"),
    (jump(), jump(frames=0), "leaves 0 loops"),
    (jump(), jump(broke_off=()), "it breaks off none, but the unfinished steps are 1"),
    (jump(broke_off=(), stays=("1",)), jump(stays=("1",)), "it breaks off 1, but the unfinished steps are none"),
    (jump(), jump(stays=("7",)), "it leaves 7 open, but the open steps are 1"),
    (borrowed(), borrowed(stretch=()), "9 does not name the stretch that it borrows"),
    (borrowed(), borrowed(back=""), "the call of 9 does not name the place it returns to"),
    (e.PassBegun(loop="R", nth=2), e.PassBegun(loop="T", nth=2), "the innermost loop is R"),
    (e.PassBegun(loop="R", nth=2), e.PassBegun(loop="R", nth=3), "the next pass of R is 2"),
    (e.PassBegun(loop="R", nth=2, turn=2), e.PassBegun(loop="R", nth=2, turn=3), "the next turn is 2"),
    (e.PassBegun(loop="R", nth=2, side=RED), e.PassBegun(loop="R", nth=2, side="green"), "no side green"),
    (e.LoopClosed(loop="R"), e.LoopClosed(loop="T"), "the innermost loop is R"),
    (e.DiceSeeded(seed=SEED), e.DiceSeeded(seed=OTHER_SEED), "not the one"),
    (e.DiceOpened(seed=SEED), e.DiceOpened(seed=OTHER_SEED), "not the one"),
    (e.DiceOpened(seed=SEED), e.DiceOpened(seed="no hex"), "cannot be read"),
    (roll(), roll(roll=1), "number 2, not 1"),
    (roll(), roll(source="table"), "from the ledger, not from the table"),
    (roll(), roll(kept=7), "it reuses the roll of #7, but no rolls are reused now"),
    (roll(), roll(total=7), "results and modifiers add up to 8, not 7"),
    (roll(), roll(pips=(7, 1), total=9), "cannot show 7, 1"),
    (roll(), roll(pips=(0, 1), total=2), "cannot show 0, 1"),
    (roll(), roll(pips=(6,), total=7), "cannot show 6"),
    (roll(), roll(pips=(), total=1), "cannot show nothing"),
    (roll(), roll(dice="2w6"), "is not a dice notation"),
    (
        e.UnitPlaced(unit="otter", side=BLUE, kind="raft", at="mill"),
        e.UnitPlaced(unit="heron", side=BLUE, kind="raft", at="mill"),
        "heron is already in play, at bend",
    ),
    (
        e.UnitPlaced(unit="pike", side=BLUE, kind="raft", at="mill"),
        e.UnitPlaced(unit="pike", side="green", kind="raft", at="mill"),
        "no side green",
    ),
    (went("bend", "mill"), went("mill", "sea"), "heron is at bend, but its path starts at mill"),
    (went("bend", "mill"), went("bend"), "fewer than two places"),
    (went("bend", "mill"), went(), "fewer than two places"),
    (went("bend", "mill"), went("bend", "mill", unit="pike"), "there is no unit pike"),
    (went("bend", "mill"), went("mill", "sea", unit="otter"), "not in play: sunk"),
    (became("bales", 1, 2), became("bales", 3, 2), "bales of heron is 1, not 3"),
    (became("bales", 1, 2), became("bales", True, 2), "is 1, not True"),
    (became("wet", None, True), became("wet", False, True), "is not set, not False"),
    (became("side", RED, BLUE), became("side", BLUE, RED), "belongs to red, not to blue"),
    (became("side", RED, BLUE), became("side", RED, "green"), "no side green"),
    (became("bales", 1, 2), became("bales", 1, 2, unit="pike"), "there is no unit pike"),
    (
        e.UnitRemoved(unit="heron", fate="sunk", at="bend"),
        e.UnitRemoved(unit="heron", fate="sunk", at="mill"),
        "heron is at bend, not at mill",
    ),
    (e.UnitRemoved(unit="heron", fate="sunk"), e.UnitRemoved(unit="otter", fate="sunk"), "not in play: sunk"),
    (e.UnitRemoved(unit="heron", fate="sunk"), e.UnitRemoved(unit="pike", fate="sunk"), "there is no unit pike"),
    (
        e.UnitMoved(unit="red-eel", path=("weir", "mill")),
        e.UnitMoved(unit="red-eel", path=("mill", "weir")),
        "red-eel is at weir, but its path starts at mill",
    ),
    (
        e.UnitPlaced(unit="red-cod", side=RED, kind="boat", at="weir", seen_by=(RED,)),
        e.UnitPlaced(unit="red-cod", side=RED, kind="boat", at="weir", seen_by=("green",)),
        "the game has no side green",
    ),
    (
        e.UnitCovered(unit="heron", at="bend", blind=(BLUE,)),
        e.UnitCovered(unit="heron", at="mill", blind=(BLUE,)),
        "heron is at bend, not at mill",
    ),
    (
        e.UnitCovered(unit="red-eel", at="weir", blind=(BLUE,)),
        e.UnitCovered(unit="pike", at="weir", blind=(BLUE,)),
        "there is no unit pike",
    ),
    (
        e.UnitShown(unit="red-eel", side=RED, kind="boat", at="weir"),
        e.UnitShown(unit="red-eel", side=RED, kind="boat", at="mill"),
        "the revealed values of red-eel differ from the hidden ones",
    ),
    (
        e.UnitShown(unit="red-eel", side=RED, kind="boat", at="weir"),
        e.UnitShown(unit="heron", side=RED, kind="raft", at="bend"),
        "heron is not hidden: it is at bend",
    ),
    (
        e.UnitShown(unit="red-eel", side=RED, kind="boat", at="weir"),
        e.UnitShown(unit="pike", side=RED, kind="boat", at="weir"),
        "there is no hidden unit pike",
    ),
    (
        e.HiddenDone(
            events=(
                e.UnitMoved(unit="red-eel", path=("weir", "mill")),
                e.UnitMoved(unit="red-eel", path=("mill", "bend")),
            )
        ),
        e.HiddenDone(
            events=(
                e.UnitMoved(unit="red-eel", path=("weir", "mill")),
                e.UnitMoved(unit="red-eel", path=("weir", "bend")),
            )
        ),
        "red-eel is at mill, but its path starts at weir",
    ),
    (paid(), paid(before=6, after=4), "coins is 5, not 6"),
    (paid(), paid(after=4), "are 3, not 4"),
    (paid(), paid(account="points"), "points is 0, not 5"),
    (
        e.MarkerSet(marker="water", before="high", after=None),
        e.MarkerSet(marker="water", before="low", after=None),
        "the marker water is 'high', not 'low'",
    ),
    (
        e.ChoiceMade(question="way", side=RED, choice="left"),
        e.ChoiceMade(question="way", side="green", choice="left"),
        "no side green",
    ),
    (
        e.ChoiceSealed(question="toll", side=BLUE),
        e.ChoiceSealed(question="toll", side=RED),
        "already sealed a choice for toll",
    ),
    (
        e.ChoiceRevealed(question="toll", side=RED, choice=3),
        e.ChoiceRevealed(question="toll", side=RED, choice=2),
        "the sealed choice for toll is 3, not 2",
    ),
    (
        e.ChoiceRevealed(question="face down", side=RED, choice="gold"),
        e.ChoiceRevealed(question="face down", side=RED, choice="lead"),
        "the sealed choice for face down is 'gold', not 'lead'",
    ),
    (
        e.PlayRewound(to=3, kind="undo", rolls=1),
        e.PlayRewound(to=0, kind="undo", rolls=1),
        "no position #0",
    ),
    (
        e.PlayRewound(to=3, kind="undo", rolls=1),
        e.PlayRewound(to=3, kind="undo"),
        "the game has 1 roll, not 0",
    ),
    (
        e.RewindAsked(seat=RED, side=RED, to=3, why=""),
        e.RewindAsked(seat=RED, side=RED, to=0, why=""),
        "no position #0",
    ),
    (
        e.AmendmentStopped(at=3, tip=9, left=1),
        e.AmendmentStopped(at=10, tip=9, left=1),
        "the branch that ended at #9 has no order #10",
    ),
    (
        e.GameCopied(of="ford", at=3, game="what-if"),
        e.GameCopied(of="ford", at=0, game="what-if"),
        "there is no game ford to be copied up to #0",
    ),
    (e.AmendmentEnded(how="aborted"), e.AmendmentEnded(), "no amendment is stopped"),
    (e.LineSealed(seat=RED, position=3), e.LineSealed(seat=RED, position=0), "no position #0"),
    (
        e.SecretPeeked(seat="anna", position=3, reason=""),
        e.SecretPeeked(seat="nobody", position=3, reason=""),
        "no seat nobody",
    ),
)

IN_ANOTHER_STATE: tuple[tuple[AnyEvent, str], ...] = (
    (OPENED, "the game ford has already begun"),
    (e.DiceCommitted(commitment="", label=""), "the dice of this game are rolled at the table"),
    (e.GameEnded(why="again"), "the game is already over: dusk"),
    (e.StepOpened(step="2", name=""), "over: dusk"),
    (e.LoopOpened(loop="2", name=""), "over: dusk"),
    (e.DiceOpened(seed=SEED), "already revealed"),
    (e.RewindAnswered(side=RED, consents=True), "no rewind is requested"),
    (e.LoopClosed(loop="T"), "no loop is open"),
    (e.PlayResumed(), "play has already begun, so it cannot start from a mid-game setup"),
)
"""Valid in `GAME` or before its opening, and not in `OVER`."""

OVER = fold(
    Game(),
    (
        msgspec.structs.replace(OPENED, dice="table"),
        e.DiceOpened(seed=SEED),
        e.GameEnded(why="dusk"),
    ),
)

ALWAYS: tuple[AnyEvent, ...] = (
    e.RulingMade(ruling="so be it", reason="the rule is silent"),
    e.DisputeOpened(dispute="d1", claim="too far"),
    e.DisputeSettled(dispute="d1", ruling="it was not"),
    e.NoteAdded(text="tea"),
    e.MessageSent(message=1, seat=RED, to=(BLUE,), text="meet me", arrives=4, sent=1),
    e.MessageHeld(message=1, arrives=5),
    e.MessageArrived(message=1, seat=RED, to=(BLUE,), text="meet me", sent=1),
    e.NoteSealed(text="withdraw", condition="we are attacked"),
    e.NoteOpened(note=4, side=RED, text="withdraw", condition="we are attacked"),
    e.HiddenOrdered(side=RED),
)
"""Comments, and events that only the log can check."""


SHARE = "6" * 64
PLEDGE = commitment_of(SHARE)
DRAWING = fold(
    Game(),
    (
        OPENED,
        e.DiceCommitted(commitment=commitment_of(SEED), label="ford", scheme=3),
        e.DicePledged(side=RED, pledge=PLEDGE),
    ),
)
PLEDGED = fold(DRAWING, (e.DicePledged(side=BLUE, pledge="5" * 64),))
IN_A_DRAW: tuple[tuple[Game, AnyEvent, AnyEvent, str], ...] = (
    (
        DRAWING,
        e.DicePledged(side=BLUE, pledge=PLEDGE),
        e.DicePledged(side=RED, pledge=PLEDGE),
        "red has already committed",
    ),
    (DRAWING, e.DicePledged(side=BLUE, pledge=PLEDGE), e.DicePledged(side="green", pledge=PLEDGE), "no side green"),
    (PLEDGED, e.DiceShared(side=RED, share=SHARE), e.DiceShared(side=RED, share="7" * 64), "not the share that red"),
    (PLEDGED, e.DiceShared(side=RED, share=SHARE), e.DiceShared(side="green", share=SHARE), "no side green"),
    (PLEDGED, e.DiceAsked(seat=RED, roll=1), e.DiceAsked(seat=RED, roll=2), "the next roll is number 1, not 2"),
    (
        PLEDGED,
        e.DicePledges(pledges={RED: e.Pledge(pledge=PLEDGE)}),
        e.DicePledges(pledges={"green": e.Pledge(pledge=PLEDGE)}),
        "no side green",
    ),
    (
        PLEDGED,
        e.DicePledges(pledges={BLUE: e.Pledge(pledge=PLEDGE), RED: e.Pledge(pledge=PLEDGE)}),
        e.DicePledges(pledges={RED: e.Pledge(pledge=PLEDGE), "green": e.Pledge(pledge=PLEDGE)}),
        "no side green",
    ),
)
"""In a game with shared dice."""


ROLLED_ALONE = e.DiceRolled(roll=1, purpose="water", dice="2d6", pips=(3, 4), total=7)
LAID = fold(Game(), (OPENED, e.MarkerSet(marker="water", before=None, after="high")))
CONSENT = e.RewindAnswered(side=RED, consents=True)
UNREADABLE = e.UnitMoved(unit="heron", path=None)  # type: ignore[arg-type] # that is the fault
REASONS: tuple[tuple[Game, Any, str], ...] = (
    *((GAME, does_not, why) for _, does_not, why in CASES),
    *((game, does_not, why) for game, _, does_not, why in IN_A_DRAW),
    *((OVER, event, why) for event, why in IN_ANOTHER_STATE),
    (DRAWING, e.DiceShared(side=RED, share=SHARE), "a share is revealed before blue has committed to its own"),
    (GAME, e.DicePledged(side=RED, pledge=PLEDGE), "the dice of this game take no shares"),
    (PLEDGED, ROLLED_ALONE, "it is rolled without a share of red"),
    (LAID, e.PlayResumed(acts=0), "the setup already counts 1 act, not 0"),
    (GAME, e.PlayResumed(acts=99), "play has already begun, so it cannot start from a mid-game setup"),
    (GAME, e.SecretsOpened(upto=9), "secrets can be revealed only after the end of the game"),
    (fold(GAME, (CONSENT,)), CONSENT, "red has already consented"),
    (GAME, "a word", "is not an event"),
    (GAME, e.PlayRewound(to=0, kind="undo"), "the game has 1 roll, not 0"),
    (GAME, UNREADABLE, "cannot be read"),
)


@pytest.mark.parametrize(("game", "event", "why"), REASONS, ids=[case[2] for case in REASONS])
def test_reason_says_what_differs(game: Game, event: Any, why: str) -> None:
    assert why in transition_error(game, event)


@pytest.mark.parametrize(("game", "fits", "does_not", "why"), IN_A_DRAW, ids=[case[3] for case in IN_A_DRAW])
def test_dice_share_is_checked(game: Game, fits: AnyEvent, does_not: AnyEvent, why: str) -> None:
    assert transition_error(game, fits) == ""
    assert transition_error(game, does_not) != ""


def test_dice_share_is_valid_only_in_its_turn() -> None:
    share, pledge = e.DiceShared(side=RED, share=SHARE), e.DicePledged(side=BLUE, pledge=PLEDGE)
    assert [transition_error(game, share) == "" for game in (DRAWING, PLEDGED)] == [False, True]
    assert [transition_error(game, pledge) == "" for game in (GAME, DRAWING)] == [False, True]
    shared = fold(PLEDGED, (share,))
    assert RED in transition_error(PLEDGED, ROLLED_ALONE)
    assert BLUE in transition_error(shared, ROLLED_ALONE)


@pytest.mark.parametrize(("fits", "does_not", "why"), CASES, ids=[case[2] for case in CASES])
def test_event_is_checked(fits: AnyEvent, does_not: AnyEvent, why: str) -> None:
    assert transition_error(GAME, fits) == ""
    assert transition_error(GAME, does_not) != ""


@pytest.mark.parametrize(("event", "why"), IN_ANOTHER_STATE, ids=[case[1] for case in IN_ANOTHER_STATE])
def test_event_of_another_state_is_inconsistent(event: AnyEvent, why: str) -> None:
    assert transition_error(OVER, event) != ""


@pytest.mark.parametrize("event", ALWAYS, ids=lambda event: type(event).__name__)
def test_comment_is_always_valid(event: AnyEvent) -> None:
    assert transition_error(GAME, event) == transition_error(OVER, event) == transition_error(Game(), event) == ""


def test_play_resumes_once_and_with_the_right_number_of_acts() -> None:
    assert [transition_error(LAID, e.PlayResumed(acts=acts)) == "" for acts in (0, 1)] == [False, True]
    assert transition_error(GAME, e.PlayResumed(acts=99)) != ""


def test_cases_cover_every_kind_of_event() -> None:
    tried = {type(event) for case in CASES for event in case[:2]}
    tried |= {type(event) for case in IN_A_DRAW for event in case[1:3]}
    tried |= {type(event) for event, _ in IN_ANOTHER_STATE} | {type(event) for event in ALWAYS}
    assert tried | {e.SecretsOpened} == set(get_args(AnyEvent))


def test_secrets_are_opened_when_the_game_is_over() -> None:
    assert transition_error(OVER, e.SecretsOpened(upto=9)) == ""
    assert transition_error(GAME, e.SecretsOpened(upto=9)) != ""


def test_events_of_the_setting_are_valid() -> None:
    for at, event in enumerate(SETTING):
        assert transition_error(fold(Game(), SETTING[:at]), event) == ""


def test_secret_choice_is_valid_again_when_its_step_repeats() -> None:
    again = fold(GAME, (e.StepClosed(step="1"), e.StepOpened(step="1", name="tolls", waits=(RED,))))
    assert transition_error(again, e.ChoiceSealed(question="toll", side=RED)) == ""


def test_unknown_secret_is_not_checked() -> None:
    """Accept any revealed choice in a copy that has only the fact of the sealed one."""
    public = fold(Game(), [event for event in SETTING if not isinstance(event, e.ChoiceMade)])
    assert transition_error(public, e.ChoiceRevealed(question="toll", side=RED, choice=2)) == ""


def test_second_consent_is_inconsistent() -> None:
    assert transition_error(GAME, CONSENT) == ""
    assert transition_error(fold(GAME, (CONSENT,)), CONSENT) != ""


def test_removal_without_place_in_old_log_is_valid() -> None:
    assert transition_error(GAME, e.UnitRemoved(unit="heron", fate="sunk", at="")) == ""


@pytest.mark.parametrize("nonsense", ["a word", 7, None, object()])
def test_non_event_is_inconsistent(nonsense: Any) -> None:
    assert repr(nonsense) in transition_error(GAME, nonsense)


def test_field_of_wrong_type_is_inconsistent() -> None:
    assert transition_error(GAME, UNREADABLE) != ""


class TestRedactedCopy:
    """In a copy for one seat, withheld records of other seats may explain an event that is otherwise inconsistent."""

    @pytest.mark.parametrize(
        "event",
        [
            roll(total=7),
            went("bend"),
            paid(after=4),
            e.StepClosed(step="2"),
            e.PlayRewound(to=0, kind="undo"),
        ],
        ids=lambda one: type(one).__name__,
    )
    def test_event_inconsistent_in_every_case_is_reported(self, event: AnyEvent) -> None:
        assert transition_error(GAME, event) != ""
        assert transition_error_in_part(GAME, event) != ""

    @pytest.mark.parametrize(
        "event",
        [
            roll(roll=9),
            went("mill", "sea"),
            paid(before=6, after=4),
            became("bales", 3, 2),
            e.UnitRemoved(unit="pike", fate="sunk"),
            e.MarkerSet(marker="water", before="low", after=None),
            e.ChoiceRevealed(question="toll", side=RED, choice=2),
            e.PlayRewound(to=3, kind="undo", rolls=7),
        ],
        ids=lambda one: type(one).__name__,
    )
    def test_event_explained_by_withheld_record_is_accepted(self, event: AnyEvent) -> None:
        assert transition_error(GAME, event)
        assert transition_error_in_part(GAME, event) == ""


class TestInconsistentEvents:
    """`evolve` never refuses, so that a forged log can still be read to its end."""

    @pytest.mark.parametrize(
        "event",
        [e.LoopClosed(loop="T"), jump(frames=0), went(), e.StepClosed(step="7", keep="K"), e.PassBegun(loop="", nth=1)],
        ids=lambda event: type(event).__name__,
    )
    def test_inconsistent_event_is_applied(self, event: AnyEvent) -> None:
        start = fold(Game(), SETTING[:4])
        assert transition_error(start, event)
        assert fold(start, (event, event)).cursor.frames[0].of == ""
