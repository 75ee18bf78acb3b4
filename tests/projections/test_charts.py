"""Test charts: their drawing, their text, and their numbers against separate computations."""

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from fractions import Fraction
from itertools import product
from math import erfc, exp, pi, sqrt
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.face.domain import Side
from tests.face.projections import (
    FEWEST,
    KINDS,
    AccountByTurn,
    ByTurn,
    Chart,
    ChartSubject,
    Panel,
    Sums,
    Thrown,
    accounts_chart,
    chances,
    chart_svg_of,
    dice_chart,
    losses_chart,
    sums,
    totals,
)
from tests.face.testing import FIXTURES, OWN
from tests.naming import Naming

SVG = "{http://www.w3.org/2000/svg}"
REPLAYS = sorted((*FIXTURES.glob("*/replays/*.jsonl"), *OWN.glob("replays/*.jsonl")))
TWO = (Side(id="red", name="Red"), Side(id="blue", name="Blue"))
OF = ChartSubject(game="g", name="A lesson", sides=TWO)
FORD = """
title = "freeform"
name = "The ford"
dice = "table"
sides = [{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }]
accounts = { "vp/red" = 3, "vp/blue" = 0 }
units = [
    { id = "r1", side = "red", kind = "foot", at = "0101" },
    { id = "r2", side = "red", kind = "foot", at = "0101" },
    { id = "b1", side = "blue", kind = "foot", at = "0102" },
]
"""


def odd_tail(uneven: float, degrees: int) -> float:
    """Return P(χ² ≥ x) for 3, 5, 7 or 9 degrees of freedom in closed form (Abramowitz and Stegun 26.4.4)."""
    half, term = 0.0, 1.0
    for odd in range(1, degrees - 1, 2):
        half += term
        term *= uneven / (odd + 2)
    return erfc(sqrt(uneven / 2)) + sqrt(2 * uneven / pi) * exp(-uneven / 2) * half


def thrown(faces: int, counts: Iterable[int], seat: str = "red") -> list[Thrown]:
    """Return rolls of single dice with these counts of faces."""
    pips = [face for face, many in enumerate(counts, 1) for _ in range(many)]
    return [Thrown(seat=seat, purpose="x", sides=faces, pips=(pip,)) for pip in pips]


def dice_panels(rolls: list[Thrown], together: Iterable[Sums] = ()) -> dict[str, Panel]:
    chart = dice_chart(OF, list(totals(rolls)), list(together), {"red": "red", "blue": "blue"})
    return {panel.name: panel for panel in chart.panels}


class TestDice:
    @pytest.mark.parametrize(
        ("counts", "test", "p"),
        [
            # n 60, 10 of each expected, by hand: (5² + 2² + 1² + 1² + 2² + 5²) / 10
            ((5, 8, 9, 11, 12, 15), Fraction(6), 0.306),
            # χ² 11.070 is the percentage point of 0.05 with 5 degrees (NIST/SEMATECH e-Handbook 1.3.6.7.4); 11 is near
            ((3, 8, 12, 10, 17, 10), Fraction(106, 10), 0.060),
            ((10, 10, 10, 10, 10, 10), Fraction(0), 1.0),
        ],
    )
    def test_dice_panel_has_counts_and_expected_counts(self, counts: tuple[int, ...], test: Fraction, p: float) -> None:
        panel = dice_panels(thrown(6, counts))["d6"]
        (series,) = panel.series
        assert series.values == counts
        assert panel.expected == (10.0,) * 6
        assert panel.facts["n"] == 60
        assert panel.facts["df"] == 5
        assert panel.facts["chi_square"] == pytest.approx(float(test))
        assert panel.facts["p"] == pytest.approx(odd_tail(float(test), 5), abs=1e-9)
        assert panel.facts["p"] == pytest.approx(p, abs=5e-4)
        assert panel.note == f"χ² {float(test):.2f}, df 5, p {panel.facts['p']:.3f}, n 60"

    @given(st.lists(st.integers(1, 10), min_size=1, max_size=200))
    def test_ten_sided_dice_against_fractions_and_the_closed_form(self, pips: list[int]) -> None:
        counts = [Counter(pips)[face] for face in range(1, 11)]
        expected = Fraction(len(pips), 10)
        uneven = float(sum((count - expected) ** 2 / expected for count in counts))
        facts = dice_panels(thrown(10, counts))["d10"].facts
        assert facts["chi_square"] == pytest.approx(uneven)
        assert facts["p"] == pytest.approx(odd_tail(uneven, 9), abs=1e-9)

    def test_odd_tail_matches_printed_percentage_points(self) -> None:
        """NIST/SEMATECH e-Handbook 1.3.6.7.4."""
        for uneven, degrees, p in ((11.070, 5, 0.05), (15.086, 5, 0.01), (16.919, 9, 0.05), (7.815, 3, 0.05)):
            assert odd_tail(uneven, degrees) == pytest.approx(p, rel=2e-3)

    def test_dice_panel_notes_too_few_dice(self) -> None:
        panel = dice_panels(thrown(6, (1, 0, 2, 0, 1, 0)))["d6"]
        assert panel.note == Naming("n 4", 0.7, 5, 30)

    def test_dice_panel_of_each_seat_has_the_look_of_its_side(self) -> None:
        panels = dice_panels(thrown(6, (9, 1, 1, 1, 1, 1)) + thrown(6, (0, 0, 0, 0, 0, 7), "blue"))
        (blue,) = (panel for name, panel in panels.items() if name == Naming("d6", "blue"))
        assert (blue.series[0].values, blue.series[0].look) == ((0, 0, 0, 0, 0, 7), "blue")
        assert panels["d6"].series[0].values == (9, 1, 1, 1, 1, 8)


class TestSums:
    @pytest.mark.parametrize(("number", "faces"), [(1, 6), (2, 6), (3, 6), (2, 10), (4, 4)])
    def test_chances_of_a_sum_equal_a_count_by_hand(self, number: int, faces: int) -> None:
        ways = Counter(sum(one) for one in product(range(1, faces + 1), repeat=number))
        found = chances(number, faces)
        assert found == [Fraction(ways[one], faces**number) for one in range(number, number * faces + 1)]
        assert sum(found) == 1

    def test_chances_of_two_dice_match_printed_tables(self) -> None:
        assert [chance * 36 for chance in chances(2, 6)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]

    @given(st.lists(st.integers(2, 12), min_size=1, max_size=300))
    def test_sums_of_two_dice_against_an_own_computation(self, throws: list[int]) -> None:
        found = sums(2, 6, throws)
        ways = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
        assert found.counts == tuple(throws.count(one) for one in range(2, 13))
        assert found.expected == pytest.approx([len(throws) * one / 36 for one in ways])
        assert [one for some in found.classes for one in some] == list(range(2, 13)), "each sum is in one class"
        uneven = 0.0
        for some in found.classes:
            expected = len(throws) * sum(ways[one - 2] for one in some) / 36
            assert expected >= FEWEST or len(found.classes) == 1
            uneven += (sum(throws.count(one) for one in some) - expected) ** 2 / expected
        assert found.degrees == len(found.classes) - 1
        if found.degrees:
            assert found.chi_square == pytest.approx(uneven)
        else:
            assert found.p is None
        if found.degrees in (3, 5, 7, 9):
            assert found.p == pytest.approx(odd_tail(uneven, found.degrees), abs=1e-9)

    def test_few_throws_are_not_tested(self) -> None:
        ((name, panel),) = dice_panels([], [sums(2, 6, [2, 12, 7])]).items()
        assert name == Naming("2d6")
        assert panel.facts["p"] is None
        assert panel.note == Naming("n 3")

    def test_sums_panel_names_the_merged_sums(self) -> None:
        # The 36 possible throws once each: exactly as expected.
        throws = [one + other for one, other in product(range(1, 7), repeat=2)]
        (panel,) = dice_panels([], [sums(2, 6, throws)]).values()
        assert panel.facts["classes"] == "2–4, 5–6, 7, 8, 9–12"
        assert panel.note == Naming("χ² 0.00, df 4, p 1.000, n 36", "2–4, 5–6, 7, 8, 9–12")


def at_the_ford(desk: umpire.Desk) -> umpire.PlayedGame:
    """Return a game without turns in which r2 is sunk, b1 is captured, r3 is new, and red pays."""
    game = desk.new_from_text("freeform", FORD, id="ford")
    red = game.seat("red")
    red.order("remove", unit="r2", fate="destroyed")
    red.order("change", unit="b1", attribute="side", to="red")
    red.order("place", unit="r3", side="red", kind="foot", at="0103")
    red.order("pay", account="vp/red", amount=2)
    return game


class TestByTurn:
    def test_accounts_called_alike_are_one_panel_whichever_way_round(self) -> None:
        accounts = {"vp/red": (1, 4), "vp/blue": (0, 2), "kzinti/vp": (5, None), "red/debt": (3, 3), "wind": (2, 1)}
        found = ByTurn(
            turns=(0, 1),
            accounts=tuple(AccountByTurn(account=name, values=values) for name, values in accounts.items()),
            forces=(),
        )
        chart = accounts_chart(OF, found)
        panels = {panel.name: {one.name: one.values for one in panel.series} for panel in chart.panels}
        assert panels == {
            "vp": {"Red": (1, 4), "Blue": (0, 2), "kzinti": (5, None)},
            "debt": {"Red": (3, 3)},
            "wind": {"wind": (2, 1)},
        }
        assert chart.panels[0].across == ("start", "1")
        assert {"red", "blue", "kzinti"} <= chart.looks.keys(), "who is no side has a look of its own"

    def test_account_always_zero_is_omitted(self) -> None:
        found = ByTurn(turns=(1,), accounts=(AccountByTurn(account="hits", values=(0,)),), forces=())
        assert accounts_chart(OF, found).words == [Naming("A lesson"), "No data."]

    def test_losses_captures_and_arrivals_of_a_turn(self) -> None:
        with umpire.open(":memory:") as desk:
            chart = at_the_ford(desk).referee.chart_data("losses")
        there, lost, *others = ({one.name: one.values for one in panel.series} for panel in chart.panels)
        assert there == {"Red": (3,), "Blue": (0,)}
        assert lost == {"Red": (1,), "Blue": (1,)}
        assert {"Red": (2,)} in others, "a captured unit comes new to its captor; set up is not new"
        assert [panel.note for panel in chart.panels][:2] == ["", Naming("Red: 1 destroyed", "Blue: 1 captured")]

    def test_accounts_at_the_ford(self) -> None:
        with umpire.open(":memory:") as desk:
            chart = at_the_ford(desk).referee.chart_data("accounts")
        (panel,) = chart.panels
        assert (panel.name, {one.name: one.values for one in panel.series}) == ("vp", {"Red": (5,), "Blue": (0,)})

    def test_undone_order_is_not_in_the_chart(self) -> None:
        with umpire.open(":memory:") as desk:
            game = at_the_ford(desk)
            size = game.size
            game.seat("red").order("pay", account="vp/red", amount=90)
            before = game.referee.chart_data("accounts").panels
            game.referee.order("rewind", to=size, why="a slip")
            after = game.referee.chart_data("accounts").panels
        assert next(one.values for one in before[0].series) == (95,)
        assert next(one.values for one in after[0].series) == (5,)

    def test_losses_of_a_recorded_battle_add_up(self) -> None:
        """Check that units in play are those of the previous turn, plus arrivals, minus losses."""
        with umpire.open(":memory:") as desk:
            game = desk.import_log(FIXTURES / "red-coat-rags" / "replays" / "mill-ford.jsonl")
            panels = {panel.name.split()[0]: panel for panel in game.referee.chart_data("losses").panels}
            gone = Counter(unit.side for unit in game.referee.units(gone=True) if unit.fate)

        def of(name: str) -> dict[str, tuple[Any, ...]]:
            return {one.look: one.values for one in panels[name].series} if name in panels else {}

        there, lost, new, left = of("Units"), of("Losses"), of("New"), of("Other")
        for side, values in at_least_one(list(there.items())):
            nothing = (0,) * len(values)
            for turn in range(1, len(values)):
                came = new.get(side, nothing)[turn] - lost.get(side, nothing)[turn] - left.get(side, nothing)[turn]
                assert values[turn] == values[turn - 1] + came
            assert sum(lost.get(side, nothing)) + sum(left.get(side, nothing)) >= gone[side]


class TestTime:
    def test_time_chart_agrees_with_times(self) -> None:
        with umpire.open(":memory:") as desk:
            game = desk.import_log(FIXTURES / "federation-and-empire" / "replays" / "three-powers.jsonl")
            chart, times = game.referee.chart_data("time"), game.times()
            paused = game.referee.chart_data("time", pause=timedelta(seconds=20))
        (panel,) = chart.panels
        assert [one.values for one in panel.series] == [(one.waited, one.alone) for one in times.sides]
        assert panel.facts["seconds"] == times.seconds
        assert paused.panels[0].note == Naming("20 s")


class TestDrawn:
    def drawing(self, chart: Chart) -> ElementTree.Element:
        return ElementTree.fromstring(chart_svg_of(chart))

    def test_drawing_contains_the_whole_chart_in_words(self) -> None:
        with umpire.open(":memory:") as desk:
            chart = at_the_ford(desk).referee.chart_data("losses")
        root = self.drawing(chart)
        assert root.get("role") == "img"
        assert root.get("aria-labelledby") == "what words"
        assert root.findtext(f"{SVG}title") == chart.words[0].removesuffix(".") == Naming("The ford")
        assert root.findtext(f"{SVG}desc") == " ".join(chart.words[1:])

    def test_bars_have_the_pattern_and_the_letter_of_their_side(self) -> None:
        with umpire.open(":memory:") as desk:
            root = self.drawing(at_the_ford(desk).referee.chart_data("losses"))
        fills = {one.get("fill") for one in root.iter(f"{SVG}rect") if one.get("class") == "bar"}
        assert {"url(#side0)", "url(#side1)"} <= fills
        assert {"R", "B"} <= {one.text for one in root.iter(f"{SVG}text") if one.get("class") == "letter"}
        assert len(root.findall(f".//{SVG}pattern")) == 3

    def test_bars_are_as_high_as_their_values(self) -> None:
        root = self.drawing(dice_chart(OF, list(totals(thrown(6, (1, 2, 4, 8, 0, 3)))), [], {}))
        bars = [one for one in root.iter(f"{SVG}rect") if "bar" in one.get("class", "")]
        highs = [float(one.get("height", 0)) for one in bars]
        assert [high / highs[0] for high in highs] == pytest.approx([1, 2, 4, 8, 0, 3], abs=0.02)
        (hoped,) = root.findall(f".//{SVG}polyline")
        level = {spot.split(",")[1] for spot in hoped.get("points", "").split()}
        bottom = float(bars[0].get("y", 0)) + highs[0]
        assert bottom - float(level.pop()) == pytest.approx(highs[0] * 3, abs=0.2), "18 dice, 3 of each expected"

    def test_chart_lines_differ_without_colour(self) -> None:
        found = ByTurn(
            turns=(0, 1, 2),
            accounts=tuple(AccountByTurn(account=f"vp/{side.id}", values=(1, 2, at)) for at, side in enumerate(TWO)),
            forces=(),
        )
        root = self.drawing(accounts_chart(OF, found))
        lines = list(root.iter(f"{SVG}polyline"))
        assert len({one.get("stroke-dasharray") for one in lines}) == 2
        marks = [(one.get("x"), one.get("y")) for one in root.iter(f"{SVG}rect") if one.get("class") == "bar"]
        assert len(marks) == len(set(marks)) == 6, "equal values lie beside each other"

    def test_text_written_by_players_is_inert(self) -> None:
        side = Side(id="red", name="</text><script>alert(1)</script>\u202e")
        found = ByTurn(turns=(0,), accounts=(AccountByTurn(account="</desc>&\u0007/red", values=(1,)),), forces=())
        text = chart_svg_of(accounts_chart(ChartSubject(game="g", name="<b>", sides=(side,)), found))
        root = ElementTree.fromstring(text)
        assert not root.findall(f".//{SVG}script")
        assert "\u202e" not in text
        assert "<U+202E>" in str(root.findtext(f"{SVG}desc"))

    def test_empty_chart_is_labelled_as_empty(self) -> None:
        empty = losses_chart(ChartSubject(game="g", name="", sides=()), ByTurn(turns=(), accounts=(), forces=()))
        assert empty.words == [Naming("g"), "No data."]
        assert "No data." in [one.text for one in self.drawing(empty).iter(f"{SVG}text")]

    def test_fifty_turns_and_sixteen_sides_have_room(self) -> None:
        sides = tuple(Side(id=f"s{at}", name=f"The {at}th Army of the very long Name") for at in range(16))
        values = tuple(range(50))
        found = ByTurn(
            turns=values,
            accounts=tuple(AccountByTurn(account=f"vp/{side.id}", values=values) for side in sides),
            forces=(),
        )
        root = self.drawing(accounts_chart(ChartSubject(game="g", name="n", sides=sides), found))
        wide = float(root.get("width", 0))
        spots = [(float(one.get("x", 0)), len(one.text or "")) for one in root.iter(f"{SVG}text")]
        assert all(0 <= x <= wide for x, _ in at_least_one(spots))
        assert len([one for one in root.iter(f"{SVG}text") if one.get("class") == "tick middle"]) <= 17


@pytest.mark.parametrize("replay", REPLAYS, ids=lambda file: file.stem)
def test_every_recorded_game_has_its_charts_for_every_seat(replay: Path) -> None:
    with umpire.open(":memory:") as desk:
        game = desk.import_log(replay)
        for seat in at_least_one(("referee", *game.sides)):
            for kind in KINDS:
                chart = game.seat(seat).chart_data(kind)
                once, again = (chart_svg_of(chart) for _ in range(2))
                assert once == again
                assert ElementTree.fromstring(once).findtext(f"{SVG}desc")
                for panel in chart.panels:
                    assert all(len(one.values) == len(panel.across) for one in panel.series)
