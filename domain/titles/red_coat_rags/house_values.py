"""Set the numbers that the rules do not print."""

from umpire_ledger.kit import HouseValue

CUBE = HouseValue(
    name="white-cube", value=1, rule="3", says="what a white cube adds to a die (a sister page has it so)"
)
SLACK = HouseValue(
    name="disengage-slack", value=10, rule="2d", says="percent by which one piece length back may be measured wrongly"
)
STRAIGHT = HouseValue(
    name="disengage-points",
    value=1,
    rule="2d",
    says="points of the compass, of sixteen, by which the way back may differ from straight back",
)
CONTACT = HouseValue(
    name="contact-slack",
    value=10,
    rule="4a",
    says="percent of a piece length by which an edge or a corner may be measured wrongly",
)
OURS = (
    *(CUBE, SLACK, STRAIGHT, CONTACT),
    HouseValue(
        name="activation",
        value="each success is an action, none is a failure",
        rule="3",
        says="what successes bring where the scenario has no activation table",
        where="tables.activation",
    ),
)
