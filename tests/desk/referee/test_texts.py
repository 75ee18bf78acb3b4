"""The sentences of the referee's room: the only place that pins them."""

from collections.abc import Callable

import pytest

from tests.desk.referee.tables import Desk

OPEN = ("dispute", "open", "g", "#303", "#304", "--claim", "water between", "--rule", "8.55", "--as", "syracuse")
RULE = ("rule", "g", "x", "--grounds", "house", "--why", "y", "--order")


def refused(*words: str) -> Callable[[Desk], str]:
    return lambda harbour: harbour.refused(*words)["what"]


def disputed(*words: str) -> Callable[[Desk], str]:
    """Return what is answered to a command when the fire on syracuse-3 is contested."""

    def answer(harbour: Desk) -> str:
        harbour.ok(*OPEN)
        return harbour.type(*words).out

    return answer


def label(harbour: Desk) -> str:
    return next(str(one["why"]) for one in harbour.ask("conformance", "--turn", "2")["labels"] if one["id"] == "F.3")


TOLD: tuple[tuple[str, Callable[[Desk], str], str], ...] = (
    ("no such record", refused("dispute", "open", "g", "#999", "--claim", "x"), "there is no record #999"),
    ("no such dispute", refused("dispute", "settle", "g", "d7", "--ruling", "x"), "there is no dispute d7"),
    ("no order of a ruling", refused(*RULE, '{"order": "board"}'), "a ruling cannot carry out 'board'"),
    ("seat without secrets", refused("peek", "g", "spectator", "--why", "x"), "spectator has no secrets"),
    ("same order", disputed("dispute", "show", "g", "d1"), "results from the same order as #303"),
    ("earlier state", disputed("dispute", "show", "g", "d1"), "depends on fire of syracuse-3, as #305 left it"),
    ("reference", disputed("dispute", "show", "g", "d1"), "refers to #303"),
    ("label without use", label, "grappled to an enemy"),
    ("few dice", lambda harbour: harbour.ok("dice", "g", "--totals").out, "5 needed"),
    ("prerequisites", lambda harbour: harbour.ok("why", "g", "597").out, "depends on:"),
)


@pytest.mark.parametrize(("act", "sentence"), [row[1:] for row in TOLD], ids=[row[0] for row in TOLD])
def test_question_is_answered_in_this_sentence(harbour: Desk, act: Callable[[Desk], str], sentence: str) -> None:
    assert sentence in act(harbour)
