"""The registry of titles: one line a title. Other packages bring titles by the entry point group `umpire.titles`.

Modules are imported only when their title is asked for.

A title imports `umpire_ledger.kit` and its own modules. The registry imports `domain/game`, `domain/sequence` and
`domain/kit`.
"""

from importlib import import_module

from umpire_ledger.domain.kit.title import Title

BUILT_IN: dict[str, str] = {
    "federation-and-empire": "umpire_ledger.domain.titles.federation_and_empire:TITLE",
    "freeform": "umpire_ledger.domain.titles.freeform:TITLE",
    "red-coat-rags": "umpire_ledger.domain.titles.red_coat_rags:TITLE",
    "pacific-war": "umpire_ledger.domain.titles.pacific_war:TITLE",
    "twilight-imperium-3": "umpire_ledger.domain.titles.twilight_imperium_3:TITLE",
    "war-galley": "umpire_ledger.domain.titles.war_galley:TITLE",
}
"""Title id to `module:attribute`."""

ENTRY_POINTS = "umpire.titles"


def load(reference: str) -> Title:
    """The title behind `module:attribute`."""
    module, _, attribute = reference.partition(":")
    title = getattr(import_module(module), attribute)
    if not isinstance(title, Title):
        raise TypeError(f"{reference} is not a title")
    return title
