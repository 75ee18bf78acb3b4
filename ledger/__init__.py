"""The append-only log: records, their hashes, the stores, replay files. Knows no game."""

if __name__ != "umpire_ledger.ledger":  # a second copy of each class would be made, equal to none of the first
    raise ImportError(f"{__name__} is a part of umpire_ledger: import umpire_ledger.{__name__}", name=__name__)
