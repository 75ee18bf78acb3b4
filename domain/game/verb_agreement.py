"""Choose verbs that agree with a side: `Athens rolls for the wind`, `the Allies roll for the wind`.

Phrases are written in the third person singular. A scenario or a title declares which sides are plural.
"""

import re

NOUNS = {"die": "dice"}
IRREGULAR = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go"}


def in_plural(phrase: str) -> str:
    """Return the plural form of a phrase. The phrase begins with a verb in the third person singular.

    An adverb in -ly may precede the verb.
    """
    found = re.match(r"((?:\w+ly )?)(\w+)(.*)", phrase, re.DOTALL)
    return f"{found[1]}{_many(found[2])}{found[3]}" if found else phrase


def _many(verb: str) -> str:
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb.endswith("ies") and len(verb) > len("lies"):
        return f"{verb[:-3]}y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return verb[:-2]
    return verb.removesuffix("s")


def counted(number: object, noun: str) -> str:
    """Return a number with its noun: `1 order`, `3 orders`, `1 die`, `2 dice`, `2 hexes`."""
    return f"{number} {noun}" if str(number) == "1" else f"{number} {_plural(noun)}"


def _plural(noun: str) -> str:
    if noun in NOUNS:
        return NOUNS[noun]
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
