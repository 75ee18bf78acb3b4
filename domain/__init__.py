"""The games as pure code (no clock, file, environment or store): events, sequence of play, orders, dice, titles."""

if __name__ != "umpire_ledger.domain":  # a second copy of each class would equal none of the first
    raise ImportError(f"{__name__} is a part of umpire_ledger: import umpire_ledger.{__name__}", name=__name__)
