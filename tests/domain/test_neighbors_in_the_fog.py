"""Test visibility under fog and permitted dice: each rule against its nearest variants, before and after it changes."""

from collections.abc import Mapping

import pytest

from tests.domain.teaching import BOTH, NORTH, SOUTH, laid, step, teach, title_of
from tests.domain.test_hidden_units import ALLIES, JAPAN, SIAM, at_sea, sub
from tests.face.domain import (
    CLOSED_TO_REFEREE,
    MOST_DICE,
    MOST_FACES,
    REFEREE,
    SPECTATOR,
    Answer,
    ChoiceRevealed,
    ChoiceSealed,
    DiceRolled,
    Epoch,
    Game,
    Hide,
    KnownOpenings,
    NotHeldHere,
    RuleViolation,
    Show,
    Side,
    Told,
    check_roll,
    draw,
    evolve,
    in_the_open,
    known_at_position,
    known_to,
    may_see,
    parse,
    readers,
    replace,
    reveal,
    seal,
    secret_viewers,
)
from tests.face.projections import is_for, sees
from tests.face.testing import Story

SEATS = (JAPAN, "hiro", SIAM, ALLIES, SPECTATOR, REFEREE)
"""A side, a second seat of that side, two other sides, the spectator, and the referee."""
EVERYBODY = set(SEATS)


def seated(story: Story) -> Game:
    return replace(story.game, seats={**story.game.seats, "hiro": JAPAN})


def who_sees(story: Story, unit: str) -> set[str]:
    return {seat for seat in SEATS if unit in known_to(seated(story), seat).units}


def who_remembers(story: Story, unit: str) -> set[str]:
    game = seated(story)
    return {seat for seat in SEATS if any(one.unit.id == unit for one in known_to(game, seat).sightings.values())}


def test_hidden_unit_is_seen_by_its_side_and_the_referee() -> None:
    sea = at_sea()
    sea.when(sub())
    assert who_sees(sea, "japan-7") == {JAPAN, "hiro", REFEREE}
    sea.when(Show(seat=JAPAN, unit="japan-7", to=(SIAM,)))
    assert who_sees(sea, "japan-7") == {JAPAN, "hiro", SIAM, REFEREE}
    sea.when(Show(seat=JAPAN, unit="japan-7"))
    assert who_sees(sea, "japan-7") == EVERYBODY


def test_covered_unit_is_remembered_by_those_who_saw_it() -> None:
    sea = at_sea()
    assert who_sees(sea, "japan-1") == EVERYBODY
    assert who_remembers(sea, "japan-1") == set()
    sea.when(Hide(seat=JAPAN, unit="japan-1", only=(SIAM,)))
    assert who_sees(sea, "japan-1") == {JAPAN, "hiro", SIAM, REFEREE}
    assert who_remembers(sea, "japan-1") == {ALLIES, SPECTATOR}
    assert known_to(seated(sea), ALLIES).units.get("japan-1") is None
    sea.when(Show(seat=JAPAN, unit="japan-1"))
    assert who_sees(sea, "japan-1") == EVERYBODY
    assert who_remembers(sea, "japan-1") == set()


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(("opened", "at", "is_open"), [(9, 10, False), (10, 10, True), (11, 10, True)])
def test_hidden_unit_where_secrets_are_open(seat: str, opened: int, at: int, is_open: bool) -> None:
    sea = at_sea()
    sea.when(sub())
    game = seated(sea)
    shown = known_at_position(game, seat, replace(game, secrets_open=opened), at)
    assert ("japan-7" in shown.units) == (is_open or seat in (JAPAN, "hiro", REFEREE))
    assert in_the_open(shown).units == game.units


SIDES = tuple(Side(id=side, name=side) for side in (JAPAN, SIAM, ALLIES))
FOR_JAPAN, FOR_NOBODY = (JAPAN, REFEREE), ()


def table(*, closed: bool = False, **more: object) -> Game:
    options = {CLOSED_TO_REFEREE: True} if closed else {}
    return Game(sides=SIDES, seats={"hiro": JAPAN}, options=options, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("closed", "visible_to", "seen"),
    [
        (False, None, EVERYBODY),
        (False, FOR_JAPAN, {JAPAN, "hiro", REFEREE}),
        (False, (JAPAN,), {JAPAN, "hiro", REFEREE}),
        (False, ("hiro",), {"hiro", REFEREE}),
        (False, FOR_NOBODY, set()),
        (True, None, EVERYBODY),
        (True, (JAPAN,), {JAPAN, "hiro"}),
        (True, ("hiro",), {"hiro"}),
        (True, FOR_JAPAN, {JAPAN, "hiro", REFEREE}),
        (True, FOR_NOBODY, set()),
    ],
)
def test_secret_record_is_seen_by(closed: bool, visible_to: tuple[str, ...] | None, seen: set[str]) -> None:
    game = table(closed=closed)
    assert {seat for seat in SEATS if sees(game, seat, 10, visible_to)} == seen
    before, at, after = (replace(game, secrets_open=upto) for upto in (9, 10, 11))
    open_now = EVERYBODY if visible_to != FOR_NOBODY else seen
    assert {seat for seat in SEATS if sees(before, seat, 10, visible_to)} == seen
    assert {seat for seat in SEATS if sees(at, seat, 10, visible_to)} == open_now
    assert {seat for seat in SEATS if sees(after, seat, 10, visible_to)} == open_now
    if visible_to is not None:
        assert {seat for seat in SEATS if is_for(after, seat, visible_to)} == seen, "laid open is not meant for them"


@pytest.mark.parametrize("all_open", [False, True])
def test_record_for_no_seat_opens_with_all_seeds(all_open: bool) -> None:
    assert {seat for seat in SEATS if may_see(seat, "", (), all_open)} == (EVERYBODY if all_open else set())
    assert not may_see(SPECTATOR, "", (JAPAN,), all_open)
    assert not may_see(SPECTATOR, "", ("",), all_open), "who has no side is in no list of sides"


@pytest.mark.parametrize(
    ("closed", "author", "to", "read_by"),
    [
        (False, JAPAN, (SIAM,), (JAPAN, SIAM, REFEREE)),
        (False, "hiro", (SIAM,), (JAPAN, SIAM, REFEREE)),
        (False, REFEREE, (SIAM,), (REFEREE, SIAM)),
        (True, JAPAN, (SIAM,), (JAPAN, SIAM)),
        (True, JAPAN, (REFEREE,), (JAPAN, REFEREE)),
        (True, REFEREE, (SIAM,), (REFEREE, SIAM)),
    ],
)
def test_private_words_are_read_by(closed: bool, author: str, to: tuple[str, ...], read_by: tuple[str, ...]) -> None:
    assert readers(table(closed=closed), author, to) == read_by
    assert secret_viewers(table(closed=closed), JAPAN) == ((JAPAN,) if closed else (JAPAN, REFEREE))


def test_sealed_choice_is_revealed_only_if_it_is_known() -> None:
    nothing = table()
    with pytest.raises(RuleViolation):
        reveal(nothing, JAPAN, "route")
    public, private = seal(nothing, JAPAN, "route", "north")
    assert isinstance(public, ChoiceSealed)
    assert isinstance(private, Told)
    seen_by_others = evolve(nothing, public)
    with pytest.raises(NotHeldHere):
        reveal(seen_by_others, JAPAN, "route")
    own = evolve(seen_by_others, private.event)
    assert reveal(own, JAPAN, "route") == [ChoiceRevealed(question="route", side=JAPAN, choice="north")]
    for side, question in ((SIAM, "route"), (JAPAN, "speed")):
        with pytest.raises(RuleViolation):
            reveal(own, side, question)
        assert len(seal(own, side, question, "north")) == 2
    with pytest.raises(RuleViolation):
        seal(own, JAPAN, "route", "north")


@pytest.mark.parametrize(
    ("seat", "is_secret", "is_closed", "knows"),
    [
        (NORTH, True, False, True),
        ("anna", True, False, True),
        (SOUTH, True, False, False),
        (SPECTATOR, True, False, False),
        (REFEREE, True, False, True),
        (NORTH, True, True, True),
        (SPECTATOR, True, True, False),
        (REFEREE, True, True, False),
        (SOUTH, False, False, True),
        (SPECTATOR, False, True, True),
        (REFEREE, False, True, True),
    ],
)
def test_what_a_side_owes_and_may_answer_is_known_to(seat: str, is_secret: bool, is_closed: bool, knows: bool) -> None:
    """Require a plan of North, which may attack with one; whether North has a plan may be secret."""
    plan = laid("plan", "it has a plan", otherwise="it has no plan", owed="make a plan", secret=is_secret)
    fight = step("A", by=BOTH, needs=plan, answers=(Answer("attack", when=plan), Answer("hold")))
    story = teach(title_of(fight))
    options = {CLOSED_TO_REFEREE: True} if is_closed else {}
    without = replace(story.game, seats={"anna": NORTH}, options=options)
    having = replace(without, markers={"plan": True})
    seen = {has: KnownOpenings(story.title, game, seat) for has, game in ((False, without), (True, having))}
    assert {has: bool(one.owed_by(fight, NORTH)) for has, one in seen.items()} == {False: knows, True: False}
    assert seen[True].answers_of(fight, NORTH) == ("attack", "hold")
    assert seen[False].answers_of(fight, NORTH) == (("hold",) if knows else ("attack", "hold"))


# --- dice -------------------------------------------------------------------------------------------------------------

SEED, OTHER = "11" * 32, "22" * 32
MANY = parse("20d6")


@pytest.mark.parametrize(
    ("dice", "is_dice"),
    [
        ("0d6", False),
        ("1d6", True),
        (f"{MOST_DICE}d6", True),
        (f"{MOST_DICE + 1}d6", False),
        ("d1", False),
        ("d2", True),
        (f"d{MOST_FACES}", True),
        (f"d{MOST_FACES + 1}", False),
    ],
)
def test_dice_at_their_limits(dice: str, is_dice: bool) -> None:
    try:
        number = parse(dice).number
    except RuleViolation:
        number = 0
    assert (number >= 1) == is_dice


@pytest.mark.parametrize(
    ("changed", "other"),
    [
        ({}, False),
        ({"seed": OTHER}, True),
        ({"label": "bridge"}, True),
        ({"scheme": 1}, True),
        ({"shares": ("aa" * 32, "bb" * 32)}, False),
        ({"scheme": 3, "shares": ("aa" * 32,)}, True),
    ],
)
def test_roll_depends_on(changed: Mapping[str, object], other: bool) -> None:
    epoch = Epoch(SEED, "ford")
    assert (draw(epoch._replace(**changed), 1, MANY) != draw(epoch, 1, MANY)) == other  # type: ignore[arg-type]
    assert draw(epoch, 2, MANY) != draw(epoch, 1, MANY)
    assert draw(epoch, 1, MANY, "luck") == draw(epoch, 1, MANY, "wind")
    assert draw(epoch._replace(scheme=1), 1, MANY, "luck") != draw(epoch._replace(scheme=1), 1, MANY, "wind")


@pytest.mark.parametrize(("scheme", "known"), [(0, False), (1, True), (2, True), (3, True), (4, True), (5, False)])
def test_roll_is_checked_under_a_known_scheme(scheme: int, known: bool) -> None:
    epoch = Epoch(SEED, "ford", scheme, ("aa" * 32,))
    pips = draw(epoch, 7, MANY, "luck")
    made = DiceRolled(roll=7, purpose="luck", dice="20d6", pips=pips, total=sum(pips), source="ledger")
    assert check_roll(epoch, made) == known
    assert not check_roll(epoch, replace(made, roll=8))
    assert check_roll(epoch, replace(made, roll=9, thrown=7)) == known
