"""Set the numbers that the summary does not print."""

from umpire_ledger.kit import HouseValue

BOARDERS = HouseValue(
    name="boarding-boarders", value=1, rule="E.2", says="bonus to the boarding roll for each manpower that boards"
)
TARGET = HouseValue(
    name="boarding-target",
    value=-1,
    rule="E.2",
    says="bonus to the boarding roll for each manpower of the boarded ship",
)
RIGGING = HouseValue(
    name="rigging-cost", value=1, rule="E.1", says="cost in hexes of setting the sails (companion notes of the summary)"
)
ASTERN = HouseValue(
    name="sails-before-the-wind",
    value=1,
    rule="E.1",
    says="extra hexes at cruise speed with raised sails before the wind (companion notes of the summary)",
)
MISSILES = HouseValue(
    name="missile-range",
    value=1,
    rule="E.1",
    says="range in hexes at which a ship sets another on fire or hits it; 0: any distance",
)
WITHDRAWS = HouseValue(
    name="withdrawal-total",
    value=7,
    rule="withdrawal",
    says="total at which a fleet without its Admiral withdraws (companion notes of the summary)",
)
BEHIND = HouseValue(
    name="withdrawal-behind",
    value=1,
    rule="withdrawal",
    says="bonus to that roll for a fleet with fewer points (companion notes of the summary)",
)
WITHDRAWAL = HouseValue(
    name="withdrawal-points",
    value=25,
    rule="withdrawal",
    says="victory points for the enemy if a fleet withdraws (companion notes of the summary)",
)
OURS = (BOARDERS, TARGET, RIGGING, ASTERN, MISSILES, WITHDRAWS, BEHIND, WITHDRAWAL)
