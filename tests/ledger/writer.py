"""Write orders until killed or done: python -m tests.ledger.writer FILE NAME COUNT.

Each order has three records with the number of orders that this writer has had acknowledged. After each
acknowledgement
it prints `NAME n`. On a conflict it reads the new records, prints `late`, and tries again.
"""

from __future__ import annotations

import sys

from tests.face.ledger import Ledger, PositionConflict
from tests.ledger.table import Tally, number


def main(path: str, name: str, count: int) -> None:
    with Ledger.open(path, Tally(), snapshot_every=10) as ledger:
        size, done = ledger.size("g"), 0
        print("ready", flush=True)
        sys.stdin.readline()  # all start at once, with the same records
        while done < count:
            drafts = [number(done) for _ in range(3)]
            try:
                ledger.append("g", after=size, seat=name, command=f"{name} {done}", drafts=drafts)
            except PositionConflict as first:
                size = first.found
                print("late", flush=True)
                continue
            size += 3
            print(f"{name} {done}\n", end="", flush=True)
            done += 1


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
