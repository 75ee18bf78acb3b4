"""Write units, dates and losses as players do: `4xD5`, `D6 (crippled)`, `Turn 3, Fall Y168`, `1202: Z: crip CC`."""

from collections import Counter
from collections.abc import Iterable

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    at_hex,
    date_of,
    empire_of,
    hex_in_hand,
    is_crippled,
    kind_of,
    payer_of,
    phasing,
    printed_of,
    serving,
)
from umpire_ledger.kit import Game, Notation, Unit


def counted(kinds: Iterable[str]) -> str:
    """Return kinds in alphabetical order, with a number for those that occur more than once: `CC, 4xD5`."""
    return ", ".join(f"{number}x{kind}" if number > 1 else kind for kind, number in sorted(Counter(kinds).items()))


def by_empire(game: Game, units: Iterable[Unit]) -> dict[str, list[Unit]]:
    """Return the units by the letter of the empire that has them now, in alphabetical order of the letters."""
    found: dict[str, list[Unit]] = {}
    for unit in sorted(units, key=lambda unit: unit.id):
        found.setdefault(letter_of(game, unit), []).append(unit)
    return dict(sorted(found.items()))


def letter_of(game: Game, unit: Unit) -> str:
    """Return the letter of the empire that has a unit: the captor's of a prize, the lessee's of a leased ship."""
    return printed_of(game, payer_of(game, unit), "letter") or _first_letter(game, unit) or "?"


def _first_letter(game: Game, unit: Unit) -> str:
    """Return the letter of the empire that a unit comes from."""
    return printed_of(game, empire_of(unit), "letter")


def stack(game: Game, units: Iterable[Unit]) -> str:
    """Return the units of a place in words: `K: CC (crippled, from Z), 4xD5; Z: CC`."""
    return "; ".join(
        f"{letter}: {counted(kind_of(unit) + _states(game, unit, letter) for unit in of_empire)}"
        for letter, of_empire in by_empire(game, units).items()
    )


def _states(game: Game, unit: Unit, letter: str) -> str:
    """Return in brackets the state that sets a unit apart from others of its kind; "" if there is none."""
    said = ["crippled"] if is_crippled(unit) else []
    said += ["mothballed"] if unit.get("mothballed") is True else []
    first = _first_letter(game, unit)
    said += [f"from {first}"] if first not in ("", letter) else []
    return f" ({', '.join(said)})" if said else ""


def losses(game: Game, place: str, lost: Iterable[Unit], crippled: Iterable[Unit]) -> str:
    """Return a battle in one line: `1202: L: lost DWE; Z: crip CC`."""
    gone, hurt = by_empire(game, lost), by_empire(game, crippled)
    parts = []
    for letter in sorted({*gone, *hurt}):
        said = [f"lost {counted(map(kind_of, gone[letter]))}"] if letter in gone else []
        said += [f"crip {counted(map(kind_of, hurt[letter]))}"] if letter in hurt else []
        parts.append(f"{letter}: {', '.join(said)}")
    return f"{place}: {'; '.join(parts) or 'no losses'}"


def tells(game: Game) -> tuple[str, ...]:
    """Return the date, the phasing side, and the units in the current battle hex or pursuit."""
    side = game.side_name(phasing(game)) if phasing(game) else ""
    here = hex_in_hand(game)
    standing = (f"{here}: {stack(game, at_hex(game, here))}",) if here else ()
    standing = (_chase(game, here),) if game.cursor.frame("5-S8") is not None else standing
    return (f"{date_of(game)}{f', {side}' if side else ''}", *standing)


def _chase(game: Game, here: str) -> str:
    """Return the pursuers and the pursued by place: `pursuit from 0902: 0902: K: 2xD7; 1001: Z: CM (crippled)`."""
    units = serving(game)
    places = dict.fromkeys((here, *sorted(unit.at for unit in units)))
    stacks = ((at, [unit for unit in units if unit.at == at]) for at in places)
    return f"pursuit from {here}: " + "; ".join(f"{at}: {stack(game, there)}" for at, there in stacks if there)


NOTATION = Notation(tells=tells, date=date_of, stack=stack, losses=losses)
