"""Set the numbers that the summary does not print."""

from umpire_ledger.kit import HouseValue

BOARDERS = HouseValue(
    name="boarding-boarders", value=1, rule="E.2", says="each manpower that boards adds this to the roll"
)
TARGET = HouseValue(
    name="boarding-target",
    value=-1,
    rule="E.2",
    says="each manpower of the boarded ship adds this to the roll",
)
RIGGING = HouseValue(
    name="rigging-cost", value=1, rule="E.1", says="hexes that setting the sails costs (companion notes of the summary)"
)
ASTERN = HouseValue(
    name="sails-before-the-wind",
    value=1,
    rule="E.1",
    says="hexes more at cruise with raised sails before the wind (companion notes of the summary)",
)
MISSILES = HouseValue(
    name="missile-range",
    value=1,
    rule="E.1",
    says="hexes at which a ship sets another on fire or hits it; 0: at any distance",
)
WITHDRAWS = HouseValue(
    name="withdrawal-total",
    value=7,
    rule="withdrawal",
    says="at this total a fleet that has lost its Admiral withdraws (companion notes of the summary)",
)
BEHIND = HouseValue(
    name="withdrawal-behind",
    value=1,
    rule="withdrawal",
    says="what being behind in points adds to that roll (companion notes of the summary)",
)
WITHDRAWAL = HouseValue(
    name="withdrawal-points",
    value=25,
    rule="withdrawal",
    says="victory points for the enemy of a fleet that withdraws (companion notes of the summary)",
)
OURS = (BOARDERS, TARGET, RIGGING, ASTERN, MISSILES, WITHDRAWS, BEHIND, WITHDRAWAL)
