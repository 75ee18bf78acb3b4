"""Build the documentation as a site: `python docs/site [FOLDER]`, by default in `.site`.

Sphinx builds the site from the pages of `docs/`, `ledger/FORMAT.md` and the docstrings; a warning fails the build. Then
every link of the site is checked. A reader's browser loads nothing from other hosts.
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
    """Write the site, whose first page is `index.html`, and return an exit code."""
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
    sys.path.insert(0, str(ROOT))  # document the API of this clone, even if it is not installed
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".site"))
