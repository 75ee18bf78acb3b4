"""Compare χ² and its probability with known values."""

import math

import pytest
from hypothesis import given, strategies as st

from tests.face.projections import (
    chi_square,
    faces,
    p_value,
    plain_purpose,
    upper_gamma,
)
from tests.naming import Naming

TABLE = [
    # χ², degrees, p: percentage points of the χ² distribution, NIST/SEMATECH e-Handbook 1.3.6.7.4
    (2.706, 1, 0.10),
    (3.841, 1, 0.05),
    (6.635, 1, 0.01),
    (10.828, 1, 0.001),
    (9.236, 5, 0.10),
    (11.070, 5, 0.05),
    (15.086, 5, 0.01),
    (20.515, 5, 0.001),
    (16.919, 9, 0.05),
    (30.144, 19, 0.05),
    (36.191, 19, 0.01),
    (124.342, 100, 0.05),
    (149.449, 100, 0.001),
]


@pytest.mark.parametrize(("uneven", "degrees", "p"), TABLE)
def test_p_value_matches_printed_percentage_points(uneven: float, degrees: int, p: float) -> None:
    assert p_value(uneven, degrees) == pytest.approx(p, rel=2e-3)


@given(st.floats(1e-6, 300))
def test_two_degrees_are_an_exponential(uneven: float) -> None:
    assert p_value(uneven, 2) == pytest.approx(math.exp(-uneven / 2), rel=1e-9)


@given(st.floats(1e-6, 300))
def test_p_value_of_one_degree_equals_erfc(uneven: float) -> None:
    assert p_value(uneven, 1) == pytest.approx(math.erfc(math.sqrt(uneven / 2)), rel=1e-8, abs=1e-12)


@given(st.floats(0.5, 130), st.floats(1e-6, 500))
def test_upper_gamma_satisfies_its_recurrence(a: float, x: float) -> None:
    """Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1)."""
    term = math.exp(a * math.log(x) - x - math.lgamma(a + 1))
    assert upper_gamma(a + 1, x) == pytest.approx(upper_gamma(a, x) + term, rel=1e-8, abs=1e-12)


@given(st.integers(1, 255), st.floats(0, 2000))
def test_p_value_is_between_zero_and_one(degrees: int, uneven: float) -> None:
    assert 0 <= p_value(uneven, degrees) <= 1 + 1e-12


def test_even_counts_are_perfectly_even() -> None:
    assert chi_square((7, 7, 7)) == 0
    assert p_value(0, 5) == 1
    assert chi_square(()) == chi_square((0, 0)) == 0


def test_loaded_die_has_a_tiny_p_value() -> None:
    found = faces(6, [6] * 30 + [1, 2, 3, 4, 5] * 6)
    assert (found.counts, found.dice, found.degrees) == ((6, 6, 6, 6, 6, 30), 60, 5)
    assert found.chi_square == pytest.approx(48.0)
    assert found.p < 1e-6
    assert found.warning == ""


def test_fewer_than_five_expected_per_face_is_warned() -> None:
    assert faces(6, [1] * 30).warning == ""
    assert faces(6, [1] * 29).warning == Naming("4.8", 5, 30)
    assert faces(6, []).warning


def test_purpose_is_counted_without_names() -> None:
    assert plain_purpose("boarding the-fifth", ("the-fifth",)) == "boarding …"
    assert plain_purpose("crew of menander, again", (), ("menander",)) == "crew of …"
    assert plain_purpose("combat at 0902: attack 2") == "combat at …"
    assert plain_purpose("wind") == "wind"
