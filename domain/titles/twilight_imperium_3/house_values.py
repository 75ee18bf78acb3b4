"""Set the numbers that the summary does not print: values of a kind of unit that the scenario leaves out."""

from umpire_ledger.kit import HouseValue

OURS = (
    HouseValue(
        name="kinds.dice", value=1, rule="SB.2", says="combat strength multiplier of a kind", where="kinds.KIND.dice"
    ),
    HouseValue(name="kinds.per", value=1, rule="TA.7", says="units of a kind for one cost", where="kinds.KIND.per"),
    HouseValue(
        name="kinds.combat", value=0, rule="SB.2", says="combat value; 0: it does not fight", where="kinds.KIND.combat"
    ),
    HouseValue(name="kinds.move", value=0, rule="TA.2", says="systems that a kind moves", where="kinds.KIND.move"),
    HouseValue(
        name="kinds.range",
        value=0,
        rule="TA.3",
        says="systems that a PDS reaches beyond its own",
        where="kinds.KIND.range",
    ),
)
