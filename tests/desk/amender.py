"""A process that amends a game over and over: `python -m tests.desk.amender LEDGER POSITION`."""

import sys

from tests.face.desk import open_ledger, open_session
from tests.face.domain import REFEREE


def main(path: str, position: int) -> None:
    """Print `ready`, wait for a line, and print a line after each recorded amendment."""
    with open_ledger(path) as ledger:
        print("ready", flush=True)
        sys.stdin.readline()
        while True:
            order = {"as": REFEREE, "order": "amend", "at": position, "how": "reroll", "why": "again", "dice": "keep"}
            outcome = open_session(ledger, "g").order(order)
            position = outcome.records[1].position
            print(len(outcome.records), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
