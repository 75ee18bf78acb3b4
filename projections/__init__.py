"""What people look at: turn view, audit trail, undo points, dice. Folds of the log, droppable at any time."""

if __name__ != "umpire_ledger.projections":  # a second copy of each class would be made, equal to none of the first
    raise ImportError(f"{__name__} is a part of umpire_ledger: import umpire_ledger.{__name__}", name=__name__)
