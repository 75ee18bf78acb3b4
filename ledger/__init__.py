"""The append-only log of games: records, their hashes, the stores, and replay logs. It knows no game rules.

Imports `ledger/records`, `ledger/merkle`, `ledger/storage` and `ledger/verification`.
"""

if __name__ != "umpire_ledger.ledger":  # a second copy of each class would equal none of the first
    raise ImportError(f"{__name__} is a part of umpire_ledger: import umpire_ledger.{__name__}", name=__name__)
