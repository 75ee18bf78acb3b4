"""The map: which places a road connects; refusals and queries that every module needs."""

from umpire_ledger.kit import Game, Unit, refusing, unit_of

ROADS = {
    "red-camp": ("upper-ford", "middle-ford"),
    "upper-ford": ("red-camp", "blue-camp", "middle-ford"),
    "middle-ford": ("red-camp", "blue-camp", "upper-ford", "lower-ford"),
    "lower-ford": ("blue-camp", "middle-ford"),
    "blue-camp": ("upper-ford", "middle-ford", "lower-ford"),
}
refuse = refusing("Three Fords")


def own_company(game: Game, seat: str, name: str, rule: str) -> Unit:
    """Return a company of the seat's side that is in play.

    Raises:
        RuleViolation: It is not in play, or is of the other side.
    """
    company = unit_of(game, name, rule)
    if company.side != game.side_of(seat):
        raise refuse(game, f"{name} is not yours", "name a company of yours", rule)
    return company


def verify_place(game: Game, place: str, rule: str) -> None:
    """Refuse a place that the map does not have.

    Raises:
        RuleViolation: The map has no such place.
    """
    if place not in ROADS:
        raise refuse(game, f"the map has no {place}", f"name one of: {', '.join(ROADS)}", rule)
