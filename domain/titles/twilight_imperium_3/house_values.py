"""Declare house values, which the summary does not print: values that a scenario leaves out for a kind of unit."""

from umpire_ledger.kit import HouseValue

OURS = (
    HouseValue(
        name="kinds.dice", value=1, rule="SB.2", says="combat strength multiplier of a kind", where="kinds.KIND.dice"
    ),
    HouseValue(name="kinds.per", value=1, rule="TA.7", says="units of a kind for one cost", where="kinds.KIND.per"),
    HouseValue(
        name="kinds.combat",
        value=0,
        rule="SB.2",
        says="combat value; 0: the unit cannot fight",
        where="kinds.KIND.combat",
    ),
    HouseValue(name="kinds.move", value=0, rule="TA.2", says="movement of a kind, in systems", where="kinds.KIND.move"),
    HouseValue(
        name="kinds.range",
        value=0,
        rule="TA.3",
        says="range of a PDS beyond its own system, in systems",
        where="kinds.KIND.range",
    ),
)
