"""Decide whose turn it is, the one action of a turn, and the end of a round (AP, PASS, ROUND).

The lowest number on a player's Strategy cards gives the initiative. A player passes only when all the player's cards
have been played: the exception for one card of the full game is not in the printed text.
"""

from collections import Counter
from typing import Literal

from umpire_ledger.domain.titles.twilight_imperium_3.activation import why_no_tactical, why_no_transfer
from umpire_ledger.domain.titles.twilight_imperium_3.cards import why_no_card
from umpire_ledger.domain.titles.twilight_imperium_3.units import player, refuse, unknown, verify_once
from umpire_ledger.kit import Closes, Dice, Game, Order, Result, after, marked, names_in, paid


class TakeAction(Order, frozen=True, kw_only=True, tag="take-action"):
    """Take the one action of a turn. `card`: the Strategy card, if the player has several left."""

    action: Literal["strategic", "tactical", "transfer", "card", "pass"]
    card: str = ""


class ChooseStrategy(Order, frozen=True, kw_only=True, tag="choose-strategy"):
    """Choose, between rounds, the Strategy cards that your side holds in the next round."""

    cards: tuple[str, ...]


# --- the order of the players -----------------------------------------------------------------------------------------


def initiative_order(game: Game) -> tuple[str, ...]:
    """Return all sides, the lowest Strategy card first; sides without a card come last, in table order."""
    numbers = game.tables.get("cards", {})

    def first_number(side: str) -> int:
        return min((numbers.get(card, 99) for card in names_in(game, f"strategy-cards/{side}")), default=99)

    return tuple(sorted(game.side_ids, key=first_number))


def has_passed(game: Game, side: str) -> bool:
    return bool(game.markers.get(f"passed/{side}"))


def everyone_passed(game: Game, _: str) -> bool:
    return all(has_passed(game, side) for side in game.side_ids)


def next_player(game: Game) -> str | None:
    """Return the next side in order that has not passed; None if all have."""
    order = initiative_order(game)
    at = order.index(player(game)) + 1 if player(game) in order else 0
    return next((side for side in order[at:] + order[:at] if not has_passed(game, side)), None)


def the_player(game: Game) -> tuple[str, ...]:
    """Return the active player, as a role."""
    return (player(game),) if player(game) else ()


def begin_round(game: Game) -> list[Result]:
    """Begin a round: clear passes and used Strategy cards, and name the first player in initiative order."""
    fresh = [event for side in game.side_ids for event in _fresh(game, side)]
    first = next_player(after(game, [*fresh, *marked(game, "now/player", None)]))
    return [*fresh, *marked(game, "now/player", first, "first in initiative order", "AP")]


def _fresh(game: Game, side: str) -> list[Result]:
    markers = (f"passed/{side}", f"used-cards/{side}", f"now/chosen/{side}")
    return [event for marker in markers for event in marked(game, marker, None, "a new round", "AP")]


def pass_on(game: Game) -> list[Result]:
    """End the turn: remove markers of its action, and name the next player."""
    return [
        *(
            event
            for marker in ("systems", "strategy-card", "produced-in")
            for event in marked(game, f"now/{marker}", None)
        ),
        *marked(game, "now/player", next_player(game), "the turn passes on", "ROUND"),
    ]


# --- the action -------------------------------------------------------------------------------------------------------


def unused_cards(game: Game, side: str) -> tuple[str, ...]:
    """Return the Strategy cards that a side has still to play this round."""
    used = names_in(game, f"used-cards/{side}")
    return tuple(card for card in names_in(game, f"strategy-cards/{side}") if card not in used)


def decide_take_action(game: Game, order: TakeAction, _: Dice) -> list[Result]:
    """Take the one action of a turn.

    Raises:
        RuleViolation: No Strategy card is left, no system can be activated, no action card can be played as an action,
            or the player passes before the strategic action is done.
    """
    side = game.side_of(order.seat)
    if order.action == "strategic":
        return _strategic(game, side, order.card)
    if order.card:
        raise refuse(game, "names-no-strategy-card", "AP", action=order.action)
    _verify_can(game, side, order.action)
    return [Closes(order.action)]


def _strategic(game: Game, side: str, card: str) -> list[Result]:
    left = unused_cards(game, side)
    chosen = card or (left[0] if len(left) == 1 else "")
    if not left:
        raise refuse(game, "strategy-cards-played", "STRAT", side_has=game.side_does(side, "has"))
    if chosen not in left:
        raise refuse(
            game, "strategy-card-not-left" if card else "strategy-card-not-named", "STRAT", card=card, cards=left
        )
    used = (*names_in(game, f"used-cards/{side}"), chosen)
    return [
        *marked(game, f"used-cards/{side}", used, f"strategic action {chosen}", "STRAT"),
        *marked(game, "now/strategy-card", chosen, "strategic action", "STRAT"),
        Closes("strategic"),
    ]


def _verify_can(game: Game, side: str, action: str) -> None:
    name = game.side_name(side)
    if action == "tactical" and (why := why_no_tactical(game, side)):
        raise refuse(
            game,
            "cannot-take-tactical-action" if unused_cards(game, side) else "cannot-take-tactical-action-may-pass",
            "TA.1",
            side=name,
            why=why,
        )
    if action == "transfer" and (why := why_no_transfer(game, side)):
        raise refuse(
            game,
            "cannot-take-transfer-action" if unused_cards(game, side) else "cannot-take-transfer-action-may-pass",
            "TR.1",
            side=name,
            why=why,
        )
    if action == "card" and (why := why_no_card(game, side)):
        raise refuse(
            game,
            "cannot-take-action" if unused_cards(game, side) else "cannot-take-action-may-pass",
            "AP",
            side=name,
            why=why,
        )
    if action == "pass" and (left := unused_cards(game, side)):
        raise refuse(game, "cannot-pass-before-strategic-action", "PASS", side=name, cards=left)


def set_passed(game: Game) -> list[Result]:
    """Mark that the active player has passed this round; secondary abilities remain open to them."""
    return marked(game, f"passed/{player(game)}", True, "passed", "PASS")


# --- between rounds ---------------------------------------------------------------------------------------------------


def is_last_round(game: Game, _: str) -> bool:
    return 0 < game.number("last-round") <= game.turn


def clear_board(game: Game) -> list[Result]:
    """Return command counters from the board to reinforcements, if the option `board_cleared` is on.

    The full game does so in its status phase.
    """
    if not game.options.get("board_cleared"):
        return []
    markers = sorted(marker for marker in game.markers if marker.startswith("activated/"))
    counters = Counter(side for marker in markers for side in names_in(game, marker))
    return [
        *(event for marker in markers for event in marked(game, marker, None, "the round is over")),
        *(
            event
            for side, number in sorted(counters.items())
            for event in paid(game, f"reinforcements/{side}", number, "counters taken off the board")
        ),
    ]


def strategy_is_owed(game: Game, side: str) -> bool:
    """Return whether a side (any for "") has no Strategy card for the next round, or kept one that another chose."""
    if not game.tables.get("cards"):
        return False
    return any(_lacks_a_card(game, one) for one in ((side,) if side else game.side_ids))


def _lacks_a_card(game: Game, side: str) -> bool:
    cards = names_in(game, f"strategy-cards/{side}")
    if names_in(game, f"now/chosen/{side}"):
        return False
    return not cards or any(card in _chosen(game, side) for card in cards)


def _chosen(game: Game, side: str) -> tuple[str, ...]:
    """Return the cards that all others will have in the next round.

    These are chosen cards, or the old cards of a side that has ended the step.
    """
    one = game.cursor.opened("between")
    waits = one.waits if one else ()
    others = [other for other in game.side_ids if other != side]
    chosen = {other: names_in(game, f"now/chosen/{other}") for other in others}
    kept = {other: names_in(game, f"strategy-cards/{other}") for other in others if other not in waits}
    return tuple(card for other in others for card in (chosen[other] or kept.get(other, ())))


def decide_choose_strategy(game: Game, order: ChooseStrategy, _: Dice) -> list[Result]:
    """Choose cards for the next round.

    Raises:
        RuleViolation: The scenario does not know a card, a card is named twice, or another player has it for the next
            round; or the choice changes nothing.
    """
    side = game.side_of(order.seat)
    known = game.tables.get("cards", {})
    verify_once(game, order.cards, "between")
    for card in order.cards:
        if card not in known:
            raise unknown(game, "no-such-strategy-card", "between", card=card, cards=tuple(known))
    chosen = _chosen(game, side)
    taken = [card for card in order.cards if card in chosen]
    if taken:
        left = [card for card in known if card not in chosen]
        raise refuse(game, "chosen-already", "between", card=taken[0], cards=left)
    results = [
        *marked(game, f"now/chosen/{side}", order.cards, "next round"),
        *marked(game, f"strategy-cards/{side}", order.cards or None, "next round"),
    ]
    if not results:
        what = game.side_does(side, f"has already chosen {', '.join(order.cards) or 'no card'}")
        raise refuse(game, "wrong-choice-of-cards", "between", why=what)
    return results
