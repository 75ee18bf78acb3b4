"""Set the numbers that the rules do not print."""

from umpire_ledger.kit import HouseValue

CUBE = HouseValue(name="white-cube", value=1, rule="3", says="bonus to a die for a white cube (as on a related page)")
SLACK = HouseValue(name="disengage-slack", value=10, rule="2d", says="deviation from one piece length back, in percent")
STRAIGHT = HouseValue(
    name="disengage-points",
    value=1,
    rule="2d",
    says="deviation from straight back, in compass points of sixteen",
)
CONTACT = HouseValue(
    name="contact-slack",
    value=10,
    rule="4a",
    says="tolerance in percent of a piece length for an edge or a corner",
)
OURS = (
    *(CUBE, SLACK, STRAIGHT, CONTACT),
    HouseValue(
        name="activation",
        value="each success gives one action; no success is a failure",
        rule="3",
        says="result of successes if the scenario has no activation table",
        where="tables.activation",
    ),
)
