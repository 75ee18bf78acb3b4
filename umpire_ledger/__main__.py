"""`python -m umpire_ledger` is `umpire`."""

from umpire_ledger.cli.main import umpire

if __name__ == "__main__":
    umpire()
