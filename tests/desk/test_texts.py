"""The sentences of the desk that tell what an order did: the only place that pins them."""

from collections.abc import Callable, Iterator

import pytest

import umpire_ledger as umpire
from tests.desk.test_couriers import EVENING, TURNS
from tests.desk.test_private_words import TABLE
from tests.face.desk import split
from tests.face.domain import DomainError

WORDS = "hold two days more"
TO = ("corinth",)


@pytest.fixture
def game() -> Iterator[umpire.PlayedGame]:
    with umpire.open(":memory:") as desk:
        yield desk.new_from_text("freeform", TABLE + TURNS + EVENING, id="cities")


def held(game: umpire.PlayedGame, **more: object) -> umpire.Outcome:
    game.seat("athens").send_message(WORDS, TO, 3)
    return game.referee.order("hold-message", message=1, **more)


def withdrawn(game: umpire.PlayedGame) -> umpire.Outcome:
    athens = game.seat("athens")
    return athens.open_words(athens.seal_words(WORDS, "attacked").position, withdraw=True)


def laid_open(game: umpire.PlayedGame) -> umpire.Outcome:
    game.referee.order("end", reason="dusk")
    return game.referee.open_secrets()


TOLD: tuple[tuple[str, Callable[[umpire.PlayedGame], umpire.Outcome], str], ...] = (
    (
        "private note",
        lambda game: game.seat("athens").note(WORDS, to=["corinth", "referee"]),
        f"Athens writes a private note to Corinth, the referee: {WORDS}",
    ),
    (
        "courier for a turn",
        lambda game: game.seat("athens").send_message(WORDS, TO, 3),
        f"Athens sends a courier to Corinth, arriving in turn 3: {WORDS}",
    ),
    (
        "courier for a step",
        lambda game: game.seat("athens").send_message(WORDS, TO, 2, step="camp"),
        f"Athens sends a courier to Corinth, arriving in turn 2 in step camp: {WORDS}",
    ),
    (
        "courier held up",
        lambda game: held(game, arrives=4, why="a storm"),
        "The referee rules that the courier of message 1 is delayed and arrives in turn 4 (a storm)",
    ),
    (
        "courier lost",
        lambda game: held(game, why="pirates"),
        "The referee rules that the courier of message 1 is lost (pirates)",
    ),
    (
        "sealed words",
        lambda game: game.seat("athens").seal_words(WORDS, "attacked"),
        f"Athens seals orders, if attacked: {WORDS}",
    ),
    ("sealed words withdrawn", withdrawn, "Athens withdraws the sealed orders of #6"),
    ("everything open", laid_open, "The referee reveals every secret"),
)


@pytest.mark.parametrize(("act", "sentence"), [row[1:] for row in TOLD], ids=[row[0] for row in TOLD])
def test_order_is_told_in_this_sentence(
    game: umpire.PlayedGame, act: Callable[[umpire.PlayedGame], umpire.Outcome], sentence: str
) -> None:
    assert act(game).told == (sentence,)


def closed(game: umpire.PlayedGame) -> object:
    game.desk.close()
    return game.desk.games()


REFUSED: tuple[tuple[str, Callable[[umpire.PlayedGame], object], str], ...] = (
    ("closed desk", closed, "is closed"),
    ("order that is none", lambda game: game.seat("athens").order(7), "give a name, an order, or "),
    ("archive in memory", lambda game: game.archive(), "a ledger in memory has no folder for its archive"),
    ("no file of read models", lambda game: game.desk.views(), "the read models of this ledger are not in a file"),
    ("open quotation", lambda _: split('note "Blue'), "a quotation mark is not closed"),
    ("page that ends first", lambda game: game.referee.page("page.html", first=2, last=1), "swap the two"),
    (
        "what others know",
        lambda game: game.seat("athens").knew("corinth", 1),
        "athens cannot see the knowledge of corinth",
    ),
    ("no redo", lambda game: game.referee.order("redo"), "there is nothing to redo"),
    (
        "dice without a rewind",
        lambda game: game.referee.rule("x", why="x", grounds="house rule", dice="keep"),
        "rewind",
    ),
)


@pytest.mark.parametrize(("act", "sentence"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refusal_is_told_in_this_sentence(
    game: umpire.PlayedGame, act: Callable[[umpire.PlayedGame], object], sentence: str
) -> None:
    with pytest.raises(DomainError) as refused:
        act(game)
    assert sentence in f"{refused.value.what}; {refused.value.remedy}"
