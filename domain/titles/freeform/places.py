"""List the kinds of place in a scenario's own sequence, their entries, and the names they use."""

from collections.abc import Iterator, Mapping

from umpire_ledger.domain.titles.freeform.texts import PlaceText
from umpire_ledger.domain.titles.freeform.values import has_sealed
from umpire_ledger.kit import Condition, fact, names_in, role_names

KINDS = ("step", "heading", "rounds", "each", "turns", "together", "procedure", "instant", "anytime")

_NAMED = {"name", "inside", "rules"}
_STEP = {"by", "also", "answers", "then", "needs", "runs", "keep", "allows", "touches", "in_turn"}
_STEP |= {"first_come", "counts_turns", "need", "secret", "rolls", "does", "draws", "throws", "seals"}
SAYS: Mapping[str, set[str]] = {
    "step": _NAMED | _STEP | {"when"},
    "heading": _NAMED | {"when"},
    "rounds": _NAMED | {"when", "until", "counts_turns"},
    "each": _NAMED | {"when", "of", "by", "may_end"},
    "turns": _NAMED | {"when", "of", "sides"},
    "together": _NAMED | {"when"},
    "procedure": {"name", "when", "rules"},
    "instant": {"when", "to", "during", "rules"},
    "anytime": {"name", "rules", "by", "allows", "touches"},
}
"""The entries that a place of each kind can have, apart from its id."""
NEEDED: Mapping[str, tuple[str, ...]] = {"each": ("of",), "turns": ("of", "sides"), "instant": ("when", "to")}


def kind_of(place: PlaceText) -> tuple[str, str]:
    """Return the kind of a place and its id; both "" if the file sets none."""
    return next(((kind, getattr(place, kind)) for kind in KINDS if getattr(place, kind)), ("", ""))


def roles_of(place: PlaceText) -> Iterator[tuple[str, str]]:
    """Yield every role that a place names, with the entry that names it."""
    yield from (("by", role) for role in role_names(place.by))
    yield from (("also", role) for role in role_names(place.also))
    yield from (("sides", role) for role in role_names(place.sides))
    if place.touches is not None:
        yield from (("touches.by", role) for role in role_names(place.touches.by))
    for at, one in enumerate(place.answers):
        yield from ((f"answers[{at}].by", role) for role in role_names(one.by))


def rule_of(place: PlaceText) -> str:
    return place.rules[0] if place.rules else ""


def needs_of_its_own(place: PlaceText) -> Iterator[Condition]:
    if place.draws is not None:
        cup = place.draws.cup
        yield fact(
            f"{cup} is empty",
            lambda game, side: not names_in(game, cup),
            otherwise=f"{cup} is not empty",
            owed="draw a chit: `draw`",
            name=f"{cup} is empty",
        )
    if place.seals is not None:
        question = place.seals.question
        yield fact(
            f"{question} is sealed",
            lambda game, side: has_sealed(game, side, question),
            otherwise=f"{question} is not sealed",
            owed=f"seal an answer to {question}: `seal-choice`",
            name=f"{question} is sealed",
        )
