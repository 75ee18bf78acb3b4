"""Provide the command line (`umpire …`). Commands parse, call and print; they contain no game rules and no SQL.

Imports `service`, `desk` with all its rooms, `projections/record`, `projections/tables`, `projections/questions`,
`projections/reports`, `domain/game`, `domain/kit`, `domain/flow`, `domain/play` and all of the ledger.
"""

if __name__ != "umpire_ledger.cli":  # a second import would make classes that are unequal to the first ones
    raise ImportError(f"{__name__} is a part of umpire_ledger: import umpire_ledger.{__name__}", name=__name__)
