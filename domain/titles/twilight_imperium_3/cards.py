"""Keep hands of action cards: only the owner sees them; draws, plays and the number held are public.

Playing a card reveals it. The group records its effect with the generic orders of the step.
"""

from typing import Literal

from umpire_ledger.domain.titles.twilight_imperium_3.units import label, refuse
from umpire_ledger.kit import (
    ChoiceMade,
    Dice,
    Game,
    Name,
    Order,
    Reason,
    RestrictedEvent,
    Result,
    choice_key,
    paid,
    secret_viewers,
)


class PlayCard(Order, frozen=True, kw_only=True, tag="play-card"):
    """Reveal an action card from your hand."""

    card: Name


class DrawCard(Order, frozen=True, kw_only=True, tag="draw-card"):
    """Take an action card into your hand; only its owner sees which one."""

    card: Name
    why: Literal["drawn", "given"] = "drawn"


def hand(game: Game, side: str) -> tuple[str, ...]:
    """Return the action cards of a side that this copy of the game knows."""
    held = game.choices.get(choice_key("hand", side))
    cards = held.choice if held is not None else ()
    return cards if isinstance(cards, tuple) else ()


def whose_card_lies_open(game: Game) -> tuple[str, ...]:
    """Return the sides that revealed a card in the open step; they record its effect until the step ends."""
    since = max((one.acts for one in game.cursor.open), default=0)
    laid = {side: game.choices.get(choice_key("action card", side)) for side in game.side_ids}
    return tuple(side for side, card in laid.items() if card is not None and card.acts > since)


def in_reach_of_a_card(game: Game, _: str) -> tuple[str, ...]:
    """Return the ids of all units in play: a card may affect any of them, because its text is not known here."""
    return tuple(unit.id for unit in game.in_play())


def _held(game: Game, side: str, cards: tuple[str, ...], rule: str) -> RestrictedEvent:
    return RestrictedEvent(
        ChoiceMade(question="hand", side=side, choice=cards, sealed=True, rule=rule),
        secret_viewers(game, side),
    )


def decide_play_card(game: Game, order: PlayCard, _: Dice) -> list[Result]:
    """Reveal a card and remove it from the hand.

    Raises:
        RuleViolation: The card is not in the hand, belongs to another moment, or is the second one of an action.
    """
    side, rule = game.side_of(order.seat), label(game)
    cards = list(hand(game, side))
    if order.card not in cards:
        raise refuse(game, "card-not-held" if cards else "no-card-held", rule, card=order.card, cards=cards)
    _verify_timing(game, side, order.card, rule)
    cards.remove(order.card)
    return [
        ChoiceMade(question="action card", side=side, choice=order.card, rule=rule),
        *paid(game, f"action-cards/{side}", -1, order.card, rule),
        _held(game, side, tuple(cards), rule),
    ]


WINDOWS = {"AP.card.play": "action", "SB.pre.cards": "before-battle"}
"""Timing of the cards that each printed step admits; cards of another timing are played outside the sequence."""
MOMENTS = {"action": "as your action, with `take-action card`", "before-battle": "immediately before a space battle"}


def timing(game: Game, card: str) -> str:
    """Return the moment at which the scenario lets a card be played; "" if it sets none."""
    return str(game.tables.get("timings", {}).get(card, ""))


def why_no_card(game: Game, side: str) -> Reason | None:
    """Return the reason why a side cannot play a card as its action, worded to follow its name; None if it can."""
    cards = hand(game, side)
    if not cards:
        return Reason("no-card", "holds no action card")
    if any(timing(game, card) in ("", "action") for card in cards):
        return None
    return Reason("no-card-for-an-action", "holds no card for an action")


def _verify_timing(game: Game, side: str, card: str, rule: str) -> None:
    """Check that a card is played at its moment, and only one as an action.

    Raises:
        RuleViolation: The scenario sets another moment for the card, or a card was already played as this action.
    """
    wanted = timing(game, card)
    window = WINDOWS.get(rule, "")
    if rule == "AP.card.play" and side in whose_card_lies_open(game):
        raise refuse(game, "action-card-taken", "AP")
    if wanted in ("", window) or (wanted == "other" and not window):
        return
    moment = MOMENTS.get(wanted, "at the moment printed on it")
    raise refuse(game, "wrong-moment-for-card", "AP" if wanted == "action" else rule, card=card, moment=moment)


def decide_draw_card(game: Game, order: DrawCard, _: Dice) -> list[Result]:
    """Add one card to the hand."""
    side, rule = game.side_of(order.seat), label(game)
    return [
        *paid(game, f"action-cards/{side}", 1, order.why, rule),
        _held(game, side, (*hand(game, side), order.card), rule),
    ]
