"""Time the replay page in the browser: opening, stepping, searching, checking its log, and its size.

python -m tests.benchmarks.bench_page [records ...]

Floors of the same run: the browser loading the same bytes without the script, a scan of the same sentences as one text,
and five bare SHA-256 a record. Times that were promised to readers are in the next column: of those the best of some
rounds counts, because other work of the machine only adds. It requires Chromium and the extra `browser`.
"""

import statistics
import sys
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import umpire_ledger as umpire
from tests.benchmarks.games import fill
from tests.benchmarks.measure import Row, show
from tests.browser.browsers import CHROMIUM, FLAGS
from umpire_ledger.desk.core.adapters import GameStateBuilder
from umpire_ledger.ledger.ledger import Ledger

FRAME = 16.0
"""Milliseconds."""
ROUNDS = 5
WATCH = """
const since = () => performance.now();
new MutationObserver(() => {
  if (document.documentElement.dataset.ready === "yes") globalThis.readyAt ??= since();
}).observe(document, {attributes: true, subtree: true, attributeFilter: ["data-ready"]});
document.addEventListener("umpire:verdict", () => (globalThis.verdictAt ??= since()));
globalThis.pauses = [];
let last = since();
const frame = () => {
  const now = since();
  globalThis.pauses.push(now - last);
  last = now;
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""
STEPS = """(by) => {
  const took = [];
  let at = Math.floor((facts.first + facts.last) / 2);
  for (let step = 0; step < 200; step += 1) {
    at = by === 1 ? at + 1 : facts.first + (at * 7919) % (facts.last - facts.first);
    const began = performance.now();
    go(at);
    document.body.offsetHeight;
    took.push(performance.now() - began);
  }
  return took.sort((one, other) => one - other);
}"""
SEARCHES = """(word) => {
  const began = performance.now();
  seek(word);
  document.body.offsetHeight;
  const took = performance.now() - began;
  seek("");
  return took;
}"""
SCANS = """(word) => {
  globalThis.all ??= orders.map((order, number) => haystack(number)).join("\\n");
  const began = performance.now();
  let found = 0;
  for (let at = all.indexOf(word); at >= 0; at = all.indexOf(word, at + 1)) found += 1;
  return performance.now() - began;
}"""
HASHES = """async () => {
  const began = performance.now();
  const message = new Uint8Array(300);
  const hash = () => crypto.subtle.digest("SHA-256", message);
  for (let left = 5 * facts.size; left > 0; left -= 256) {
    await Promise.all(Array.from({length: Math.min(256, left)}, hash));
  }
  return performance.now() - began;
}"""


def made(folder: Path, records: int) -> tuple[Path, int]:
    """Write the page of a long campaign, and return it with the bytes of its export."""
    ledger = folder / f"{records}.db"
    with Ledger.open(ledger, GameStateBuilder()) as filled:
        fill(filled, records)
    page, export = folder / f"{records}.html", folder / f"{records}.jsonl"
    with umpire.open(ledger) as desk:
        desk.game("g").referee.page(page)
        desk.game("g").referee.export(export)
    return page, export.stat().st_size


def bare(page: Path) -> Path:
    """Write the same bytes with the script as plain text."""
    head, script = page.read_bytes().rsplit(b"\n<script>", 1)
    file = page.with_name(f"bare {page.name}")
    file.write_bytes(head + b'\n<script type="text/plain">' + script)
    return file


class Window:
    """One page in a fresh window of the browser."""

    def __init__(self, browser: Any, file: Path) -> None:
        self.page = browser.new_page(viewport={"width": 1400, "height": 900})
        self.page.set_default_timeout(120_000)
        self.page.add_init_script(WATCH)
        self.page.goto(file.as_uri(), wait_until="load")

    def opened(self) -> float:
        """Return the milliseconds from the beginning until a reader can use it."""
        self.page.wait_for_selector("html[data-ready=yes]")
        return float(self.page.evaluate("readyAt"))

    def loaded(self) -> float:
        """Return the milliseconds until a file without script was loaded and laid out."""
        return float(self.page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"))

    def checked(self) -> tuple[float, float]:
        """Return the milliseconds from usable to verdict, and the longest time without drawing."""
        self.page.evaluate("pauses.length = 0")
        self.page.wait_for_selector("#verdict.good")
        return float(self.page.evaluate("verdictAt - readyAt")), float(self.page.evaluate("Math.max(0, ...pauses)"))


@contextmanager
def chromium() -> Any:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 -- it may be missing

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


def best(work: Callable[[], float]) -> float:
    return min(work() for _ in range(ROUNDS))


def opening_rows(browser: Any, page: Path, records: int, goal: float) -> list[Row]:
    """Time the opening of a page. `goal`: seconds."""
    floor_file = bare(page)
    pairs = []
    for _ in range(ROUNDS):
        windows = Window(browser, page), Window(browser, floor_file)
        pairs.append((windows[0].opened(), windows[1].loaded()))
        for one in windows:
            one.page.close()
    opens = min(one for one, _ in pairs) / 1000
    against = statistics.median(one / floor for one, floor in pairs)
    name = f"page, {records:,} records: opening"
    return [
        Row(name, f"{goal:g} s", opens / goal, "at most", 1),
        Row(name, "the browser loading the same bytes", against, "at most", 10),
    ]


def using_rows(browser: Any, page: Path, records: int) -> list[Row]:
    window = Window(browser, page)
    window.opened()
    name = f"page, {records:,} records"
    took, pause = window.checked()
    hashing = float(window.page.evaluate(HASHES))
    rows = [
        Row(f"{name}: checking its log", "five bare SHA-256 a record", took / hashing, "at most", 4),
        Row(f"{name}: longest pause meanwhile", "100 ms", pause / 100, "at most", 1),
    ]
    for way, by in (("a step", 1), ("a leap", 0)):
        rounds = [window.page.evaluate(STEPS, by) for _ in range(ROUNDS)]
        for which, at in (("median", 100), ("95 of 100", 190)):
            row = f"{name}: {way}, {which}"
            rows.append(Row(row, "a frame of 16 ms", min(times[at] for times in rounds) / FRAME, "at most", 1))
    window.page.evaluate("orders.forEach((order, number) => haystack(number))")
    for word in ("boarding", "roll 1006"):
        rows += searching_rows(window, name, word)
    window.page.close()
    return rows


def searching_rows(window: Window, name: str, word: str) -> list[Row]:
    ours = best(lambda: float(window.page.evaluate(SEARCHES, word)))
    scan = best(lambda: float(window.page.evaluate(SCANS, word)))
    row = f"{name}: searching “{word}”"
    return [
        Row(row, "100 ms", ours / 100, "at most", 1),
        Row(row, "a scan of the same sentences as one text", ours / max(scan, 0.1), "at most", 300),
    ]


def size_row(page: Path, export: int, records: int) -> Row:
    bound = 1.3 * export + 150_000
    return Row(
        f"page, {records:,} records: size", "1.3 x the export + 150 kB", page.stat().st_size / bound, "at most", 1
    )


def main(*sizes: int) -> None:
    if CHROMIUM is None:
        print("the page is not measured: no Chromium")
        return
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        for records in sizes:
            page, export = made(Path(name), records)
            show([size_row(page, export, records)])
            show(opening_rows(browser, page, records, 1 if records <= 5_000 else 5))
            show(using_rows(browser, page, records))


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:] or ("5000", "50000")))
