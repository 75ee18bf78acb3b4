"""Do the tests hold? Faults are planted one by one in a copy of the tree, and the tests that reach them are run.

    python -m tests.mutants --seed 1
    python -m tests.mutants --seed 7 --area dice --area money --critical 50

The first run measures which tests reach which line, which takes as long as all tests twice. `areas.toml` says what is
planted where; `equivalent.toml` lists the changes that change nothing, each with the reason. The exit code is 0 when
at least 95 % of the faults are caught in every area, and all of them in the critical ones: secrets, dice, money, and
who may act. A test that is held up catches its fault.
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
from tests.mutants.trees import Reach, Tree

GOAL = 95
"""Per cent of the faults of an area."""


class Tried(msgspec.Struct, frozen=True):
    """A fault that was planted. `tests`: how many were run until one failed, or all."""

    area: str
    fault: Fault
    caught: bool
    tests: int


def chosen(files: list[str], count: int, seed: str, known: set[tuple[str, str, str]]) -> list[Fault]:
    """Faults for an area: by turns one of every kind, and never two in a line."""
    chance = random.Random(seed)
    by_kind: dict[str, list[Fault]] = {kind: [] for kind in CHANGES}
    for file in files:
        for fault in faults_of(file, (ROOT / file).read_bytes()):
            if fault.name not in known:
                by_kind[fault.kind].append(fault)
    for faults in by_kind.values():
        chance.shuffle(faults)
    found: dict[tuple[str, int], Fault] = {}
    for kind in cycle(chance.sample(list(by_kind), len(by_kind))):
        if len(found) >= count or not any(by_kind.values()):
            return list(found.values())
        if by_kind[kind]:
            fault = by_kind[kind].pop()
            found.setdefault((fault.file, fault.line), fault)
    raise AssertionError("the kinds go round for ever")


def try_all(
    planned: list[tuple[str, Fault]], areas: Areas, reach: Reach, trees: list[Tree], most: float
) -> list[Tried]:
    """Plant every fault, as many at once as there are copies."""
    free: SimpleQueue[Tree] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def sound(tree: Tree, plan: tuple[str, Fault]) -> None:
        of, fault = plan
        tree.verify_sound(reach.tests_of(fault, areas.areas[of].tests, (), most))

    def one(of: str, fault: Fault) -> Tried:
        tests = reach.tests_of(fault, areas.areas[of].tests, areas.areas[of].always, most)
        tree = free.get()
        try:
            caught = tree.run(fault, tests)
        finally:
            free.put(tree)
        said = "caught" if caught else f"SURVIVED {len(tests)} tests: {fault.was} => {fault.becomes}"
        print(f"{fault.at}: {fault.kind}: {said}", file=sys.stderr, flush=True)
        return Tried(of, fault, caught, len(tests))

    with ThreadPoolExecutor(len(trees)) as pool:
        list(pool.map(sound, trees, planned))
        return list(pool.map(lambda plan: one(*plan), planned))


def told(tried: list[Tried], areas: Areas) -> Iterator[str]:
    """The table, and every survivor."""
    yield f"{'area':22} {'planted':>8} {'caught':>7} {'survived':>9} {'rate':>7}"
    for name in dict.fromkeys(one.area for one in tried):
        own = [one for one in tried if one.area == name]
        caught = sum(one.caught for one in own)
        goal = (
            ""
            if is_met(own, areas)
            else "  every one must be caught"
            if areas.areas[name].critical
            else f"  < {GOAL} %"
        )
        yield f"{name:22} {len(own):8} {caught:7} {len(own) - caught:9} {100 * caught / len(own):6.1f}%{goal}"
    for one in tried:
        if not one.caught:
            yield f"\n{one.fault.at}: {one.fault.kind} ({one.area}; {one.tests} tests passed)"
            yield f"  - {one.fault.was}\n  + {one.fault.becomes}"


def is_met(own: list[Tried], areas: Areas) -> bool:
    """Whether the goal of an area is met."""
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
    trees = [Tree(folder / str(number)) for number in range(asked.jobs)]
    reach = Reach(folder, areas.never)
    reach.measure(trees[0], asked.jobs)
    measured = time.monotonic()
    tried = try_all(planned, areas, reach, trees, asked.seconds)
    print(*told(tried, areas), sep="\n")
    met = all(is_met([one for one in tried if one.area == name], areas) for name in {one.area for one in tried})
    print(
        f"\nmutants: {len(tried)} faults, seed {asked.seed}: {sum(not one.caught for one in tried)} survived;"
        f" goals {'met' if met else 'missed'} ({len(equivalent)} declared equivalent)"
        f" in {time.monotonic() - measured:.0f} s, after {measured - began:.0f} s of measuring"
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
