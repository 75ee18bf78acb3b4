"""Store caught faults in a file, so that an interrupted run continues at the same point."""

import hashlib
import json
from pathlib import Path

from tests.mutants.declared import ROOT
from tests.mutants.faults import Fault
from tests.mutants.trees import Failed


class Caught:
    """The faults that were caught. A line holds as long as neither the product nor the test that caught it changes."""

    def __init__(self, file: Path, product: str) -> None:
        self.file = file
        self.product = product
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        self.known: dict[str, list[str]] = {key: rest for key, *rest in map(json.loads, lines)}

    def by(self, fault: Fault) -> Failed:
        """Return the test that caught a fault, if neither the product nor that test has changed."""
        test, prints, held_up = self.known.get(self._key(fault), ("", "", ""))
        return Failed(test, bool(held_up)) if test and prints == _prints(test) else Failed()

    def keep(self, fault: Fault, failed: Failed) -> None:
        line = [self._key(fault), failed.test, _prints(failed.test), "held up" if failed.held_up else ""]
        with self.file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")

    def _key(self, fault: Fault) -> str:
        return " ".join((self.product, fault.file, f"{fault.start}-{fault.end}", fault.new))


def _prints(test: str) -> str:
    file = ROOT / test.partition("::")[0]
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else "gone"
