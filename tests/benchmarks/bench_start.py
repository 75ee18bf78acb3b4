"""`umpire status` as a whole process, against a process that only imports what every command needs.

python -m tests.benchmarks.bench_start [records]
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.games import fill
from tests.benchmarks.measure import Row, another_process, ratio, show
from umpire_ledger.desk.core.adapters import GameStateBuilder
from umpire_ledger.ledger.ledger import Ledger

FLOOR = [sys.executable, "-c", "import click, msgspec, immutables, sqlite3"]


def status_row(folder: Path, records: int) -> Row:
    """With the read models up to date, as they are after every order."""
    file = folder / "umpire.db"
    with Ledger.open(file, GameStateBuilder()) as ledger:
        fill(ledger, records)
    status = [sys.executable, "-m", "umpire_ledger.cli.main", "status", "g", "--ledger", str(file)]
    environment = another_process()

    def run(command: list[str]) -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)

    run(status)
    measured = ratio(lambda: run(status), lambda: run(FLOOR), rounds=15)
    return Row(f"umpire status, {records:,} records", "importing what every command needs", measured, "at most", 1.25)


def main(records: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        show([status_row(Path(name), records)])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000)
