"""The way in: `umpire …`. Parses, calls, prints; no rule of a game and no SQL here."""

if __name__ != "umpire_ledger.cli":  # a second copy of each class would be made, equal to none of the first
    raise ImportError(f"{__name__} is a part of umpire_ledger: import umpire_ledger.{__name__}", name=__name__)
