"""Build the documentation as a site: `python docs/site [FOLDER]`, `.site` here if left out.

Sphinx builds it from the pages of `docs/`, `ledger/FORMAT.md` and the docstrings; a warning fails the build. Then every
link of the site is checked. Nothing in the site is fetched from another place when it is read.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import api
import links
import sources
from sphinx.cmd.build import build_main

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = str(Path(__file__).parent)


def main(folder: Path) -> int:
    """Write the site; its first page is `index.html`. Return an exit code."""
    with TemporaryDirectory() as made:
        source = Path(made) / "source"
        sources.gather(ROOT, source)
        api.write(source / "reference" / "api")
        options = ["--quiet", "--fail-on-warning", "--keep-going", "-c", CONFIGURATION, "-d", f"{made}/doctrees"]
        if code := build_main([*options, str(source), str(folder)]):
            return code
    faults = list(links.faults_of(folder))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))  # the API reference is that of this clone, installed or not
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".site"))
