"""The numbers that the rules do not print."""

from umpire_ledger.kit import Ours

CUBE = Ours(name="white-cube", value=1, rule="3", says="what a white cube adds to a die (a sister page has it so)")
SLACK = Ours(
    name="disengage-slack", value=10, rule="2d", says="percent by which one piece length back may be measured wrongly"
)
OURS = (
    *(CUBE, SLACK),
    Ours(
        name="activation",
        value="each success is an action, none is a failure",
        rule="3",
        says="what successes bring where the scenario has no activation table",
        where="tables.activation",
    ),
)
