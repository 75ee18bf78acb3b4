"""In Red Coat Rags Attired: situations read from the printed page, sentence by sentence."""

from typing import Any

import pytest

from tests.face.domain import (
    DiceRolled,
    GameEnded,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
)
from tests.face.testing import Story
from tests.titles.red_coat_rags_table import (
    BASE,
    KING,
    PARLIAMENT,
    disrupt,
    face_to_face,
    finish,
    lock,
    says,
    table,
    to_actions,
    to_activation,
    to_phase,
    to_special,
    to_step,
)

SIDES = [(KING, PARLIAMENT), (PARLIAMENT, KING)]


def waiting(story: Story) -> tuple[str, ...]:
    return story.game.cursor.waiting()


def step(story: Story) -> str:
    return story.game.cursor.open[0].step


def gone(story: Story, *names: str) -> list[bool]:
    return [bool(story.game.units[name].fate) for name in names]


def base(**changes: dict[str, Any]) -> dict[str, Any]:
    """Return the scenario with some entries of officers, units, line command and pieces changed; `_` for a hyphen."""
    wanted = {name.replace("_", "-"): more for name, more in changes.items()}
    lists = ("officers", "units", "line_command", "pieces")
    return {**BASE, **{each: [{**one, **wanted.get(one["id"], {})} for one in BASE[each]] for each in lists}}


def no_more(story: Story, side: str) -> Story:
    """End the phase of the side at once, from step 3 or a later one."""
    while waiting(story) == (side,) and step(story) in {"2a", "2e.move", "3", "5", "6"}:
        answer = {"answer": "enough"} if step(story) == "6" else {}
        if story.when(says(side, "done", **answer)).refusal:
            story.play(says(side, "done", answer="none"))
    return story


# --- 1: initiative ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("king", "parliament", "winner"), [(1, 1, KING), (5, 6, ""), (4, 6, PARLIAMENT), (6, 6, KING)])
@pytest.mark.parametrize("order", SIDES)
def test_initiative_goes_to_the_total_in_either_order(king: int, parliament: int, winner: str, order: Any) -> None:
    """Rule 1: leadership values 2 and 1."""
    dice = {KING: king, PARLIAMENT: parliament}
    story = table()
    for side in order:
        story.play(says(side, "roll-initiative", dice[side]))
    assert step(story) == ("2a" if winner else "1")
    assert set(waiting(story)) == ({winner} if winner else {KING, PARLIAMENT})


def test_initiative_tied_twice_is_rolled_a_third_time() -> None:
    """Rule 1."""
    story = table()
    for king, parliament in ((5, 6), (1, 2), (2, 4)):
        story.then_open("1").play(says(PARLIAMENT, "roll-initiative", parliament), says(KING, "roll-initiative", king))
    story.then_open("2a")
    assert waiting(story) == (PARLIAMENT,)


def test_initiative_takes_leadership_of_the_co_alone() -> None:
    """Rule 1."""
    story = table(base(carr={"lv": 6}, digby={"lv": 6}))
    story.when(says(KING, "roll-initiative", 3)).then(DiceRolled, total=5)


# --- 2a: officers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("to", "allowed"), [("24,12", True), ("24,12.5", False), ("30,4", True), ("32.5,4", False)])
def test_officer_repositions_up_to_its_allowance(to: str, allowed: bool) -> None:
    """Rule 2a: an allowance of 8."""
    story = to_phase(table()).when(says(KING, "reposition", officer="ashby", path=[to]))
    assert (story.refusal is None) is allowed


def test_officers_all_reposition_in_any_order() -> None:
    """Rule 2a."""
    story = to_phase(table())
    for officer, to in (("carr", "36,8"), ("ashby", "24,6"), ("digby", "12,8")):
        story.when(says(KING, "reposition", officer=officer, path=[to])).then(UnitMoved, unit=officer)


def test_officer_after_undo_repositions_another_way() -> None:
    """Rule 2a."""
    story = to_phase(table()).play(says(KING, "reposition", officer="ashby", path=["24,8"]), says(KING, "undo"))
    story.when(says(KING, "reposition", officer="ashby", path=["20,4"])).then(UnitMoved, unit="ashby")


def test_officers_of_the_second_player_reposition_in_its_phase() -> None:
    """Red Coat Rags Attired 2a and 11."""
    story = no_more(to_activation(table()), KING).then_open("2a")
    story.when(says(KING, "reposition", officer="ashby", path=["24,6"])).then_refused("step-of-another-side", rule="2a")
    story.when(says(PARLIAMENT, "reposition", officer="waite", path=["12,24"])).then(UnitMoved, unit="waite")


def test_officer_repositions_again_next_turn() -> None:
    """Red Coat Rags Attired 2a and 12."""
    story = to_phase(table()).play(says(KING, "reposition", officer="ashby", path=["24,6"]), says(KING, "done"))
    no_more(no_more(story, KING), PARLIAMENT).then_open("1")
    to_phase(story).when(says(KING, "reposition", officer="ashby", path=["24,8"])).then(UnitMoved)


# --- 2b: morale -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("disrupted", "pip", "stays"),
    [(2, 3, True), (2, 2, False), (3, 4, True), (3, 3, False), (4, 5, True), (4, 4, False)],
)
def test_morale_die_loses_1_for_each_piece_over_the_value(disrupted: int, pip: int, stays: bool) -> None:
    """Rule 2b: QV 3, casualty value 2."""
    pieces = [f"tyldesley-{number}" for number in range(1, disrupted + 1)]
    story = to_step(disrupt(table(), *pieces), "2b")
    story.when(says(KING, "check-morale", pip, unit="tyldesley")).then(DiceRolled, total=pip - (disrupted - 2))
    assert gone(story, "tyldesley-1", "tyldesley-4") == [not stays, not stays]


@pytest.mark.parametrize("order", [("tyldesley", "forlorn"), ("forlorn", "tyldesley")])
def test_morale_of_two_units_is_checked_in_either_order(order: tuple[str, str]) -> None:
    """Rule 2b."""
    story = to_step(disrupt(table(), "tyldesley-1", "tyldesley-2", "forlorn-1", "forlorn-2"), "2b")
    for unit in order:
        story.then_open("2b").play(says(KING, "check-morale", 6, unit=unit))
    story.then_open("2c")


@pytest.mark.parametrize(("unit", "pieces"), [("saker", ("saker-1",)), ("blues", ("blues-1", "blues-2"))])
def test_morale_follows_the_value_of_each_unit(unit: str, pieces: tuple[str, ...]) -> None:
    """Rule 2b: casualty values 1 and 2."""
    story = to_step(disrupt(table(), *pieces), "2b", PARLIAMENT)
    story.when(says(PARLIAMENT, "check-morale", 6, unit=unit)).then(DiceRolled, total=6)


def test_morale_of_the_other_side_waits_for_its_own_phase() -> None:
    """Red Coat Rags Attired 2b and 11."""
    story = to_step(disrupt(table(), "saker-1"), "2e.move")
    no_more(story, KING).then_open("2a").play(says(PARLIAMENT, "done")).then_open("2b")


def test_morale_cube_makes_up_for_a_piece_over_the_value() -> None:
    """Rule 2b: 3 less 1, and a cube."""
    story = to_step(disrupt(table(), "tyldesley-1", "tyldesley-2", "tyldesley-3"), "2b")
    story.when(says(KING, "check-morale", 3, unit="tyldesley", cubes={"digby": 1})).then(DiceRolled, total=3)
    assert not any(gone(story, "tyldesley-1"))


@pytest.mark.parametrize(("cubes", "stays"), [({"digby": 2}, True), ({"digby": 1}, False)])
def test_morale_die_of_1_is_saved_by_cubes(cubes: dict[str, int], stays: bool) -> None:
    """Rule 2b: a 1 is fatal in 2c alone."""
    story = to_step(disrupt(table(), "tyldesley-1", "tyldesley-2"), "2b")
    story.play(says(KING, "check-morale", 1, unit="tyldesley", cubes=cubes))
    assert gone(story, "tyldesley-4") == [not stays]


def test_morale_failed_places_one_unit_marker() -> None:
    """Rule 2b."""
    story = to_step(disrupt(table(), "tyldesley-1", "tyldesley-2"), "2b")
    story.play(says(KING, "check-morale", 1, unit="tyldesley"))
    placed = [event for event in story.events if isinstance(event, UnitPlaced)]
    assert len(placed) == 1
    assert gone(story, "tyldesley-1", "tyldesley-2", "tyldesley-3", "tyldesley-4") == [True] * 4


def test_morale_roll_is_not_undone_by_its_roller() -> None:
    """Rule 2b."""
    story = to_step(disrupt(table(), "tyldesley-1", "tyldesley-2"), "2b")
    story.play(says(KING, "check-morale", 1, unit="tyldesley"))
    story.when(says(KING, "undo")).then_refused("only-the-referee-undoes", rule="undo")
    story.when(says("referee", "undo", why="a cocked die")).then_open("2b")
    story.play(says(KING, "check-morale", 3, unit="tyldesley"))
    assert gone(story, "tyldesley-1") == [False]


def test_morale_is_checked_again_in_the_next_turn() -> None:
    """Rule 2b: pieces that did not rally count again."""
    story = to_step(disrupt(table(), "tyldesley-1", "tyldesley-2"), "2b")
    story.play(says(KING, "check-morale", 6, unit="tyldesley"))
    story.play(says(KING, "rally", 2, piece="tyldesley-1"), says(KING, "rally", 2, piece="tyldesley-2"))
    no_more(no_more(story, KING), PARLIAMENT).then_open("1")
    to_step(story, "2b")
    assert waiting(story) == (KING,)


# --- 2c: disruption ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [("tyldesley-2", "forlorn-1"), ("forlorn-1", "tyldesley-2")])
def test_rally_of_all_disrupted_pieces_in_either_order(order: tuple[str, str]) -> None:
    """Rule 2c."""
    story = to_step(disrupt(table(), "tyldesley-2", "forlorn-1"), "2c")
    for piece in order:
        story.then_open("2c").play(says(KING, "rally", 6, piece=piece))
    story.then_open("2e.move")


@pytest.mark.parametrize(
    ("piece", "pip", "cubes", "outcome"),
    [
        ("forlorn-1", 4, {}, "rallied"),
        ("forlorn-1", 3, {}, "disrupted"),
        ("forlorn-1", 3, {"digby": 1}, "rallied"),
        ("forlorn-1", 2, {"digby": 1}, "disrupted"),
        ("forlorn-1", 1, {"digby": 2, "ashby": 2}, "lost"),
        ("tyldesley-2", 3, {}, "rallied"),
        ("tyldesley-2", 2, {}, "disrupted"),
    ],
)
def test_rally_compares_die_and_cubes_with_the_piece(piece: str, pip: int, cubes: dict[str, int], outcome: str) -> None:
    """Rule 2c: QV 4 and 3; a rolled 1 removes."""
    story = to_step(disrupt(table(base(digby={"reach": 20}, ashby={"reach": 30})), piece), "2c")
    story.play(says(KING, "rally", pip, piece=piece, cubes=cubes))
    unit = story.game.units[piece]
    assert ("lost" if unit.fate else "disrupted" if unit.get("disrupted") else "rallied") == outcome


def test_rally_of_1_leaves_a_casualty_marker() -> None:
    """Rule 2c."""
    story = to_step(disrupt(table(), "forlorn-1"), "2c").when(says(KING, "rally", 1, piece="forlorn-1"))
    story.then(UnitRemoved, unit="forlorn-1")
    story.then(UnitPlaced)


def test_rally_that_failed_is_tried_again_next_phase() -> None:
    """Rule 2c."""
    story = to_step(disrupt(table(), "forlorn-1"), "2c").play(says(KING, "rally", 2, piece="forlorn-1"))
    story.when(says(KING, "rally", 6, piece="forlorn-1")).then_refused("not-allowed-now", rule="Red Coat")
    no_more(no_more(story, KING), PARLIAMENT)
    to_step(story, "2c").when(says(KING, "rally", 4, piece="forlorn-1")).then(UnitChanged, attribute="disrupted")


def test_rallied_piece_acts_in_the_same_phase() -> None:
    """Red Coat Rags Attired 2c and 3."""
    story = to_step(disrupt(table(), "forlorn-1"), "2c").play(says(KING, "rally", 5, piece="forlorn-1"))
    story.play(says(KING, "done"), says(KING, "activate", 5, unit="forlorn", dice=1))
    story.when(says(KING, "move-piece", piece="forlorn-1", path=["19,14"])).then(UnitMoved)


def test_rally_follows_morale_for_a_unit_that_stays() -> None:
    """Red Coat Rags Attired 2b and 2c."""
    story = to_step(disrupt(table(), "forlorn-1", "forlorn-2", "tyldesley-1"), "2b")
    story.play(says(KING, "check-morale", 1, unit="forlorn")).then_open("2c")
    story.when(says(KING, "rally", 6, piece="forlorn-1")).then_refused("unit-removed", rule="Red Coat")
    story.when(says(KING, "rally", 6, piece="tyldesley-1")).then_open("2e.move")


# --- 2d: corner locks -------------------------------------------------------------------------------------------------


def locked(*more: str) -> Story:
    """Open 2d with pieces of Carr's horse locked with Rudd's at a corner each."""
    story = lock(face_to_face(table(base(carrs_horse_command={"reach": 30}))), "carrs-1", "rudds-1")
    for piece in more:
        lock(story, piece, piece.replace("carrs", "rudds"))
    return to_step(story, "2d")


@pytest.mark.parametrize(("pip", "free"), [(3, True), (2, False), (1, False)])
def test_lock_breaks_at_the_quality_of_the_piece(pip: int, free: bool) -> None:
    """Rule 2d: QV 3; a 1 only fails."""
    story = locked().play(says(KING, "break-lock", pip, piece="carrs-1", to="34,17"))
    assert bool(story.game.units["carrs-1"].get("locked")) is not free
    assert bool(story.game.units["rudds-1"].get("locked")) is not free
    assert gone(story, "carrs-1") == [False]


def test_lock_that_held_leaves_the_rest_of_the_unit_free() -> None:
    """Red Coat Rags Attired 2d and 4a."""
    story = locked().play(says(KING, "break-lock", 1, piece="carrs-1", to="34,17"), says(KING, "done"))
    story.play(says(KING, "activate", 6, unit="carrs-horse", dice=1))
    story.when(says(KING, "move-piece", piece="carrs-1", path=["34,17"])).then_refused("corner-locked", rule="Red Coat")
    story.when(says(KING, "move-piece", piece="carrs-3", path=["38,17"])).then(UnitMoved)


def test_lock_not_tried_holds_its_piece_too() -> None:
    """Rule 2d: breaking free is optional."""
    story = locked().play(says(KING, "done"), says(KING, "done"), says(KING, "activate", 6, unit="carrs-horse", dice=1))
    story.when(says(KING, "move-piece", piece="carrs-1", path=["34,17"])).then_refused("corner-locked", rule="Red Coat")


def test_locks_of_two_pieces_are_tried_one_each() -> None:
    """Rule 2d."""
    story = locked("carrs-2").play(says(KING, "break-lock", 1, piece="carrs-1", to="34,17")).then_open("2d")
    story.when(says(KING, "break-lock", 6, piece="carrs-1", to="34,17")).then_refused(
        "disengage-tried-already", rule="2d"
    )
    story.when(says(KING, "break-lock", 3, piece="carrs-2", to="36,17")).then(UnitMoved, unit="carrs-2")


def test_lock_that_held_is_tried_again_by_the_other_side() -> None:
    """Red Coat Rags Attired 2d and 11: any of the active player's pieces."""
    story = locked().play(says(KING, "break-lock", 1, piece="carrs-1", to="34,17"))
    no_more(story, KING).then_open("2a").play(says(PARLIAMENT, "done")).then_open("2d")
    story.when(says(PARLIAMENT, "break-lock", 3, piece="rudds-1", to="34,21.5")).then(UnitMoved, unit="rudds-1")
    assert not story.game.units["carrs-1"].get("locked")


def test_lock_is_gone_with_a_piece_that_is_lost_in_2c() -> None:
    """Red Coat Rags Attired 2c and 2d."""
    story = lock(face_to_face(table(base(carrs_horse_command={"reach": 30}))), "carrs-1", "rudds-1")
    story = to_step(disrupt(story, "carrs-1"), "2c").when(says(KING, "rally", 1, piece="carrs-1"))
    story.then_open("2e.move")
    assert not story.game.units["rudds-1"].get("locked")


def test_disrupted_piece_rallies_before_it_breaks_its_lock() -> None:
    """Red Coat Rags Attired 2c and 2d."""
    story = lock(face_to_face(table(base(carrs_horse_command={"reach": 30}))), "carrs-1", "rudds-1")
    story = to_step(disrupt(story, "carrs-1"), "2c")
    story.when(says(KING, "break-lock", 6, piece="carrs-1", to="34,17")).then_refused("not-allowed-now", rule="2c")
    story.play(says(KING, "rally", 2, piece="carrs-1")).then_open("2d")
    story.when(says(KING, "break-lock", 3, piece="carrs-1", to="34,17")).then(UnitMoved)
    assert story.game.units["carrs-1"].get("disrupted")


# --- 2e: line command -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reach", "lost"), [("3.17", False), ("3.15", True)])
def test_piece_at_the_reach_of_its_command_is_kept(reach: str, lost: bool) -> None:
    """Rule 2e: the shot on the wings are 3.162 from their command."""
    story = to_step(table(base(tyldesley_command={"reach": reach})), "2e.move").play(says(KING, "done"))
    assert gone(story, "tyldesley-1", "tyldesley-2", "tyldesley-4") == [lost, False, lost]


def test_command_moved_and_undone_keeps_its_pieces() -> None:
    """Rule 2e."""
    story = to_step(table(), "2e.move").play(says(KING, "move-command", command="tyldesley-command", path=["12,4"]))
    story.play(says(KING, "undo"), says(KING, "done")).then_open("3")
    assert gone(story, "tyldesley-1", "tyldesley-2", "tyldesley-3", "tyldesley-4") == [False] * 4


@pytest.mark.parametrize(("to", "allowed"), [("12,15", True), ("12,15.1", False)])
def test_command_moves_up_to_its_allowance(to: str, allowed: bool) -> None:
    """Rule 2e: an allowance of 6."""
    story = to_step(table(), "2e.move").when(says(KING, "move-command", command="tyldesley-command", path=[to]))
    assert (story.refusal is None) is allowed


def test_commands_of_all_units_reposition() -> None:
    """Rule 2e."""
    story = to_step(table(), "2e.move")
    for command, to in (("tyldesley-command", "12,10"), ("forlorn-command", "20,12"), ("carrs-horse-command", "36,10")):
        story.when(says(KING, "move-command", command=command, path=[to])).then(UnitMoved, unit=command)


def test_piece_lost_out_of_command_leaves_a_marker() -> None:
    """Rule 2e."""
    story = to_step(table(base(forlorn_1={"at": "19,20"})), "2e.move").when(says(KING, "done"))
    story.then(UnitRemoved, unit="forlorn-1")
    story.then(UnitPlaced)


# --- 3: activation ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pips", [(3,), (2, 3), (3, 2), (2, 1, 6)])
def test_activation_with_one_success_has_one_action(pips: tuple[int, ...]) -> None:
    """Rule 3: QV 3."""
    story = to_activation(table()).play(says(KING, "activate", *pips, unit="carrs-horse", dice=len(pips)))
    story.then_open("4a").play(says(KING, "move-piece", piece="carrs-1", path=["34,12"]))
    story.when(says(KING, "move-piece", piece="carrs-1", path=["34,14"])).then_refused(
        "action-taken-already", rule="Red Coat"
    )


@pytest.mark.parametrize(("side", "unit"), [(KING, "forlorn"), (PARLIAMENT, "saker")])
def test_activation_at_the_quality_of_the_unit_succeeds(side: str, unit: str) -> None:
    """Rule 3: QV 4."""
    to_activation(table(), side).when(says(side, "activate", 4, unit=unit, dice=1)).then_open("4a")
    to_activation(table(), side).when(says(side, "activate", 3, unit=unit, dice=1)).then_open("2a")


def test_activation_saved_by_a_cube_succeeds() -> None:
    """Red Coat Rags Attired 3 and 6."""
    story = to_activation(table()).play(says(KING, "activate", 3, unit="forlorn", dice=1, cubes=[{"ashby": 1}]))
    story.then_open("4a")


def test_activation_that_failed_is_the_last_of_the_phase() -> None:
    """Red Coat Rags Attired 3, 6 and 11: after one that succeeded."""
    story = finish(to_actions(table(), "forlorn")).play(says(KING, "done"), says(KING, "done", answer="another"))
    story.play(says(KING, "activate", 1, 2, unit="carrs-horse", dice=2)).then_open("2a")
    assert waiting(story) == (PARLIAMENT,)


def test_activation_of_both_wings_in_either_order() -> None:
    """Rule 3: select wing, then unit."""
    for units in (("forlorn", "carrs-horse"), ("carrs-horse", "forlorn")):
        story = finish(to_actions(table(), units[0])).play(says(KING, "done"), says(KING, "done", answer="another"))
        story.when(says(KING, "activate", 6, unit=units[1], dice=1)).then_open("4a")


def test_activation_of_a_unit_shot_to_pieces_is_refused() -> None:
    """Rule 3."""
    story = to_activation(table())
    story.given(*(UnitRemoved(unit=f"forlorn-{number}", fate="destroyed") for number in (1, 2)))
    story.when(says(KING, "activate", 6, unit="forlorn", dice=1)).then_refused(
        "cannot-be-activated", rule="3", reason="no-piece"
    )


# --- 4a and 4b: actions and fire --------------------------------------------------------------------------------------


@pytest.mark.parametrize("repeats", [False, True])
def test_fire_load_and_fire_again_is_two_of_one_action(repeats: bool) -> None:
    """Red Coat Rags Attired 3 and 4a: one of each action; the option reads it as a number of actions."""
    story = table(base(forlorn_1={"range": 20}), options={"actions_repeat": repeats})
    to_actions(story, "forlorn", dice=3)
    shoots = says(KING, "fire", piece="forlorn-1", target="blues-4")
    story.play(shoots, says(KING, "resolve-fire", 1, 6), says(KING, "load")).when(shoots)
    if repeats:
        story.then_accepted().play(says(KING, "resolve-fire", 1, 6))
    else:
        story.then_refused("action-taken-already", rule="Red Coat")
    story.when(says(KING, "load")).then_refused(rule="Red Coat")


def test_fire_load_fire_with_two_actions_is_refused() -> None:
    """Rule 4a."""
    story = to_actions(table(base(forlorn_1={"range": 20})), "forlorn", dice=2)
    story.play(says(KING, "fire", piece="forlorn-1", target="blues-4"), says(KING, "resolve-fire", 1, 6))
    story.play(says(KING, "load"))
    story.when(says(KING, "fire", piece="forlorn-1", target="blues-4")).then_refused(
        "action-taken-already", rule="Red Coat"
    )


@pytest.mark.parametrize(
    ("pips", "result"), [((1, 6), ""), ((3, 2), "disrupted"), ((2, 2), ""), ((5, 2), "disrupted"), ((6, 2), "lost")]
)
def test_fire_compares_both_totals(pips: tuple[int, int], result: str) -> None:
    """Rule 4b: a fire factor of 1 against a pike without one."""
    story = to_actions(table(base(forlorn_1={"range": 20})), "forlorn", dice=1)
    story.play(says(KING, "fire", piece="forlorn-1", target="blues-3"), says(KING, "resolve-fire", *pips))
    target = story.game.units["blues-3"]
    assert ("lost" if target.fate else "disrupted" if target.get("disrupted") else "") == result
    assert story.game.units["forlorn-1"].get("red_cube") == "unloaded"


@pytest.mark.parametrize(("pips", "markers"), [((6, 1), 1), ((4, 2), 0)])
def test_fire_leaves_a_marker_for_a_destroyed_piece_only(pips: tuple[int, int], markers: int) -> None:
    """Rule 4b."""
    story = to_actions(table(base(forlorn_1={"range": 20})), "forlorn", dice=1)
    story.play(says(KING, "fire", piece="forlorn-1", target="blues-3")).when(says(KING, "resolve-fire", *pips))
    assert sum(isinstance(event, UnitPlaced) for event in story.events) == markers


@pytest.mark.parametrize(("reach", "in_range"), [("8", True), ("7.99", False)])
def test_fire_reaches_to_the_range_of_the_piece(reach: str, in_range: bool) -> None:
    """Rule 4a: forlorn-2 is 8 from the target."""
    story = to_actions(table(base(forlorn_2={"range": reach}, saker_1={"at": "21,20"})), "forlorn", dice=1)
    story.when(says(KING, "fire", piece="forlorn-2", target="saker-1"))
    assert (story.refusal is None) is in_range


def test_fire_of_the_other_side_may_be_declined() -> None:
    """Rule 4: the non-phasing player may fire."""
    story = to_actions(table(), "forlorn").play(says(KING, "done", answer="finished")).then_open("4a.answer")
    assert waiting(story) == (PARLIAMENT,)
    story.when(says(PARLIAMENT, "done", answer="none")).then_open("5")


def test_fire_of_the_other_side_unloads_for_its_own_phase() -> None:
    """Red Coat Rags Attired 4 and 4b: the red cube stays unloaded."""
    story = to_actions(table(base(blues_4={"range": 20})), "forlorn")
    story.play(says(PARLIAMENT, "fire", piece="blues-4", target="forlorn-1"), says(KING, "resolve-fire", 1, 1))
    story.when(says(PARLIAMENT, "fire", piece="blues-4", target="forlorn-2")).then_refused(
        "cannot-fire-unloaded", rule="Red Coat"
    )
    no_more(finish(story), KING).then_open("2a")
    story.play(says(PARLIAMENT, "done"), says(PARLIAMENT, "done"))
    story.play(says(PARLIAMENT, "activate", 6, 6, unit="blues", dice=2))
    story.when(says(PARLIAMENT, "fire", piece="blues-4", target="forlorn-1")).then_refused(
        "cannot-fire-unloaded", rule="Red Coat"
    )
    story.play(says(PARLIAMENT, "load", pieces=["blues-4"]))
    story.when(says(PARLIAMENT, "fire", piece="blues-4", target="forlorn-1")).then_open("4b")


def test_fire_that_destroys_a_piece_leaves_the_others_to_act() -> None:
    """Red Coat Rags Attired 4 and 4b."""
    story = to_actions(table(), "forlorn").play(says(KING, "move-piece", piece="forlorn-1", path=["19,14"]))
    story.play(says(PARLIAMENT, "fire", piece="saker-1", target="forlorn-1"), says(PARLIAMENT, "resolve-fire", 6, 1))
    assert gone(story, "forlorn-1") == [True]
    story.when(says(KING, "move-piece", piece="forlorn-2", path=["21,14"])).then(UnitMoved)


def test_fire_dice_are_rolled_before_the_next_action() -> None:
    """Rule 4b."""
    story = to_actions(table(base(forlorn_1={"range": 20})), "forlorn")
    story.play(says(KING, "fire", piece="forlorn-1", target="blues-3"))
    story.when(says(KING, "move-piece", piece="forlorn-2", path=["21,14"])).then_refused("not-allowed-now", rule="4b")


def test_fire_declared_is_undone_before_its_dice() -> None:
    """Rule 4a."""
    story = to_actions(table(base(forlorn_1={"range": 20})), "forlorn", dice=1)
    story.play(says(KING, "fire", piece="forlorn-1", target="blues-3"), says(KING, "undo")).then_open("4a")
    story.when(says(KING, "fire", piece="forlorn-1", target="blues-4")).then_open("4b")


@pytest.mark.parametrize("order", [("move", "form", "fire"), ("fire", "move", "form"), ("form", "fire", "move")])
def test_actions_come_in_every_order(order: tuple[str, ...]) -> None:
    """Rule 4a: the order is variable."""
    story = to_actions(table(base(forlorn_1={"range": 20})), "forlorn", dice=3)
    orders = {
        "move": says(KING, "move-piece", piece="forlorn-1", path=["19,13"]),
        "form": says(KING, "form", formation="line"),
        "fire": says(KING, "fire", piece="forlorn-1", target="blues-3"),
    }
    for name in order:
        story.then_open("4a").play(orders[name])
        if name == "fire":
            story.play(says(KING, "resolve-fire", 1, 6))
    story.when(says(KING, "special-action", what="cheer")).then_refused("no-action-left", rule="Red Coat")


@pytest.mark.parametrize(("to", "allowed"), [("34,22", True), ("34,22.1", False)])
def test_piece_moves_up_to_its_allowance(to: str, allowed: bool) -> None:
    """Rule 4a: horse moves 12."""
    story = to_actions(table(base(rudds_1={"at": "40,30"})), "carrs-horse", dice=1)
    story.when(says(KING, "move-piece", piece="carrs-1", path=[to]))
    assert (story.refusal is None) is allowed


# --- 4c: close combat -------------------------------------------------------------------------------------------------


def charge(*pairs: tuple[str, str]) -> Story:
    """Put Carr's horse edge to edge with Rudd's, and open 4c."""
    story = face_to_face(to_actions(table(), "carrs-horse"))
    for piece, enemy in pairs:
        story.play(says(KING, "engage", piece=piece, enemy=enemy))
    return finish(story).then_open("4c")


@pytest.mark.parametrize(
    ("pips", "ours", "theirs"),
    [
        ((1, 6), "lost", ""),
        ((1, 5), "disrupted", ""),
        ((2, 4), "disrupted", ""),
        ((3, 4), "", ""),
        ((5, 4), "", ""),
        ((5, 3), "", "disrupted"),
        ((6, 2), "", "disrupted"),
        ((6, 1), "", "lost"),
    ],
)
def test_close_combat_compares_both_totals(pips: tuple[int, int], ours: str, theirs: str) -> None:
    """Rule 4c: a close factor of 2 each."""
    story = charge(("carrs-1", "rudds-1")).play(says(KING, "resolve-close", *pips, piece="carrs-1", enemy="rudds-1"))
    found = [
        "lost" if one.fate else "disrupted" if one.get("disrupted") else ""
        for one in (story.game.units["carrs-1"], story.game.units["rudds-1"])
    ]
    assert found == [ours, theirs]


@pytest.mark.parametrize("pips", [(1, 6), (6, 1)])
def test_close_combat_leaves_a_marker_for_the_destroyed(pips: tuple[int, int]) -> None:
    """Rule 4c."""
    story = charge(("carrs-1", "rudds-1"))
    story.when(says(KING, "resolve-close", *pips, piece="carrs-1", enemy="rudds-1")).then(UnitPlaced)


@pytest.mark.parametrize("order", [("1", "3"), ("3", "1")])
def test_close_combats_of_two_pairs_in_either_order(order: tuple[str, str]) -> None:
    """Rule 4c."""
    story = charge(("carrs-1", "rudds-1"), ("carrs-3", "rudds-3"))
    for number in order:
        story.then_open("4c")
        story.play(says(PARLIAMENT, "resolve-close", 3, 3, piece=f"carrs-{number}", enemy=f"rudds-{number}"))
    story.then_open("5")


def test_close_combat_is_not_left_without_dice() -> None:
    """Rule 4c."""
    charge(("carrs-1", "rudds-1")).when(says(KING, "done")).then_refused("orders-required", rule="4c")


@pytest.mark.parametrize(
    "away",
    [
        says(KING, "move-piece", piece="carrs-1", path=["34,12"]),
        says(KING, "form", formation="column", places={"carrs-1": "34,14"}),
    ],
)
def test_piece_that_left_the_contact_fights_no_close_combat(away: dict[str, Any]) -> None:
    """Rule 4c: each piece in edge-to-edge contact. To refuse the move would do as well."""
    story = face_to_face(to_actions(table(), "carrs-horse", dice=3))
    story.play(says(KING, "engage", piece="carrs-1", enemy="rudds-1")).when(away)
    fights = story.refusal is not None
    finish(story).then_open("4c" if fights else "5")


def test_contact_is_undone_before_its_dice() -> None:
    """Red Coat Rags Attired 4a and 4c."""
    story = face_to_face(to_actions(table(), "carrs-horse"))
    story.play(says(KING, "engage", piece="carrs-1", enemy="rudds-1"), says(KING, "undo"))
    finish(story).then_open("5")


# --- 5: special moves -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pip", "to", "allowed"), [(2, "12,14", True), (2, "12,14.1", False), (3, "12,22", True)])
def test_special_move_is_measured_by_its_moves(pip: int, to: str, allowed: bool) -> None:
    """Rule 5: a move of 8."""
    story = to_special(table()).play(says(KING, "special-move", pip, officer="digby"))
    moves = 1 if pip < 3 else 2
    story.when(says(KING, "move-officer", officer="digby", path=[to], moves=moves))
    assert (story.refusal is None) is allowed


def test_special_move_is_not_rolled_again_with_a_second_unit() -> None:
    """Rule 5: one special move."""
    story = to_special(table()).play(says(KING, "special-move", 1, officer="digby"), says(KING, "done"))
    story.play(says(KING, "done", answer="another"), says(KING, "activate", 6, unit="tyldesley", dice=1))
    story = finish(story)
    story.when(says(KING, "special-move", 6, officer="digby"))
    assert story.refusal is not None


def test_special_move_left_out_is_offered_with_the_next_unit() -> None:
    """Rule 5: may have one."""
    story = to_special(table()).play(says(KING, "done"), says(KING, "done", answer="another"))
    story.play(says(KING, "activate", 6, unit="tyldesley", dice=1))
    finish(story).then_open("5").when(says(KING, "special-move", 3, officer="digby")).then(DiceRolled)


def test_free_co_moves_with_each_wing_but_not_twice_with_one() -> None:
    """Rule 5: left, right, left."""
    story = to_special(table()).play(says(KING, "move-officer", officer="ashby", path=["24,6"]), says(KING, "done"))
    story.play(says(KING, "done", answer="another"), says(KING, "activate", 6, unit="carrs-horse", dice=1))
    finish(story).play(says(KING, "move-officer", officer="ashby", path=["24,8"]), says(KING, "done"))
    story.play(says(KING, "done", answer="another"), says(KING, "activate", 6, unit="tyldesley", dice=1))
    finish(story).when(says(KING, "move-officer", officer="ashby", path=["24,10"]))
    assert story.refusal is not None


def test_free_co_moves_with_the_second_unit_of_a_wing() -> None:
    """Rule 5: one move during the activation of each wing."""
    story = to_special(table()).play(says(KING, "done"), says(KING, "done", answer="another"))
    story.play(says(KING, "activate", 6, unit="tyldesley", dice=1))
    finish(story).when(says(KING, "move-officer", officer="ashby", path=["24,8"])).then(UnitMoved)


def test_special_move_does_not_follow_a_failed_activation() -> None:
    """Red Coat Rags Attired 5 and 6."""
    story = to_activation(table()).play(says(KING, "activate", 1, unit="forlorn", dice=1))
    story.when(says(KING, "special-move", 6, officer="digby")).then_refused("wait-for-side", rule="2a")


def test_special_moves_return_in_the_next_turn() -> None:
    """Red Coat Rags Attired 5 and 12."""
    story = to_special(table()).play(says(KING, "special-move", 1, officer="digby"))
    no_more(no_more(story, KING), PARLIAMENT).then_open("1")
    to_special(story).when(says(KING, "special-move", 5, officer="digby")).then(DiceRolled)


# --- 6, 11 and 12 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second"), SIDES)
def test_phase_of_the_second_player_ends_the_turn(first: str, second: str) -> None:
    """Red Coat Rags Attired 11 and 12."""
    story = no_more(to_phase(table(), first), first).then_open("2a")
    assert waiting(story) == (second,)
    no_more(story, second).then_open("1")
    assert story.game.turn == 2


def test_failed_activation_of_the_second_player_ends_the_turn() -> None:
    """Red Coat Rags Attired 6, 11 and 12."""
    story = no_more(to_phase(table()), KING).play(says(PARLIAMENT, "done"), says(PARLIAMENT, "done"))
    story.when(says(PARLIAMENT, "activate", 1, unit="blues", dice=1)).then_open("1")


def test_unit_activated_this_turn_is_activated_next_turn() -> None:
    """Red Coat Rags Attired 3 and 12."""
    story = no_more(finish(to_actions(table(), "forlorn")), KING)
    no_more(story, PARLIAMENT).then_open("1")
    to_activation(story).when(says(KING, "activate", 6, unit="forlorn", dice=1)).then_open("4a")


@pytest.mark.parametrize(("lost", "ends"), [(6, False), (7, True)])
def test_side_breaks_at_its_number_of_lost_pieces(lost: int, ends: bool) -> None:
    """Rule 12: Parliament breaks at 7."""
    story = to_phase(table())
    names = ["blues-1", "blues-2", "blues-3", "blues-4", "rudds-1", "rudds-2", "rudds-3"][:lost]
    story.given(*(UnitRemoved(unit=name, fate="destroyed") for name in names))
    no_more(no_more(story, KING), PARLIAMENT)
    assert bool(story.game.ended) is ends


def test_pieces_lost_to_a_1_count_for_the_break() -> None:
    """Red Coat Rags Attired 2c and 12."""
    story = disrupt(table(breaks={"king": 1, "parliament": 7}), "forlorn-1")
    to_step(story, "2c").play(says(KING, "rally", 1, piece="forlorn-1"))
    no_more(story, KING).play(says(PARLIAMENT, "done"), says(PARLIAMENT, "done"))
    story.when(says(PARLIAMENT, "done", answer="none")).then(GameEnded, winner=PARLIAMENT)


def test_unit_removed_by_morale_counts_all_its_pieces() -> None:
    """Red Coat Rags Attired 2b and 12."""
    story = disrupt(table(breaks={"king": 4, "parliament": 7}), "tyldesley-1", "tyldesley-2")
    to_step(story, "2b").play(says(KING, "check-morale", 1, unit="tyldesley"))
    no_more(story, KING).play(says(PARLIAMENT, "done"), says(PARLIAMENT, "done"))
    story.when(says(PARLIAMENT, "done", answer="none")).then(GameEnded, winner=PARLIAMENT)


@pytest.mark.parametrize("where", ["1", "2a", "3", "4a", "5"])
def test_die_decides_leaves_the_step_open(where: str) -> None:
    """Rule catch-all."""
    makers = {"1": table, "2a": lambda: to_phase(table()), "3": lambda: to_activation(table())}
    makers |= {"4a": lambda: to_actions(table()), "5": lambda: to_special(table())}
    story = makers[where]()
    odds = {"1..3": "yes", "4..6": "no"}
    story.when(says("referee", "let-die-decide", 4, question="Is the ford deep?", odds=odds)).then(DiceRolled)
    story.then_open(where)


def test_red_cubes_stay_unloaded_from_turn_to_turn() -> None:
    """Red Coat Rags Attired 4b and 12."""
    story = to_actions(table(base(forlorn_1={"range": 20})), "forlorn", dice=1)
    story.play(says(KING, "fire", piece="forlorn-1", target="blues-3"), says(KING, "resolve-fire", 1, 6))
    no_more(no_more(finish(story), KING), PARLIAMENT).then_open("1")
    to_activation(story).play(says(KING, "activate", 6, unit="forlorn", dice=1))
    story.when(says(KING, "fire", piece="forlorn-1", target="blues-3")).then_refused(
        "cannot-fire-unloaded", rule="Red Coat"
    )


def test_steps_without_need_are_passed_for_both_players() -> None:
    """Red Coat Rags Attired 2b to 2d."""
    for side in (KING, PARLIAMENT):
        story = to_phase(table(), side).when(says(side, "done"))
        for label in ("2b", "2c", "2d"):
            story.then(StepPassed, step=label)


# --- steps and sides that must not be confused ------------------------------------------------------------------------


def test_cubes_spent_in_one_phase_are_missing_in_the_next_turn() -> None:
    """Red Coat Rags Attired 2c and 12: without the option they do not return."""
    story = to_step(disrupt(table(), "tyldesley-2"), "2c")
    story.play(says(KING, "rally", 2, piece="tyldesley-2", cubes={"digby": 2}))
    no_more(no_more(story, KING), PARLIAMENT)
    story = to_step(disrupt(story, "tyldesley-2"), "2c")
    story.when(says(KING, "rally", 2, piece="tyldesley-2", cubes={"digby": 1})).then_refused(
        "no-cubes-left", rule="Red Coat"
    )


def test_cubes_of_two_officers_add_up() -> None:
    """Rule 2c."""
    story = to_step(disrupt(table(base(ashby={"reach": 30})), "tyldesley-1"), "2c")
    story.when(says(KING, "rally", 2, piece="tyldesley-1", cubes={"digby": 1, "ashby": 1})).then(DiceRolled, total=4)
    assert not story.game.units["tyldesley-1"].get("disrupted")


def test_officer_that_repositions_reaches_a_piece_for_its_cube() -> None:
    """Red Coat Rags Attired 2a and 2c."""
    story = to_phase(disrupt(table(), "carrs-3"))
    story.play(says(KING, "reposition", officer="ashby", path=["30,7"]), says(KING, "done")).then_open("2c")
    story.when(says(KING, "rally", 2, piece="carrs-3", cubes={"ashby": 1})).then(DiceRolled, total=3)


def test_other_player_fires_at_the_activated_unit_only() -> None:
    """Rule 4."""
    story = to_actions(table(), "forlorn")
    story.when(says(PARLIAMENT, "fire", piece="saker-1", target="tyldesley-4")).then_refused(
        "fire-at-active-unit-only", rule="4"
    )


def test_other_player_does_not_fire_before_an_activation() -> None:
    """Rule 4."""
    story = to_activation(table())
    story.when(says(PARLIAMENT, "fire", piece="saker-1", target="forlorn-1")).then_refused("wait-for-side", rule="3")


def test_other_player_fires_with_every_loaded_piece() -> None:
    """Rule 4."""
    story = to_actions(table(base(blues_4={"range": 20})), "forlorn")
    for piece in ("blues-4", "saker-1"):
        story.play(says(PARLIAMENT, "fire", piece=piece, target="forlorn-1"))
        story.play(says(PARLIAMENT, "resolve-fire", 1, 6))
    story.when(says(KING, "move-piece", piece="forlorn-1", path=["19,14"])).then(UnitMoved)


def test_fire_in_answer_lets_the_unit_finish_again() -> None:
    """Rule 4."""
    story = to_actions(table(), "forlorn").play(says(KING, "done", answer="finished")).then_open("4a.answer")
    story.play(says(PARLIAMENT, "fire", piece="saker-1", target="forlorn-1"))
    story.play(says(PARLIAMENT, "resolve-fire", 1, 6)).then_open("4a")
    story.when(says(KING, "move-piece", piece="forlorn-2", path=["21,14"])).then(UnitMoved)


def test_piece_that_opportunity_fire_disrupts_still_acts() -> None:
    """Red Coat Rags Attired 4a and 4b: the page takes nothing from a disrupted piece but its order."""
    story = to_actions(table(), "forlorn").play(says(PARLIAMENT, "fire", piece="saker-1", target="forlorn-1"))
    story.play(says(PARLIAMENT, "resolve-fire", 2, 2))
    assert story.game.units["forlorn-1"].get("disrupted")
    story.when(says(KING, "move-piece", piece="forlorn-1", path=["19,14"])).then(UnitMoved)


def test_unit_shot_away_while_it_acts_has_not_failed() -> None:
    """Red Coat Rags Attired 4 and 6: the activation succeeded, so another unit may follow."""
    story = to_activation(table(base(forlorn_2={"at": "19,10"})))
    story.given(UnitRemoved(unit="forlorn-2", fate="destroyed"))
    story.play(says(KING, "activate", 6, unit="forlorn", dice=1))
    story.play(says(PARLIAMENT, "fire", piece="saker-1", target="forlorn-1"), says(KING, "resolve-fire", 6, 1))
    if step(story) == "5":
        story.play(says(KING, "done"))
    story.then_open("6").play(says(KING, "done", answer="another"))
    story.when(says(KING, "activate", 6, unit="tyldesley", dice=1)).then_open("4a")


def test_last_line_command_piece_keeps_what_reaches_it() -> None:
    """Rule 2e: a unit that lost pieces keeps the others in command."""
    story = to_step(table(), "2e.move")
    story.given(*(UnitRemoved(unit=f"tyldesley-{number}", fate="destroyed") for number in (1, 2, 3)))
    story.play(says(KING, "done"))
    assert gone(story, "tyldesley-4") == [False]


def test_both_sides_beaten_in_one_turn_draw() -> None:
    """Rule 12."""
    story = to_phase(table(breaks={"king": 1, "parliament": 1}))
    story.given(*(UnitRemoved(unit=name, fate="destroyed") for name in ("carrs-3", "rudds-3")))
    no_more(no_more(story, KING), PARLIAMENT).then(GameEnded, winner="")


def test_last_turn_ends_after_both_phases() -> None:
    """Rule 12: two turns."""
    story = table(victory={"turns": 2})
    for _ in range(2):
        assert not story.game.ended
        no_more(no_more(to_phase(story), KING), PARLIAMENT)
    assert story.game.ended
