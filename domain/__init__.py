"""The games: events, sequence of play, orders, dice, one folder a title. Pure: no clock, file, environment or store."""

if __name__ != "umpire_ledger.domain":  # a second copy of each class would equal none of the first
    raise ImportError(f"{__name__} is a part of umpire_ledger: import umpire_ledger.{__name__}", name=__name__)
