"""Gather the pages of the site: the pages of `docs/`, and README, CONTRIBUTING and the log format from elsewhere."""

import os
import re
import shutil
from pathlib import Path, PurePosixPath

ELSEWHERE = {
    "README.md": "readme.md",
    "CONTRIBUTING.md": "contributing.md",
    "ledger/FORMAT.md": "reference/log-format.md",
}
"""Pages outside `docs/`, and their paths in the site."""
LINK = re.compile(r"\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)")
SECTION = re.compile(r"^## (?P<heading>[^:\n]+).*\n(?P<text>(?:(?!## ).*\n?)*)", re.MULTILINE)


def gather(root: Path, folder: Path) -> None:
    """Copy the pages to a folder, and adapt their links to it."""
    shutil.copytree(root / "docs" / "images", folder / "images")
    for page in (root / "docs").rglob("*.md"):
        _copy(root, page.relative_to(root).as_posix(), folder)
    for page in ELSEWHERE:
        _copy(root, page, folder)
    index = folder / "index.md"
    index.write_text(index.read_text(encoding="utf-8") + tables_of_contents(index), encoding="utf-8")


def _copy(root: Path, page: str, folder: Path) -> None:
    text = (root / page).read_text(encoding="utf-8")
    place = place_of(page)
    assert place is not None
    made = folder / place
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(LINK.sub(lambda link: _link(link, root, page), text), encoding="utf-8")


def place_of(file: str) -> str | None:
    """Return the path in the site of a file of the repository; None for a file that the site does not contain."""
    return file.removeprefix("docs/") if file.startswith("docs/") else ELSEWHERE.get(file)


def _link(link: re.Match[str], root: Path, page: str) -> str:
    """Return a link for the site: to its page there, or only the name of a file that the site does not contain."""
    path, mark, anchor = link["target"].partition("#")
    if not path or ":" in path:
        return link[0]
    file = os.path.normpath(PurePosixPath(page).parent / path)
    place = place_of(file)
    if place is None:
        assert (root / file).exists(), f"{page}: {file}"
        return f"`{file}`"
    here = str(PurePosixPath(place_of(page) or "").parent)
    return f"[{link['text']}]({os.path.relpath(place, here)}{mark}{anchor})"


def tables_of_contents(index: Path) -> str:
    """Return the contents of the sidebar: the sections of the index, with the pages to which each section links."""
    parts = []
    for section in SECTION.finditer(index.read_text(encoding="utf-8")):
        pages = [link["target"].removesuffix(".md") for link in LINK.finditer(section["text"])]
        if section["heading"] == "Reference":
            pages.append("reference/api/index")
        listed = "\n".join(page for page in pages if "#" not in page)
        parts.append(f"```{{toctree}}\n:hidden:\n:caption: {section['heading']}\n\n{listed}\n```\n")
    parts.append("```{toctree}\n:hidden:\n:caption: Project\n\nreadme\ncontributing\n```\n")
    return "\n" + "\n".join(parts)
