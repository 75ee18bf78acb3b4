"""Check the tests: plant faults one by one in a copy of the tree, and run the tests that reach them.

    python -m tests.mutants --seed 1
    python -m tests.mutants --seed 7 --area dice --area money --critical 50
    python -m tests.mutants --area ledger --others 40 --about-only

The first run measures which tests reach which line, which takes as long as all tests twice. `areas.toml` declares the
areas; `equivalent.toml` lists changes without effect, each with the reason. The exit code is 0 when
at least 95 % of the faults are caught in every area, and all of them in the critical ones: secrets, dice, money, and
who may act. A fault is caught when a test fails or is held up with it, and passes without it right afterwards. Caught
faults are stored: an interrupted run continues when it is started again, and tries the survivors once more.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from queue import SimpleQueue

import msgspec

from tests.mutants.declared import ROOT, Areas, ByHand, Equivalent, read
from tests.mutants.faults import CHANGES, Fault, faults_of
from tests.mutants.kept import Caught
from tests.mutants.trees import Failed, Reach, Tree

GOAL = 95
"""Per cent of the faults of an area."""


class Tried(msgspec.Struct, frozen=True):
    """A fault that was planted. `tests`: the number of tests that could catch it."""

    area: str
    fault: Fault
    by: Failed
    tests: int

    @property
    def caught(self) -> bool:
        return bool(self.by.test)


def chosen(files: list[str], count: int, seed: str, known: set[tuple[str, str, str]]) -> list[Fault]:
    """Draw faults for an area, taking turns between the kinds, with at most one a line.

    `known` are passed over when their turn comes, so that one more of them changes no other draw.
    """
    chance = random.Random(seed)
    by_kind: dict[str, list[Fault]] = {kind: [] for kind in CHANGES}
    for file in files:
        for fault in faults_of(file, (ROOT / file).read_bytes()):
            by_kind[fault.kind].append(fault)
    for faults in by_kind.values():
        chance.shuffle(faults)
    found: dict[tuple[str, int], Fault] = {}
    for kind in cycle(chance.sample(list(by_kind), len(by_kind))):
        if len(found) >= count or not any(by_kind.values()):
            return list(found.values())
        if by_kind[kind]:
            fault = by_kind[kind].pop()
            if fault.name not in known:
                found.setdefault((fault.file, fault.line), fault)
    raise AssertionError("the kinds go round for ever")


def try_all(
    planned: list[tuple[str, Fault]], areas: Areas, reach: Reach, trees: list[Tree], most: float, kept: Caught
) -> list[Tried]:
    """Plant every fault that was not caught before, as many at once as there are copies."""
    free: SimpleQueue[Tree] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def sound(tree: Tree, plan: tuple[str, Fault]) -> None:
        of, fault = plan
        tree.verify_sound(reach.tests_of(fault, areas.areas[of].tests, (), most))

    def one(of: str, fault: Fault) -> Tried:
        tests = reach.tests_of(fault, areas.areas[of].tests, areas.areas[of].always, most)
        failed = kept.by(fault)
        if not failed.test:
            tree = free.get()
            try:
                failed = tree.run(fault, tests)
            finally:
                free.put(tree)
            if failed.test:
                kept.keep(fault, failed)
        said = f"caught by {failed.test}" if failed.test else f"SURVIVED {len(tests)} tests: {fault.change}"
        print(f"{fault.at}: {fault.kind}: {said}", file=sys.stderr, flush=True)
        return Tried(of, fault, failed, len(tests))

    with ThreadPoolExecutor(len(trees)) as pool:
        list(pool.map(sound, trees, planned))
        return list(pool.map(lambda plan: one(*plan), planned))


def told(tried: list[Tried], areas: Areas, equivalent: list[Equivalent]) -> Iterator[str]:
    """Yield the lines of the table and every survivor. Equivalent changes are counted, but not planted."""
    files = areas.files()
    yield f"{'area':22} {'planted':>8} {'caught':>7} {'held up':>8} {'survived':>9} {'equivalent':>11} {'rate':>7}"
    for name in dict.fromkeys(one.area for one in tried):
        own = [one for one in tried if one.area == name]
        caught = [one for one in own if one.caught]
        counts = f"{len(own):8} {len(caught):7} {sum(one.by.held_up for one in caught):8} {len(own) - len(caught):9}"
        counts += f" {sum(one.file in files[name] for one in equivalent):11}"
        yield f"{name:22} {counts} {100 * len(caught) / len(own):6.1f}%{goal_of(own, areas)}"
    for one in tried:
        if not one.caught:
            yield f"\n{one.fault.at}: {one.fault.kind} ({one.area}; {one.tests} tests passed)"
            yield f"  - {one.fault.was}\n  + {one.fault.becomes}"


def goal_of(own: list[Tried], areas: Areas) -> str:
    """Return the goal of an area if it is missed, otherwise ""."""
    if is_met(own, areas):
        return ""
    return "  every one must be caught" if areas.areas[own[0].area].critical else f"  < {GOAL} %"


def is_met(own: list[Tried], areas: Areas) -> bool:
    """Return whether the goal of an area is met."""
    caught = sum(one.caught for one in own)
    return caught == len(own) if areas.areas[own[0].area].critical else 100 * caught >= GOAL * len(own)


def main() -> int:
    areas: Areas = read("areas.toml", Areas)
    equivalent: list[Equivalent] = read("equivalent.toml", dict[str, list[Equivalent]])["equivalent"]
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--critical", type=int, default=20, help="faults in each critical area")
    parser.add_argument("--others", type=int, default=10, help="faults in each other area")
    parser.add_argument("--area", action="append", choices=list(areas.areas), help="only this area; may be repeated")
    parser.add_argument("--seconds", type=float, default=120, help="of tests, as measured, for one fault")
    parser.add_argument(
        "--about-only",
        action="store_true",
        help="measure and run only tests about these areas: sooner; a lower bound",
    )
    parser.add_argument("--jobs", type=int, default=2, help="faults at once, each in a copy of the tree")
    parser.add_argument("--folder", type=Path, default=ROOT / ".umpire/mutants", help="where copies and measures lie")
    asked = parser.parse_args()
    began = time.monotonic()
    known = {(one.file, one.was, one.becomes) for one in equivalent}
    files = areas.files()
    by_hand: list[ByHand] = read("by_hand.toml", dict[str, list[ByHand]])["fault"]
    planned: list[tuple[str, Fault]] = []
    for name in asked.area or areas.areas:
        count = asked.critical if areas.areas[name].critical else asked.others
        planned += [(name, one.fault()) for one in by_hand if one.area == name]
        planned += [(name, fault) for fault in chosen(files[name], count, f"{asked.seed} {name}", known)]
    folder = asked.folder.resolve()
    only = [test for name in asked.area or areas.areas for test in areas.areas[name].tests] if asked.about_only else []
    reach = Reach(folder, areas.never, only)
    trees = [Tree(folder / str(number), reach.only or ["tests"]) for number in range(asked.jobs)]
    reach.measure(trees[0], asked.jobs)
    measured = time.monotonic()
    kept = Caught(folder / "caught.jsonl", reach.product())
    tried = try_all(planned, areas, reach, trees, asked.seconds, kept)
    print(*told(tried, areas, equivalent), sep="\n")
    met = all(is_met([one for one in tried if one.area == name], areas) for name in {one.area for one in tried})
    print(
        f"\nmutants: {len(tried)} faults, seed {asked.seed}: {sum(not one.caught for one in tried)} survived;"
        f" goals {'met' if met else 'missed'} ({len(equivalent)} declared equivalent)"
        f" in {time.monotonic() - measured:.0f} s, after {measured - began:.0f} s of measuring"
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
