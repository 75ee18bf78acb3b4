"""Read models built from the log: turn view, audit trail, undo points, dice. They can be rebuilt at any time."""

if __name__ != "umpire_ledger.projections":  # A second import would create classes that differ from the first ones.
    raise ImportError(f"{__name__} is a part of umpire_ledger: import umpire_ledger.{__name__}", name=__name__)
