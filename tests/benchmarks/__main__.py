"""Every benchmark, one table: `python -m tests.benchmarks` (some minutes; a number of records makes it shorter)."""

import sys

from tests.benchmarks import (
    bench_battle,
    bench_federation,
    bench_ledger,
    bench_page,
    bench_projections,
    bench_sequence,
    bench_start,
)

if __name__ == "__main__":
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 250_000
    bench_ledger.main(records)
    bench_start.main(5_000)
    bench_sequence.main(2_000)
    bench_projections.main(records)
    bench_federation.main()
    bench_battle.main()
    bench_page.main(5_000, 50_000)
