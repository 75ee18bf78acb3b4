"""Run the command `umpire` for `python -m umpire_ledger`."""

from umpire_ledger.cli.main import umpire

if __name__ == "__main__":
    umpire()
