"""1 and 3b: a card is drawn in secret and played in the open; only its owner knows the hand."""

from collections.abc import Iterator

from three_fords.board import own_company, refuse
from umpire_ledger.kit import (
    ChoiceMade,
    Closes,
    Dice,
    Game,
    Name,
    Order,
    RestrictedEvent,
    Result,
    Unit,
    UnitName,
    changed,
    choice_key,
    look_up,
    marked,
    paid,
    replace,
    secret_viewers,
)

BONUS = {"charge": 2, "volley": 1}
DRAW, PLAY = "1", "3b"


class DrawCard(Order, frozen=True, kw_only=True, tag="draw-card"):
    """Draw a card with a secret die."""


class PlayCard(Order, frozen=True, kw_only=True, tag="play-card"):
    """Play a card from your hand on a company of yours."""

    card: Name
    company: UnitName


def hand(game: Game, side: str) -> tuple[str, ...]:
    """Return the cards that a side holds, if this copy of the game knows them."""
    cards = game.choices.get(choice_key("hand", side))
    return cards.choice if cards is not None and isinstance(cards.choice, tuple) else ()


def held(game: Game, side: str, cards: tuple[str, ...]) -> RestrictedEvent:
    """Return the private record of a hand."""
    return RestrictedEvent(
        ChoiceMade(question="hand", side=side, choice=cards, sealed=True), secret_viewers(game, side)
    )


def draw_is_due(game: Game, side: str) -> bool:
    """Return whether a side has not drawn in this turn."""
    return game.markers.get(f"drawn/{side}") != game.turn


def decide_draw_card(game: Game, order: DrawCard, dice: Dice) -> list[Result]:
    """Draw by the table `deck`; the number of cards is public."""
    side = game.side_of(order.seat)
    if not draw_is_due(game, side):
        raise refuse(game, "you have drawn already", "`done`", DRAW)
    rolled = dice.roll("1d6", purpose="a card", rule=DRAW)
    row, card = look_up(game, "deck", rolled.total)
    return [
        RestrictedEvent(replace(rolled, table="deck", row=row, outcome=str(card)), secret_viewers(game, side)),
        held(game, side, (*hand(game, side), str(card))),
        *paid(game, f"cards/{side}", 1, "drawn", DRAW),
        *marked(game, f"drawn/{side}", game.turn, rule=DRAW),
        Closes(),
    ]


def decide_play_card(game: Game, order: PlayCard, _: Dice) -> list[Result]:
    """Make the card public; it adds to the company's next attack, or to its strength."""
    side = game.side_of(order.seat)
    company = own_company(game, order.seat, order.company, PLAY)
    cards = list(hand(game, side))
    if order.card not in cards:
        raise refuse(game, f"you do not hold {order.card}", "play a card of your hand", PLAY)
    cards.remove(order.card)
    return [
        ChoiceMade(question="played", side=side, choice=order.card, rule=PLAY),
        held(game, side, tuple(cards)),
        *paid(game, f"cards/{side}", -1, order.card, PLAY),
        *effect(company, order.card),
    ]


def effect(company: Unit, card: str) -> list[Result]:
    """Rally restores a point of strength; every other card adds to the next attack."""
    if card == "rally":
        return changed(company, "strength", company.number("strength") + 1, card, PLAY)
    return changed(company, "bonus", company.number("bonus") + BONUS[card], card, PLAY)


def playable(game: Game, side: str) -> Iterator[Order]:
    """Yield every card of the hand on every company."""
    for company in game.in_play(side):
        for card in sorted(set(hand(game, side))):
            yield PlayCard(seat=side, card=card, company=company.id)
