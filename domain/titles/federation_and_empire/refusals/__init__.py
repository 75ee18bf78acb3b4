"""Collect the words of every refusal, from one file for each room. Imports nothing else of the title."""

from umpire_ledger.domain.titles.federation_and_empire.refusals import (
    combat,
    counters,
    economy,
    movement,
    orders,
    raids,
)

REFUSALS = {
    **combat.REFUSALS,
    **counters.REFUSALS,
    **economy.REFUSALS,
    **movement.REFUSALS,
    **orders.REFUSALS,
    **raids.REFUSALS,
}
