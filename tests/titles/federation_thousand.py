"""Build a war of a thousand units: the small border war, with fleets of both sides in the rear."""

from tests.titles.federation_table import BORDER_WAR

UNITS = 1000
FLEETS = (("coalition", "klingon", 20), ("alliance", "kzinti", 40))
"""Side, empire and first column of the hexes of those who are added; none of them is in a hex of the border war."""
KINDS = ("CC", "CW", "FF", "DD")
ROWS = 20
STACK = 5


def thousand(units: int = UNITS) -> str:
    """Return a scenario file of `units` units. The order file of the border war plays it too."""
    text = BORDER_WAR.read_text(encoding="utf-8")
    more = units - text.count("[[units]]")
    return "\n".join([text, *(_unit(number) for number in range(more))])


def _unit(number: int) -> str:
    side, empire, column = FLEETS[number % 2]
    stack = number // 2 // STACK
    return (
        f'[[units]]\nid = "{empire}-{number}"\nside = "{side}"\nempire = "{empire}"\n'
        f'kind = "{KINDS[number % len(KINDS)]}"\nat = "{column + stack // ROWS:02}{1 + stack % ROWS:02}"\n'
        "attack = 6\ndefense = 6\ncrippled_attack = 3\ncrippled_defense = 3\ncommand = 6\n"
    )
