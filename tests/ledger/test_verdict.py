"""Positions of a verdict in words."""

from tests.face.ledger import in_words


def test_stretches_are_named_by_their_positions() -> None:
    assert in_words([(3, 3), (7, 9)]) == "#3, #7 to #9"


def test_eight_positions_are_named_and_more_are_elided() -> None:
    eight = [(2 * number, 2 * number) for number in range(1, 9)]
    assert in_words(eight) == "#2, #4, #6, #8, #10, #12, #14, #16"
    assert in_words([*eight, (18, 18)]) == "#2, #4, #6, #8, #10, #12, #14, #16, …"
