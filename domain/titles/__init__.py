"""The registry of titles: one line a title. Other packages bring titles by the entry point group `umpire.titles`.

Modules are imported only when their title is asked for.
"""

from importlib import import_module

from domain.title import Title

BUILT_IN: dict[str, str] = {
    "freeform": "domain.titles.freeform:TITLE",
    "war-galley": "domain.titles.war_galley:TITLE",
}
"""Title id to `module:attribute`."""

ENTRY_POINTS = "umpire.titles"


def load(reference: str) -> Title:
    """The title behind `module:attribute`."""
    module, _, attribute = reference.partition(":")
    title = getattr(import_module(module), attribute)
    if not isinstance(title, Title):
        raise TypeError(f"{reference} is no title")
    return title
