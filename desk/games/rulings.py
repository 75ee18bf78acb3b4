"""Find the rulings of every game of a ledger."""

from umpire_ledger.desk.core.open_ledger import OpenLedger
from umpire_ledger.desk.games.games_list import ruled_games
from umpire_ledger.projections.reports.disputes import RulingLine, each_once, rulings_in


def find_rulings(opened: OpenLedger, *, rule: str = "", text: str = "") -> list[RulingLine]:
    """Return the rulings by rule number or by words; list a ruling once if it was copied with its game."""
    with opened.own_tables() as views:
        known = ruled_games(opened.ledger, opened.where, views)
    return each_once(rulings_in(opened.ledger, opened.ledger.game_ids(), known, rule=rule, words=text))


def find_precedents(opened: OpenLedger, rule: str) -> list[RulingLine]:
    """Return earlier rulings on a rule; an empty list if no rule is named."""
    return find_rulings(opened, rule=rule) if rule else []
