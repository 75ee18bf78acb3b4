"""War Galley: situations read from the printed page, sentence by sentence."""

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    GameEnded,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitRemoved,
)
from tests.face.testing import Story
from tests.titles.war_galley_table import (
    battle,
    change,
    finish_activations,
    flag,
    great_harbour,
    says,
    set_all_levels,
    ship,
    tie,
    to_command,
    to_levels,
    to_movement,
    to_squadrons,
)


def fleets(**more: object) -> Story:
    """Begin with two command squadrons a side; Admirals: athens-1 (initiative 2) and syracuse-1 (initiative 1)."""
    return battle(
        flag("athens-1", "0505", "a1", admiral=True, initiative=2, command_range=3),
        ship("athens-2", "0406"),
        flag("athens-3", "0805", "a2"),
        ship("athens-4", "1005"),
        flag("syracuse-1", "0512", "s1", admiral=True, initiative=1, command_range=3),
        ship("syracuse-2", "0411"),
        flag("syracuse-3", "0812", "s2"),
        ship("syracuse-4", "1012"),
        **more,
    )


def duel(apart: str = "0506", *others: dict[str, object], **more: object) -> Story:
    """Start with one individual ship for each side, in adjacent hexes, and others."""
    return battle(ship("athens-1", "0505"), ship("syracuse-1", apart, **more), *others)


def in_hand(table: Story, name: str, seat: str = "") -> Story:
    """Pick the individual ship with a crew that acts freely."""
    seat = seat or name.partition("-")[0]
    table.play(says(seat, "pick", member=name))
    if table.game.cursor.open[0].step == "F.crew":
        table.play(says(seat, "test-crew", 1))
    return table


def rests(table: Story, seat: str) -> Story:
    """End the turn of the active ship without an action."""
    table.play(says(seat, "stay")) if table.game.cursor.opened("F.1") is not None else None
    while table.game.cursor.waiting() == (seat,) and table.game.cursor.open[0].step in {"F.1", "F.2", "F.3"}:
        table.play(says(seat, "done"))
    return table


def squadron(table: Story, seat: str, name: str) -> Story:
    """Pick the squadron and let it stay."""
    table.play(says(seat, "pick", member=name))
    if table.game.cursor.open[0].step == "E.double":
        table.play(says(seat, "done"))
    table.play(says(seat, "stay"))
    while table.game.cursor.waiting() == (seat,) and table.game.cursor.open[0].step in {"E.1", "E.2"}:
        table.play(says(seat, "done"))
    return table


def leave_status(table: Story, until: str) -> Story:
    """End the optional steps of the status phase until that step is open."""
    while table.game.cursor.open[0].step != until and table.game.cursor.open[0].step in {"G.1", "G.2a"}:
        table.play(says(table.game.cursor.waiting()[0], "done"))
    return table.then_open(until)


def waiting(table: Story) -> tuple[str, ...]:
    return table.game.cursor.waiting()


def points(table: Story) -> tuple[int, int]:
    """Return the points of Athens and of Syracuse."""
    return table.game.accounts.get("vp/athens", 0), table.game.accounts.get("vp/syracuse", 0)


# --- A: wind ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["athens", "syracuse"])
def test_wind_by_either_player_is_rolled_for_both(seat: str) -> None:
    """War Galley A."""
    table = great_harbour().when(says(seat, "roll-wind", 3, 4))
    table.then(DiceRolled, dice="2d6", total=7)
    other = "syracuse" if seat == "athens" else "athens"
    table.when(says(other, "roll-wind", 3, 4)).then_refused("not-allowed-now", rule="War Galley")


@pytest.mark.parametrize(
    ("pips", "row"), [((1, 1), "2..4"), ((1, 3), "2..4"), ((1, 4), "5..6"), ((5, 5), "9..10"), ((6, 6), "11..12")]
)
def test_wind_at_the_edges_of_a_row_reads_that_row(pips: tuple[int, int], row: str) -> None:
    """War Galley A."""
    great_harbour().when(says("athens", "roll-wind", *pips)).then(DiceRolled, row=row)


@pytest.mark.parametrize("pips", [(0, 3), (7, 3)])
def test_wind_with_faces_that_a_die_lacks_is_refused(pips: tuple[int, int]) -> None:
    """War Galley A."""
    great_harbour().when(says("athens", "roll-wind", *pips)).then_refused("no-such-face", rule="dice")


def test_wind_by_its_roller_is_not_undone() -> None:
    """War Galley A."""
    table = great_harbour().play(says("athens", "roll-wind", 3, 4))
    table.when(says("athens", "undo")).then_refused("only-the-referee-undoes", rule="undo")
    table.when(says("referee", "undo", why="a die was cocked")).then_open("A")
    table.when(says("syracuse", "roll-wind", 6, 6)).then(DiceRolled, total=12)


# --- B: squadrons -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "squadron_"), [("0505", "a1"), ("0506", None)])
def test_command_range_of_0_reaches_its_own_hex(at: str, squadron_: str | None) -> None:
    """War Galley B [6.1]."""
    table = battle(flag("athens-1", "0505", "a1", command_range=0), ship("athens-2", at), ship("syracuse-1", "1515"))
    to_command(table)
    in_it = table.when(says("athens", "pick", member="a1")).when(says("athens", "stay", ships=["athens-2"]))
    assert (in_it.refusal is None) is (squadron_ is not None)


@pytest.mark.parametrize("chosen", ["left", "middle", "right"])
def test_ship_in_three_ranges_joins_any_of_the_three(chosen: str) -> None:
    """War Galley B [6.1]."""
    table = battle(
        flag("athens-1", "0505", "left"),
        flag("athens-2", "0705", "middle"),
        flag("athens-3", "0605", "right"),
        ship("athens-4", "0606"),
        ship("syracuse-1", "1515"),
    )
    to_squadrons(table).play(says("athens", "join", ship="athens-4", squadron=chosen)).then_open("C.roll")
    table.play(says("athens", "roll-initiative", 6), says("syracuse", "roll-initiative", 1))
    set_all_levels(table.play(says("athens", "name-first", side="athens")))
    table.play(says("athens", "pick", member=chosen))
    table.when(says("athens", "move-ship", ship="athens-4", path=["0607"])).then(UnitMoved, unit="athens-4")


@pytest.mark.parametrize("order", [("athens", "syracuse"), ("syracuse", "athens")])
def test_choices_of_both_sides_come_in_either_order(order: tuple[str, str]) -> None:
    """War Galley B [6.1]."""
    table = to_squadrons(great_harbour())
    wished = {"athens": ("athens-6", "menander"), "syracuse": ("syracuse-6", "agatharchus")}
    for seat in order:
        table.then_open("B.choice").play(says(seat, "join", ship=wished[seat][0], squadron=wished[seat][1]))
    table.then_open("C.roll")


def test_choice_after_undo_is_made_again() -> None:
    """War Galley B [6.1]."""
    table = to_squadrons(great_harbour()).play(says("athens", "join", ship="athens-6", squadron="menander"))
    table.play(says("athens", "undo"))
    assert waiting(table) == ("athens", "syracuse")
    table.when(says("athens", "join", ship="athens-6", squadron="demosthenes")).then(UnitChanged, unit="athens-6")


def test_range_entered_in_e_counts_from_the_next_turn() -> None:
    """War Galley B [6.1]."""
    table = battle(
        flag("athens-1", "0505", "a1"),
        ship("athens-2", "0510"),
        flag("syracuse-1", "1515", "s1"),
    )
    to_command(table)
    squadron(table, "athens", "a1")
    squadron(table, "syracuse", "s1").then_open("F.ship")
    in_hand(table, "athens-2").play(says("athens", "move-ship", ship="athens-2", path=["0509", "0508", "0507"]))
    finish_activations(table).then_open("A")
    to_command(table).play(says("athens", "pick", member="a1"))
    table.when(says("athens", "stay", ships=["athens-2"])).then_accepted()


def test_range_left_in_e_makes_an_individual_next_turn() -> None:
    """War Galley B [6.1]."""
    table = battle(flag("athens-1", "0505", "a1"), ship("athens-2", "0507"), flag("syracuse-1", "1515", "s1"))
    to_command(table).play(says("athens", "pick", member="a1"))
    table.play(says("athens", "move-ship", ship="athens-2", path=["0508"]))
    finish_activations(table).then_open("A")
    to_command(table).play(says("athens", "pick", member="a1"))
    table.when(says("athens", "stay", ships=["athens-2"])).then_refused("not-in-acting-squadron", rule="E.1")


def test_prize_in_two_ranges_is_chosen_by_its_captor() -> None:
    """War Galley B [6.1]."""
    table = battle(
        flag("athens-1", "0505", "left"),
        flag("athens-2", "0705", "right"),
        ship("athens-3", "0606"),
        ship("syracuse-1", "1515"),
        flag("syracuse-2", "1512", "foe"),
    )
    change(table, "athens-3", "captured_by", "athens")
    to_squadrons(table).then_open("B.choice")
    assert waiting(table) == ("athens",)


# --- C: initiative ----------------------------------------------------------------------------------------------------


def test_initiative_tied_by_the_ratings_is_rolled_again() -> None:
    """War Galley C."""
    table = to_squadrons(fleets()).play(says("athens", "roll-initiative", 3))
    table.play(says("syracuse", "roll-initiative", 4)).then_open("C.roll")
    assert set(waiting(table)) == {"athens", "syracuse"}
    table.play(says("syracuse", "roll-initiative", 6), says("athens", "roll-initiative", 5)).then_open("C.roll")
    table.play(says("athens", "roll-initiative", 1), says("syracuse", "roll-initiative", 6)).then_open("C.first")
    assert waiting(table) == ("syracuse",)


@pytest.mark.parametrize(("athens", "syracuse", "winner"), [(4, 4, "athens"), (3, 5, "syracuse"), (5, 5, "athens")])
def test_initiative_is_won_by_the_total_of_die_and_rating(athens: int, syracuse: int, winner: str) -> None:
    """War Galley C."""
    table = to_squadrons(fleets()).play(says("syracuse", "roll-initiative", syracuse))
    table.play(says("athens", "roll-initiative", athens)).then_open("C.first")
    assert waiting(table) == (winner,)


def test_initiative_of_a_commander_without_admiral_adds_0() -> None:
    """War Galley C."""
    table = battle(flag("athens-1", "0505", "a1", initiative=5), ship("syracuse-1", "1515"))
    to_squadrons(table).when(says("athens", "roll-initiative", 3)).then(DiceRolled, total=3)


def test_winner_who_names_the_other_side_goes_second_throughout() -> None:
    """War Galley C, D, E and F."""
    table = battle(
        flag("athens-1", "0505", "a1"),
        ship("athens-9", "0115"),
        flag("syracuse-1", "1015", "s1"),
        ship("syracuse-9", "2015"),
    )
    to_levels(table, "syracuse")
    assert waiting(table) == ("syracuse",)
    set_all_levels(table)
    assert waiting(table) == ("syracuse",)
    squadron(table, "syracuse", "s1")
    squadron(table, "athens", "a1").then_open("F.ship")
    assert waiting(table) == ("syracuse",)


def test_initiative_is_rolled_every_turn() -> None:
    """War Galley C."""
    table = duel("1515")
    finish_activations(to_command(table, "athens")).then_open("A")
    to_squadrons(table).then_open("C.roll")
    table.play(says("athens", "roll-initiative", 1), says("syracuse", "roll-initiative", 2))
    table.when(says("syracuse", "name-first", side="syracuse")).then_accepted()
    assert waiting(table) == ("syracuse",)


@pytest.mark.parametrize(("first", "undone"), [("athens", True), ("syracuse", False)])
def test_first_named_is_undone_until_the_other_side_acts(first: str, undone: bool) -> None:
    """War Galley C."""
    table = to_levels(fleets(), first).when(says("athens", "undo"))
    assert (table.refusal is None) is undone
    assert table.game.cursor.opened("C.first" if undone else "D.level") is not None or not undone


def test_admiral_in_enemy_hands_adds_nothing_to_the_die() -> None:
    """War Galley C and E.2."""
    table = fleets(options={"withdrawal": False})
    change(table, "athens-1", "side", "syracuse")
    change(table, "athens-1", "captured_by", "syracuse")
    to_squadrons(table).when(says("athens", "roll-initiative", 3)).then(DiceRolled, total=3)


# --- D: levels --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["athens", "syracuse"])
def test_levels_alternate_squadron_by_squadron(first: str) -> None:
    """War Galley D [6.22]."""
    table = to_levels(fleets(), first)
    other = "syracuse" if first == "athens" else "athens"
    for seat, name in ((first, 1), (other, 1), (first, 2), (other, 2)):
        assert waiting(table) == (seat,)
        table.play(says(seat, "pick", member=f"{seat[0]}{name}"), says(seat, "set-levels", level="cruise"))
    table.then_open("E.squadron")


def test_level_of_last_turn_is_not_binding() -> None:
    """War Galley D [6.22]."""
    table = to_command(duel("1515"), level="maximum")
    finish_activations(table)
    in_hand(to_command(table, level="cruise"), "athens-1")
    path = ["0506", "0507", "0508", "0509", "0510"]
    table.when(says("athens", "move-ship", ship="athens-1", path=path)).then_refused("path-too-long", rule="F.1 [6.22]")


def test_prize_taken_at_maximum_cruises_next_turn() -> None:
    """War Galley D and E.2."""
    table = duel("0506", ship("syracuse-2", "1515"))
    to_command(table, level="maximum")
    in_hand(table, "athens-1").play(says("athens", "grapple", ship="athens-1", target="syracuse-1"))
    table.play(says("athens", "done"), says("athens", "done"))
    table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
    assert table.game.units["syracuse-1"].get("level") == "cruise"
    finish_activations(table).then_open("A")
    to_levels(table).play(says("athens", "pick", member="syracuse-1"))
    table.when(says("athens", "set-levels", level="maximum")).then_refused(
        "no-maximum", rule="War Galley", reason="captured"
    )
    table.when(says("athens", "set-levels", level="cruise")).then_accepted()


# --- E: command squadrons ---------------------------------------------------------------------------------------------


def test_squadrons_of_two_and_two_alternate_to_the_end() -> None:
    """War Galley E and E.3."""
    table = to_command(fleets(), "syracuse")
    for seat, name in (("syracuse", "s2"), ("athens", "a1"), ("syracuse", "s1"), ("athens", "a2")):
        assert waiting(table) == (seat,)
        squadron(table, seat, name)
    table.then_open("A")


def test_squadron_all_of_whose_ships_are_taken_is_not_moved() -> None:
    """War Galley E.3."""
    table = battle(
        flag("athens-1", "0505", "a1", manpower=6),
        flag("athens-3", "1005", "a2"),
        flag("syracuse-1", "0506", "s1"),
        ship("syracuse-9", "2015"),
    )
    tie(table, "athens-1", "syracuse-1")
    to_command(table).play(says("athens", "pick", member="a1"), says("athens", "done"))
    table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
    assert waiting(table) == ("athens",)
    table.when(says("athens", "pick", member="a2")).then_accepted()


def test_double_activation_moves_both_before_any_boards() -> None:
    """War Galley E and E.2 [6.18]."""
    table = fleets()
    to_command(table).play(says("athens", "pick", member="a2"), says("athens", "activate-both", 4))
    table.play(says("athens", "stay", ships=["athens-1", "athens-2"]))
    table.when(says("athens", "done")).then_refused("orders-required", rule="E.1")
    table.when(says("athens", "stay", ships=["athens-3", "athens-4"])).then_accepted()


def test_double_activation_adds_up_boarders_of_both_squadrons() -> None:
    """War Galley E.2 [6.18]."""
    table = battle(
        flag("athens-1", "0505", "a1", admiral=True, command_range=3, manpower=3),
        flag("athens-3", "0706", "a2", command_range=0),
        flag("syracuse-1", "0606", "s1", manpower=1),
        ship("syracuse-9", "2015"),
    )
    tie(table, "athens-1", "syracuse-1")
    tie(table, "athens-3", "syracuse-1")
    to_command(table).play(says("athens", "pick", member="a2"), says("athens", "activate-both", 6))
    table.play(says("athens", "done")).then_open("E.2")
    table.when(says("athens", "board", 1, 2, ships=["athens-3", "athens-1"], target="syracuse-1"))
    table.then(DiceRolled, total=3 + 3 + 2 - 1)


def test_double_activation_takes_two_squadrons_not_three() -> None:
    """War Galley E [6.18]."""
    table = battle(
        flag("athens-1", "0505", "own", admiral=True, command_range=4),
        flag("athens-2", "0805", "left"),
        flag("athens-3", "0806", "right"),
        flag("syracuse-1", "1515", "s1"),
    )
    to_command(table).play(says("athens", "pick", member="left"), says("athens", "activate-both", 5))
    table.when(says("athens", "activate-both", 5, squadron="right")).then_refused(
        "no-double-activation", rule="E [6.18]", reason="admiral-has-acted"
    )
    table.when(says("athens", "move-ship", ship="athens-3", path=["0906"])).then_refused(
        "not-in-acting-squadron", rule="E.1"
    )


def test_double_activation_of_two_leaves_the_rest_to_alternate() -> None:
    """War Galley E.3 [6.18]."""
    table = to_command(fleets(), "syracuse")
    table.play(says("syracuse", "pick", member="s2"), says("syracuse", "activate-both", 6))
    table.play(says("syracuse", "stay"), says("syracuse", "done"))
    for name in ("a2", "a1"):
        assert waiting(table) == ("athens",)
        squadron(table, "athens", name)
    table.then_open("A")


def test_double_activation_by_the_other_side_needs_its_admiral() -> None:
    """War Galley E [6.18]."""
    table = to_command(fleets()).play(says("athens", "pick", member="a2"))
    table.when(says("syracuse", "activate-both", 6)).then_refused("step-of-another-side", rule="E.double")


def test_double_activation_is_not_undone_by_its_roller() -> None:
    """War Galley E [6.18]."""
    table = to_command(fleets()).play(says("athens", "pick", member="a2"), says("athens", "activate-both", 4))
    table.when(says("athens", "undo")).then_refused("only-the-referee-undoes", rule="undo")


def test_squadron_picked_and_undone_leaves_another_to_pick() -> None:
    """War Galley E."""
    table = to_command(fleets()).play(says("athens", "pick", member="a2"), says("athens", "undo"))
    table.when(says("athens", "pick", member="a1")).then_open("E.1")


def test_move_undone_is_made_another_way() -> None:
    """War Galley E.1."""
    table = to_movement(fleets(), "a1")
    table.play(says("athens", "move-ship", ship="athens-2", path=["0407"]), says("athens", "undo"))
    assert table.game.units["athens-2"].at == "0406"
    table.when(says("athens", "move-ship", ship="athens-2", path=["0306"])).then(UnitMoved, unit="athens-2")


def test_ship_fouled_before_its_turn_holds_only_itself() -> None:
    """War Galley E.1 and G.1 [8.35]."""
    table = battle(
        flag("athens-1", "0505", "a1"),
        flag("syracuse-1", "0506", "s1"),
        ship("syracuse-2", "0507"),
    )
    to_command(table).play(says("athens", "pick", member="a1"))
    table.play(says("athens", "foul", ship="athens-1", target="syracuse-1"), says("athens", "done"))
    table.play(says("syracuse", "pick", member="s1"))
    table.when(says("syracuse", "move-ship", ship="syracuse-1", path=["0606"])).then_refused(
        "cannot-move", rule="E.1", reason="fouled"
    )
    table.when(says("syracuse", "move-ship", ship="syracuse-2", path=["0508"])).then(UnitMoved, unit="syracuse-2")


def test_rammed_ship_afloat_still_moves() -> None:
    """War Galley E.1."""
    table = duel("0506")
    to_command(table)
    in_hand(table, "athens-1").play(says("athens", "ram", ship="athens-1", target="syracuse-1"))
    rests(table, "athens")
    in_hand(table, "syracuse-1")
    table.when(says("syracuse", "move-ship", ship="syracuse-1", path=["0507"])).then(UnitMoved)


# --- E.2: boarding ----------------------------------------------------------------------------------------------------


def boarders(ours: int = 1, **more: object) -> Story:
    """Open E.2 with athens-1 grappled to syracuse-1."""
    table = battle(
        flag("athens-1", "0505", "a1", manpower=ours),
        flag("syracuse-1", "0506", "s1", **more),
        ship("syracuse-9", "2015"),
    )
    tie(table, "athens-1", "syracuse-1")
    return to_command(table).play(says("athens", "pick", member="a1"), says("athens", "done"))


def test_boarding_with_manpower_1_is_allowed() -> None:
    """War Galley E.2."""
    boarders(1).then_open("E.2").when(says("athens", "board", 2, 2, ships=["athens-1"], target="syracuse-1")).then(
        DiceRolled, total=2 + 2 + 1 - 2
    )


def test_boarding_of_a_ship_without_manpower_still_takes_dice() -> None:
    """War Galley E.2."""
    table = boarders(1, manpower=0).when(says("athens", "board", 1, 1, ships=["athens-1"], target="syracuse-1"))
    table.then(DiceRolled, total=3, row="5 or less")
    assert table.game.units["syracuse-1"].side == "syracuse"


def test_ship_that_was_grappled_boards_in_its_own_turn() -> None:
    """War Galley E.2."""
    table = boarders(1).play(says("athens", "done")).play(says("syracuse", "pick", member="s1"))
    table.play(says("syracuse", "done")).then_open("E.2")
    table.when(says("syracuse", "board", 5, 5, ships=["syracuse-1"], target="athens-1"))
    table.then(UnitChanged, unit="athens-1", attribute="side", after="syracuse")


def test_three_ships_board_one_with_all_their_manpower() -> None:
    """War Galley E.2."""
    table = battle(
        flag("athens-1", "0505", "a1", manpower=1),
        ship("athens-2", "0507", manpower=2),
        ship("athens-3", "0606", manpower=3),
        flag("syracuse-1", "0506", "s1", manpower=2),
        ship("syracuse-9", "2015"),
    )
    for name in ("athens-1", "athens-2", "athens-3"):
        tie(table, name, "syracuse-1")
    to_command(table).play(says("athens", "pick", member="a1"), says("athens", "done"))
    all_three = ["athens-1", "athens-2", "athens-3"]
    table.when(says("athens", "board", 1, 1, ships=all_three, target="syracuse-1")).then(DiceRolled, total=2 + 6 - 2)
    assert sum(isinstance(event, DiceRolled) for event in table.events) == 1


def test_manpower_1_is_not_split_over_two() -> None:
    """War Galley E.2."""
    table = battle(
        flag("athens-1", "0505", "a1", manpower=1),
        flag("syracuse-1", "0506", "s1"),
        ship("syracuse-2", "0504"),
    )
    tie(table, "athens-1", "syracuse-1")
    tie(table, "athens-1", "syracuse-2")
    to_command(table).play(says("athens", "pick", member="a1"), says("athens", "done"))
    table.play(says("athens", "board", 3, 3, ships=["athens-1"], target="syracuse-1"))
    assert table.game.cursor.open[0].step != "E.2"


def test_prize_with_the_split_failed_is_one_of_two() -> None:
    """War Galley E.2."""
    table = battle(
        flag("athens-1", "0505", "a1", manpower=4),
        flag("syracuse-1", "0506", "s1"),
        ship("syracuse-2", "0504"),
    )
    tie(table, "athens-1", "syracuse-1")
    tie(table, "athens-1", "syracuse-2")
    to_command(table).play(says("athens", "pick", member="a1"), says("athens", "done"))
    half = {"athens-1": 2}
    table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-2", send=half))
    table.when(says("athens", "board", 1, 1, ships=["athens-1"], target="syracuse-1", send=half))
    table.then(DiceRolled, row="5 or less")
    assert (table.game.units["syracuse-2"].side, table.game.units["syracuse-1"].side) == ("athens", "syracuse")


def test_boarding_is_not_undone_by_its_roller() -> None:
    """War Galley E.2."""
    table = boarders(1).play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
    table.when(says("athens", "undo")).then_refused("only-the-referee-undoes", rule="undo")


@pytest.mark.parametrize(("wind", "far"), [((1, 1), 2), ((2, 3), 1), ((3, 4), 2), ((6, 6), 3)])
def test_prize_under_sail_goes_half_the_wind(wind: tuple[int, int], far: int) -> None:
    """War Galley E.2: winds of 3, 2, 4 and 5."""
    table = battle(ship("athens-1", "0505"), ship("syracuse-1", "0509", natural_sails=True), ship("syracuse-2", "1515"))
    change(table, "syracuse-1", "side", "athens")
    change(table, "syracuse-1", "captured_by", "athens")
    to_squadrons(table, wind)
    table.play(says("athens", "roll-initiative", 6), says("syracuse", "roll-initiative", 1))
    set_all_levels(table.play(says("athens", "name-first", side="athens")))
    table.play(says("athens", "pick", member="syracuse-1"))
    if table.game.cursor.open[0].step == "F.crew":
        table.play(says("athens", "test-crew", 1))
    path = ["0508", "0507", "0506", "0605"]
    change(table, "syracuse-1", "crew", 6)
    table.when(says("athens", "move-ship", ship="syracuse-1", path=path[: far + 1]))
    assert table.refusal is not None
    table.when(says("athens", "move-ship", ship="syracuse-1", path=path[:far])).then_accepted()


def test_squadron_that_lost_its_flagship_still_goes() -> None:
    """War Galley E.3."""
    table = battle(
        flag("athens-1", "0505", "a1"),
        flag("syracuse-1", "0506", "s1"),
        ship("syracuse-2", "0507"),
        options={"withdrawal": False},
    )
    tie(table, "athens-1", "syracuse-1")
    to_command(table).play(says("athens", "pick", member="a1"), says("athens", "done"))
    table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
    table.play(says("syracuse", "pick", member="s1"))
    table.when(says("syracuse", "move-ship", ship="syracuse-1", path=["0406"])).then_refused(
        "ship-of-other-side", rule="E.1"
    )
    table.when(says("syracuse", "move-ship", ship="syracuse-2", path=["0508"])).then(UnitMoved)
    finish_activations(table).then_open("A")
    to_command(table, "syracuse").then_open("E.squadron")
    assert waiting(table) == ("athens",)


def test_boarding_segment_without_manpower_is_passed() -> None:
    """War Galley E.2: boarding requires at least an M1 rating."""
    table = battle(
        flag("athens-1", "0505", "a1", manpower=0), flag("syracuse-1", "0506", "s1"), ship("syracuse-9", "2015")
    )
    tie(table, "athens-1", "syracuse-1")
    to_command(table).play(says("athens", "pick", member="a1"))
    table.when(says("athens", "done")).then_open("E.squadron")


@pytest.mark.parametrize("manpower", [0, 1])
def test_single_ship_boards_only_with_manpower(manpower: int) -> None:
    """War Galley F.3: boarding requires at least an M1 rating."""
    table = battle(ship("athens-1", "0505", manpower=manpower), ship("syracuse-1", "0506"))
    tie(table, "athens-1", "syracuse-1")
    in_hand(to_command(table), "athens-1").play(says("athens", "done")).then_open("F.2")
    table.when(says("athens", "done")).then_open("F.3" if manpower else "F.ship")


def test_prize_without_manpower_cannot_board() -> None:
    """War Galley E.2: a captured ship has manpower 0."""
    table = duel("0506", ship("syracuse-2", "0507"), ship("athens-2", "1505"))
    tie(table, "athens-1", "syracuse-1")
    tie(table, "syracuse-2", "syracuse-1")
    in_hand(to_command(table), "athens-1").play(says("athens", "done"), says("athens", "done"))
    table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
    finish_activations(table).then_open("A")
    in_hand(to_command(table), "syracuse-1", "athens")
    table.play(says("athens", "done"), says("athens", "done"))
    table.when(says("athens", "board", 6, 6, ships=["syracuse-1"], target="syracuse-2")).then_refused(
        "wait-for-side", rule="War Galley"
    )


# --- F: individual squadrons ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "die"), [("0505", False), ("0506", False), ("0507", True)])
def test_crew_rolls_unless_an_enemy_is_adjacent(at: str, die: bool) -> None:
    """War Galley F [6.16]."""
    table = to_command(duel(at)).play(says("athens", "pick", member="athens-1"))
    table.then_open("F.crew" if die else "F.1")


def test_prize_of_the_enemy_next_to_a_ship_spares_its_die() -> None:
    """War Galley F [6.16]."""
    table = battle(ship("athens-1", "0505"), ship("athens-2", "0506"), ship("syracuse-1", "1515"))
    change(table, "athens-2", "side", "syracuse")
    change(table, "athens-2", "captured_by", "syracuse")
    to_command(table).play(says("athens", "pick", member="athens-1")).then_open("F.1")


@pytest.mark.parametrize(("crew", "pip", "free"), [(6, 6, True), (5, 6, False), (1, 1, True), (1, 2, False)])
def test_crew_rating_is_the_limit_of_its_die(crew: int, pip: int, free: bool) -> None:
    """War Galley F [6.16]."""
    table = to_command(battle(ship("athens-1", "0505", crew=crew), ship("syracuse-1", "0507")), level="maximum")
    table.play(says("athens", "pick", member="athens-1")).when(says("athens", "test-crew", pip))
    table.then(DiceRolled, outcome="acts freely") if free else table.then(UnitChanged, after="cruise")
    table.when(says("athens", "move-ship", ship="athens-1", path=["0506"]))
    assert (table.refusal is None) is free


def test_failed_crew_may_stay_or_move_next_to_friends() -> None:
    """War Galley F [6.16]."""
    table = battle(ship("athens-1", "0505"), ship("athens-2", "0507"), ship("syracuse-1", "1515"))
    to_command(table).play(says("athens", "pick", member="athens-1"), says("athens", "test-crew", 6))
    table.when(says("athens", "move-ship", ship="athens-1", path=["0506"])).then(UnitMoved)


def test_failed_crew_goes_no_farther_than_cruise() -> None:
    """War Galley F [6.16]."""
    table = to_command(duel("1515"), level="maximum").play(says("athens", "pick", member="athens-1"))
    table.play(says("athens", "test-crew", 6))
    path = ["0506", "0507", "0508", "0509", "0510"]
    table.when(says("athens", "move-ship", ship="athens-1", path=path)).then_refused("path-too-long", rule="War Galley")
    table.when(says("athens", "move-ship", ship="athens-1", path=path[:4])).then(UnitMoved)


def test_failed_crew_counts_for_this_turn_only() -> None:
    """War Galley F [6.16]."""
    table = to_command(duel("0508")).play(says("athens", "pick", member="athens-1"), says("athens", "test-crew", 6))
    table.when(says("athens", "move-ship", ship="athens-1", path=["0506", "0507"])).then_refused(
        "restrained", rule="F [6.16]"
    )
    finish_activations(table)
    to_command(table).play(says("athens", "pick", member="athens-1"), says("athens", "test-crew", 1))
    table.when(says("athens", "move-ship", ship="athens-1", path=["0506", "0507"])).then(UnitMoved)


@pytest.mark.parametrize("seat", ["syracuse", "referee"])
def test_crew_is_tested_for_its_owner(seat: str) -> None:
    """War Galley F [6.16]."""
    table = to_command(duel("1515")).play(says("athens", "pick", member="athens-1"))
    table.when(says(seat, "test-crew", 1)).then_refused(rule="F.crew")


def test_ship_taken_before_its_turn_is_skipped() -> None:
    """War Galley F.3 and F.4."""
    table = duel("0506", ship("athens-2", "1005"), ship("syracuse-2", "1515"))
    tie(table, "athens-1", "syracuse-1")
    in_hand(to_command(table), "athens-1").play(says("athens", "done"), says("athens", "done"))
    table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
    table.when(says("syracuse", "pick", member="syracuse-1")).then_refused("no-such-member", rule="F.ship")
    rests(in_hand(table, "syracuse-2"), "syracuse")
    rests(in_hand(table, "athens-2"), "athens").then_open("A")


def test_grapple_in_f1_is_boarded_in_f3() -> None:
    """War Galley F.1 and F.3."""
    table = to_command(duel("0506", ship("syracuse-2", "1515")))
    in_hand(table, "athens-1").play(says("athens", "grapple", ship="athens-1", target="syracuse-1"))
    table.when(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1")).then_refused(
        "not-allowed-now", rule="F."
    )
    table.play(says("athens", "done")).then_open("F.2").play(says("athens", "done")).then_open("F.3")


# --- G.1: disengaging -------------------------------------------------------------------------------------------------


def status(*ties: tuple[str, str], how: str = "fouled", **facts: dict[str, object]) -> Story:
    """Begin G with two ships a side, tied as named, none moved; `facts` by ship, `_` for a hyphen."""
    table = battle(
        ship("athens-1", "0505"), ship("athens-2", "0705"), ship("syracuse-1", "0506"), ship("syracuse-2", "0706")
    )
    for one, other in ties:
        tie(table, one, other, how)
    for name, changes in facts.items():
        for attribute, value in changes.items():
            change(table, name.replace("_", "-"), attribute, value)
    return finish_activations(to_command(table))


def test_disengaging_goes_in_either_order() -> None:
    """War Galley G.1 [8.35]."""
    for first, second in (("athens", "syracuse"), ("syracuse", "athens")):
        table = status(("athens-1", "syracuse-1"), ("athens-2", "syracuse-2"))
        table.play(says(first, "disengage", 4, ship=f"{first}-1")).then_open("G.1")
        table.when(says(second, "disengage", 4, ship=f"{second}-2")).then_open("A")
        assert not table.game.units["athens-2"].names("fouled")


def test_disengaging_failed_is_tried_again_next_turn() -> None:
    """War Galley G.1 [8.35]."""
    table = status(("athens-1", "athens-2")).play(says("athens", "disengage", 1, ship="athens-1"))
    table.play(says("athens", "disengage", 1, ship="athens-2")).then_open("A")
    finish_activations(to_command(table)).then_open("G.1")
    table.when(says("athens", "disengage", 4, ship="athens-1")).then_open("A")


def test_freed_ship_moves_in_the_next_turn() -> None:
    """War Galley G.1 [8.35]."""
    table = status(("athens-1", "syracuse-1")).play(says("athens", "disengage", 6, ship="athens-1"))
    in_hand(to_command(table), "athens-1")
    table.when(says("athens", "move-ship", ship="athens-1", path=["0504"])).then(UnitMoved)


def test_grappled_ships_are_not_asked_to_disengage() -> None:
    """War Galley G.1 [8.35]."""
    table = to_command(duel("0506"))
    in_hand(table, "athens-1").play(says("athens", "grapple", ship="athens-1", target="syracuse-1"))
    finish_activations(table).then_open("A")
    assert table.game.units["athens-1"].names("grappled") == ("syracuse-1",)


# --- G.2: fires and masts ---------------------------------------------------------------------------------------------


def test_fire_on_a_prize_is_fought_by_its_captor() -> None:
    """War Galley G.2a [8.54]."""
    table = status(syracuse_1={"side": "athens", "captured_by": "athens", "fire": True}).then_open("G.2a")
    assert waiting(table) == ("athens",)
    table.when(says("athens", "fight-fire", 6, ship="syracuse-1")).then(UnitChanged, attribute="fire", after=None)


def test_fires_of_both_sides_are_fought_in_either_order() -> None:
    """War Galley G.2a [8.54]."""
    for order in (("athens", "syracuse"), ("syracuse", "athens")):
        table = status(athens_1={"fire": True}, syracuse_1={"fire": True})
        for seat in order:
            table.then_open("G.2a").play(says(seat, "fight-fire", 5, ship=f"{seat}-1"))
        table.then_open("A")


def test_fire_not_put_out_is_fought_again_next_turn() -> None:
    """War Galley G.2a [8.54]."""
    table = status(athens_1={"fire": True}).play(says("athens", "fight-fire", 4, ship="athens-1")).then_open("A")
    finish_activations(to_command(table)).then_open("G.2a")
    table.when(says("athens", "fight-fire", 5, ship="athens-1")).then(UnitChanged, attribute="fire", after=None)


@pytest.mark.parametrize(
    ("pip", "sails", "burns"), [(3, True, False), (4, True, True), (4, False, False), (5, False, True)]
)
def test_sails_raised_in_play_count_for_fire(pip: int, sails: bool, burns: bool) -> None:
    """War Galley G.2b [8.55]."""
    table = duel("0506")
    change(table, "syracuse-1", "fire", True)
    in_hand(to_command(table), "athens-1")
    if sails:
        table.play(says("athens", "set-sails", ship="athens-1", to="up"))
    table.play(says("athens", "grapple", ship="athens-1", target="syracuse-1"))
    leave_status(finish_activations(table), "G.2b").play(says("athens", "check-spread", pip))
    assert bool(table.game.units["athens-1"].get("fire")) is burns


@pytest.mark.parametrize(("pip", "burns"), [(4, False), (5, True)])
def test_sails_lowered_in_play_do_not_count_for_fire(pip: int, burns: bool) -> None:
    """War Galley G.2b [8.55]."""
    table = battle(ship("athens-1", "0505", sails_up=True), ship("syracuse-1", "0506"))
    change(table, "syracuse-1", "fire", True)
    in_hand(to_command(table), "athens-1").play(says("athens", "set-sails", ship="athens-1", to="down"))
    table.play(says("athens", "grapple", ship="athens-1", target="syracuse-1"))
    leave_status(finish_activations(table), "G.2b").play(says("athens", "check-spread", pip))
    assert bool(table.game.units["athens-1"].get("fire")) is burns


def test_sails_of_the_burning_ship_add_nothing() -> None:
    """War Galley G.2b [8.55]."""
    table = status(("athens-1", "syracuse-1"), how="grappled", syracuse_1={"fire": True, "sails": "up"})
    leave_status(table, "G.2b").when(says("athens", "check-spread", 4)).then(DiceRolled, total=4, outcome="no fire")


def test_fire_spreads_between_ships_of_one_side() -> None:
    """War Galley G.2b [8.55]."""
    table = status(("athens-1", "athens-2"), athens_1={"fire": True})
    leave_status(table, "G.2b").when(says("athens", "check-spread", 5))
    table.then(UnitChanged, unit="athens-2", attribute="fire", after=True)


def test_fire_put_out_next_to_another_fire_is_exposed_again() -> None:
    """War Galley G.2a and G.2b."""
    table = status(("athens-1", "syracuse-1"), athens_1={"fire": True}, syracuse_1={"fire": True})
    while table.game.cursor.open[0].step == "G.1":
        table.play(says(waiting(table)[0], "done"))
    table.play(says("athens", "fight-fire", 6, ship="athens-1"), says("syracuse", "done")).then_open("G.2b")
    table.when(says("athens", "check-spread", 5)).then(UnitChanged, unit="athens-1", attribute="fire", after=True)


def test_fire_next_to_a_freed_ship_does_not_spread() -> None:
    """War Galley G.1 and G.2b."""
    table = status(("athens-1", "syracuse-1"), athens_1={"fire": True})
    table.play(says("syracuse", "disengage", 6, ship="syracuse-1")).then_open("G.2a")
    table.when(says("athens", "done")).then(StepPassed, step="G.2b")


def test_masts_fallen_in_a_collision_rise_at_the_end_of_the_turn() -> None:
    """War Galley G.2c."""
    table = battle(ship("athens-1", "0505", sails_up=True), ship("syracuse-1", "0506"))
    in_hand(to_command(table), "athens-1")
    table.play(says("athens", "foul", ship="athens-1", target="syracuse-1"))
    assert table.game.units["athens-1"].get("masts_down")
    finish_activations(table).then_open("G.1")
    table.play(says("athens", "done"), says("syracuse", "done")).then_open("A")
    assert not table.game.units["athens-1"].get("masts_down")


# --- G.3 and G.4 ------------------------------------------------------------------------------------------------------


def test_fatigue_of_this_turn_is_reduced_in_the_same_turn() -> None:
    """War Galley F.2 and G.3."""
    table = to_command(duel("1515"))
    in_hand(table, "athens-1").play(says("athens", "stay"), says("athens", "done"))
    table.play(says("athens", "tire", ships=["athens-1"], counters=3))
    finish_activations(table).then_open("A")
    assert table.game.units["athens-1"].get("fatigue") == 2


@pytest.mark.parametrize("pip", [1, 2, 3, 4, 5])
def test_rammed_ship_floats_on_anything_but_6(pip: int) -> None:
    """War Galley G.4 [7.17]."""
    table = status(athens_1={"rammed": True}).when(says("athens", "check-sinking", pip)).then_open("A")
    assert not table.game.units["athens-1"].fate


def test_rammed_ships_of_both_sides_are_rolled_in_either_order() -> None:
    """War Galley G.4 [7.17]."""
    for order in (("athens", "syracuse"), ("syracuse", "athens")):
        table = status(athens_1={"rammed": True}, syracuse_1={"rammed": True})
        for seat in order:
            table.then_open("G.4").play(says(seat, "check-sinking", 5))
        table.then_open("A")


def test_rammed_prize_is_rolled_for_by_its_captor() -> None:
    """War Galley G.4 [7.17]."""
    table = status(syracuse_1={"side": "athens", "captured_by": "athens", "rammed": True}).then_open("G.4")
    table.when(says("syracuse", "check-sinking", 6, ship="syracuse-1")).then_refused("step-of-another-side", rule="G.4")
    table.when(says("athens", "check-sinking", 6)).then(UnitRemoved, unit="syracuse-1", fate="sunk")


def test_ship_cast_off_before_sinking_stays_afloat() -> None:
    """War Galley G.4 [7.17]."""
    table = duel("0506", ship("syracuse-2", "1515"))
    tie(table, "athens-1", "syracuse-1")
    change(table, "syracuse-1", "rammed", True)
    in_hand(to_command(table), "athens-1").play(says("athens", "cast-off", ship="athens-1", target="syracuse-1"))
    finish_activations(table).then_open("G.4").when(says("syracuse", "check-sinking", 6))
    table.then_not(UnitRemoved, unit="athens-1").then(UnitRemoved, unit="syracuse-1")


def test_prize_that_sinks_takes_its_captor_down() -> None:
    """War Galley G.4 [7.17]."""
    table = duel("0506", ship("athens-2", "1505"), ship("syracuse-2", "1515"))
    tie(table, "athens-1", "syracuse-1")
    change(table, "syracuse-1", "rammed", True)
    in_hand(to_command(table), "athens-1").play(says("athens", "done"), says("athens", "done"))
    table.play(says("athens", "board", 6, 6, ships=["athens-1"], target="syracuse-1"))
    finish_activations(table).then_open("G.4").when(says("athens", "check-sinking", 6))
    table.then(UnitRemoved, unit="athens-1", fate="sunk")


def test_ship_sunk_with_another_leaves_its_own_ties() -> None:
    """War Galley G.4 [7.17]: partners of partners float."""
    table = status(
        ("athens-1", "syracuse-1"),
        ("syracuse-1", "athens-2"),
        how="grappled",
        athens_1={"rammed": True},
    ).play(says("athens", "check-sinking", 6))
    assert [table.game.units[name].fate for name in ("athens-1", "syracuse-1", "athens-2")] == ["sunk", "sunk", ""]
    assert not table.game.units["athens-2"].names("grappled")


# --- H: victory -------------------------------------------------------------------------------------------------------


def ram(table: Story, one: str, other: str) -> Story:
    in_hand(table, one).play(says(one.partition("-")[0], "ram", ship=one, target=other))
    return rests(table, one.partition("-")[0])


def board(table: Story, one: str, other: str) -> Story:
    """Let the ship whose turn it is take another that is grappled to it."""
    seat = table.game.units[one].side
    in_hand(table, one, seat)
    table.play(says(seat, "done"), says(seat, "done")).then_open("F.3")
    return table.play(says(seat, "board", 6, 6, ships=[one], target=other))


@pytest.mark.parametrize("defense", [1, 5])
def test_rammed_enemy_is_worth_its_ram_defense(defense: int) -> None:
    """War Galley H.a."""
    table = ram(to_command(duel("0506", ram_defense=defense)), "athens-1", "syracuse-1")
    finish_activations(table).play(says("syracuse", "check-sinking", 1))
    assert points(table) == (defense, 0)


def test_rammed_enemy_that_sinks_is_not_counted_twice() -> None:
    """War Galley H.a."""
    table = ram(to_command(duel("0506", ship("syracuse-2", "1515"))), "athens-1", "syracuse-1")
    finish_activations(table).play(says("syracuse", "check-sinking", 5))
    finish_activations(to_command(table)).play(says("syracuse", "check-sinking", 6))
    assert points(table) == (3, 0)


def test_ships_that_rammed_each_other_are_worth_points_to_both() -> None:
    """War Galley H.a."""
    table = ram(ram(to_command(duel("0506", ram_defense=5)), "athens-1", "syracuse-1"), "syracuse-1", "athens-1")
    finish_activations(table).play(says("athens", "check-sinking", 1), says("syracuse", "check-sinking", 1))
    assert points(table) == (5, 3)


def test_prize_that_was_rammed_too_counts_as_captured() -> None:
    """War Galley H.b."""
    table = duel("0506", ship("athens-2", "0605"), ship("syracuse-2", "1515"))
    tie(table, "athens-2", "syracuse-1")
    ram(to_command(table), "athens-1", "syracuse-1")
    rests(in_hand(table, "syracuse-2"), "syracuse")
    board(table, "athens-2", "syracuse-1")
    finish_activations(table).play(says("athens", "check-sinking", 1)).then_open("A")
    assert points(table) == (4, 0)


def test_prize_that_sinks_keeps_its_points() -> None:
    """War Galley H.b."""
    table = duel("0506", ship("syracuse-2", "1515"))
    tie(table, "athens-1", "syracuse-1")
    board(to_command(table), "athens-1", "syracuse-1")
    finish_activations(table).then_open("A")
    assert points(table) == (4, 0)
    change(table, "syracuse-1", "rammed", True)
    finish_activations(to_command(table))
    table.play(says("athens", "check-sinking", 6))
    assert points(table)[0] == 4


def test_prize_retaken_still_counts_as_rammed() -> None:
    """War Galley H.a and H.b: the points for the capture are lost, those for the ram are not."""
    table = duel("0506", ship("athens-2", "0605"), ship("syracuse-2", "0507"), ship("syracuse-3", "1515"))
    tie(table, "athens-2", "syracuse-1")
    tie(table, "syracuse-2", "syracuse-1")
    ram(to_command(table), "athens-1", "syracuse-1")
    rests(in_hand(table, "syracuse-3"), "syracuse")
    board(table, "athens-2", "syracuse-1")
    board(table, "syracuse-2", "syracuse-1")
    finish_activations(table).play(says("syracuse", "check-sinking", 1)).then_open("A")
    assert points(table) == (3, 0)


def test_prize_retaken_next_turn_leaves_the_points_of_the_ram() -> None:
    """War Galley H.a and H.b."""
    table = duel("0506", ship("athens-2", "0605"), ship("syracuse-2", "0507"), ship("syracuse-3", "1515"))
    tie(table, "athens-2", "syracuse-1")
    tie(table, "syracuse-2", "syracuse-1")
    ram(to_command(table), "athens-1", "syracuse-1")
    rests(in_hand(table, "syracuse-3"), "syracuse")
    board(table, "athens-2", "syracuse-1")
    finish_activations(table).play(says("athens", "check-sinking", 1)).then_open("A")
    assert points(table) == (4, 0)
    board(to_command(table, "syracuse"), "syracuse-2", "syracuse-1")
    finish_activations(table).play(says("syracuse", "check-sinking", 1)).then_open("A")
    assert points(table) == (3, 0)


def test_prize_rammed_by_its_old_side_counts_for_both() -> None:
    """War Galley H.a and H.b."""
    table = duel("0506", ship("syracuse-2", "0507"))
    tie(table, "athens-1", "syracuse-1")
    board(to_command(table), "athens-1", "syracuse-1")
    ram(table, "syracuse-2", "syracuse-1")
    finish_activations(table).play(says("athens", "check-sinking", 1)).then_open("A")
    assert points(table) == (4, 3)


def test_prize_taken_twice_changes_hands_without_points_left() -> None:
    """War Galley H.b: taken and taken back in one turn."""
    table = duel("0506", ship("syracuse-2", "0507"))
    tie(table, "athens-1", "syracuse-1")
    tie(table, "syracuse-2", "syracuse-1")
    board(to_command(table), "athens-1", "syracuse-1")
    board(table, "syracuse-2", "syracuse-1")
    finish_activations(table).then_open("A")
    assert points(table) == (0, 0)


def test_enemy_aground_and_then_taken_is_worth_one_more() -> None:
    """War Galley H.a and H.b."""
    table = to_command(duel("0506", ship("syracuse-2", "1515")), "syracuse")
    in_hand(table, "syracuse-1").play(says("syracuse", "run-aground", ship="syracuse-1"))
    finish_activations(table).then_open("A")
    assert points(table) == (3, 0)
    tie(table, "athens-1", "syracuse-1")
    board(to_command(table), "athens-1", "syracuse-1")
    finish_activations(table).then_open("A")
    assert points(table) == (4, 0)


def test_points_one_below_the_limit_end_nothing() -> None:
    """War Galley H."""
    for limit, over in ((4, False), (3, True)):
        table = battle(
            ship("athens-1", "0505"), ship("syracuse-1", "0506"), ship("syracuse-2", "1515"), victory={"points": limit}
        )
        ram(to_command(table), "athens-1", "syracuse-1")
        finish_activations(table).when(says("syracuse", "check-sinking", 1))
        assert bool(table.game.ended) is over


def test_equal_points_at_the_limit_have_no_winner() -> None:
    """War Galley H."""
    table = battle(ship("athens-1", "0505"), ship("syracuse-1", "0506"), victory={"points": 3})
    ram(ram(to_command(table), "athens-1", "syracuse-1"), "syracuse-1", "athens-1")
    finish_activations(table).play(says("athens", "check-sinking", 1)).when(says("syracuse", "check-sinking", 1))
    table.then(GameEnded, winner="")


def test_more_points_at_the_limit_win() -> None:
    """War Galley H."""
    table = battle(ship("athens-1", "0505"), ship("syracuse-1", "0506", ram_defense=5), victory={"points": 3})
    ram(ram(to_command(table), "athens-1", "syracuse-1"), "syracuse-1", "athens-1")
    finish_activations(table).play(says("athens", "check-sinking", 1)).when(says("syracuse", "check-sinking", 1))
    table.then(GameEnded, winner="athens")


def test_points_are_counted_once_a_turn_at_its_end() -> None:
    """War Galley H."""
    table = ram(to_command(duel("0506", ship("syracuse-2", "1515"))), "athens-1", "syracuse-1")
    assert points(table) == (0, 0)
    finish_activations(table).when(says("syracuse", "check-sinking", 1))
    table.then(AccountChanged, account="vp/athens", amount=3, rule="H.a")


def test_prize_run_aground_by_its_captor_keeps_the_capture() -> None:
    """War Galley H.a and H.b: lost only if recaptured."""
    table = duel("0506", ship("syracuse-2", "1515"))
    tie(table, "athens-1", "syracuse-1")
    board(to_command(table), "athens-1", "syracuse-1")
    finish_activations(table).then_open("A")
    in_hand(to_command(table), "syracuse-1", "athens").play(says("athens", "run-aground", ship="syracuse-1"))
    finish_activations(table).then_open("A")
    assert points(table)[0] == 4


def test_ship_dragged_down_after_a_ram_keeps_the_points() -> None:
    """War Galley H.a."""
    table = duel("0506", ship("athens-2", "1505"), ship("syracuse-2", "1515"))
    tie(table, "athens-1", "syracuse-1")
    change(table, "athens-1", "rammed", True)
    change(table, "athens-1", "worth_to", "syracuse")
    change(table, "syracuse-1", "rammed", True)
    change(table, "syracuse-1", "worth_to", "athens")
    finish_activations(to_command(table)).play(says("athens", "check-sinking", 6), says("syracuse", "check-sinking", 1))
    assert points(table.then_open("A")) == (3, 3)


def test_prize_rammed_by_both_sides_counts_for_both() -> None:
    """War Galley H.a and H.b: rammed and taken by Athens, then rammed by Syracuse."""
    table = battle(
        ship("athens-1", "0505"),
        ship("athens-2", "0605"),
        ship("syracuse-1", "0506"),
        ship("syracuse-2", "0507"),
        ship("syracuse-3", "1515"),
    )
    tie(table, "athens-2", "syracuse-1")
    ram(to_command(table), "athens-1", "syracuse-1")
    table.play(says("syracuse", "pick", member="syracuse-3"), says("syracuse", "test-crew", 1))
    rests(table, "syracuse")
    board(table, "athens-2", "syracuse-1")
    ram(table, "syracuse-2", "syracuse-1")
    finish_activations(table).play(says("athens", "check-sinking", 1)).then_open("A")
    assert points(table) == (4, 3)


def test_prize_rammed_by_both_sides_has_one_die() -> None:
    """War Galley G.4 and H.a: a second ram by the same side is refused."""
    table = battle(ship("athens-1", "0505"), ship("syracuse-1", "0506"), ship("syracuse-2", "0507"))
    change(table, "syracuse-1", "rammed", True)
    change(table, "syracuse-1", "worth_to", "athens")
    in_hand(to_command(table), "athens-1")
    table.when(says("athens", "ram", ship="athens-1", target="syracuse-1")).then_refused(
        "rammed-already", rule="War Galley F.1"
    )
    rests(table, "athens")
    change(table, "syracuse-1", "side", "athens")
    ram(table, "syracuse-2", "syracuse-1")
    assert set(table.game.units["syracuse-1"].names("worth_to")) == {"athens", "syracuse"}
    finish_activations(table).play(says("athens", "check-sinking", 2)).then_open("A")
    assert points(table) == (3, 3)


def test_prize_aground_that_was_rammed_counts_for_both() -> None:
    """War Galley H.a: rammed by Athens, taken by it, then run aground under it."""
    table = duel("0506", ship("syracuse-2", "1515"))
    tie(table, "athens-1", "syracuse-1")
    change(table, "syracuse-1", "rammed", True)
    change(table, "syracuse-1", "worth_to", "athens")
    board(to_command(table), "athens-1", "syracuse-1")
    finish_activations(table).play(says("athens", "check-sinking", 1)).then_open("A")
    assert points(table) == (4, 0)
    in_hand(to_command(table), "syracuse-1", "athens").play(says("athens", "run-aground", ship="syracuse-1"))
    finish_activations(table).play(says("athens", "check-sinking", 1)).then_open("A")
    assert points(table) == (4, 3)


# --- a first player who has nothing of a kind -------------------------------------------------------------------------


def test_first_player_without_command_squadrons_waits_in_e() -> None:
    """War Galley E and E.3."""
    table = battle(ship("athens-1", "0505"), flag("syracuse-1", "1515", "s1"), ship("syracuse-9", "2001"))
    to_command(table, "athens").then_open("E.squadron")
    assert waiting(table) == ("syracuse",)
    squadron(table, "syracuse", "s1").then_open("F.ship")
    assert waiting(table) == ("athens",)


def test_first_player_without_individuals_waits_in_f() -> None:
    """War Galley F and F.4."""
    table = battle(flag("athens-1", "0505", "a1"), flag("syracuse-1", "1515", "s1"), ship("syracuse-9", "2001"))
    squadron(squadron(to_command(table, "athens"), "athens", "a1"), "syracuse", "s1").then_open("F.ship")
    assert waiting(table) == ("syracuse",)


def test_prize_that_rams_its_old_side_scores_for_its_captor() -> None:
    """War Galley H.a and H.b."""
    table = duel("0506", ship("syracuse-2", "0507"), ship("athens-2", "1505"))
    tie(table, "athens-1", "syracuse-1")
    board(to_command(table), "athens-1", "syracuse-1")
    finish_activations(table).then_open("A")
    in_hand(to_command(table), "syracuse-1", "athens")
    table.play(says("athens", "cast-off", ship="syracuse-1", target="athens-1"))
    table.play(says("athens", "ram", ship="syracuse-1", target="syracuse-2"))
    finish_activations(table).play(says("syracuse", "check-sinking", 1))
    assert points(table) == (7, 0)
