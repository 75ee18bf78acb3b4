"""Word each refusal, in a file for each room. It imports nothing of the title."""

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
