"""Build the API reference out of the docstrings: `python docs/reference.py [FOLDER]`, `.reference` here if left out.

pdoc does the work. Three things are said to it first: the names of the API, which are imported when they are asked for;
names that stand for something of another module (`Refused`, `EXPECTED`), which are documented where they come from;
and the acts and looks of a seat, which are inherited and are to stand with the seat.
"""

import sys
from pathlib import Path

from pdoc import pdoc, render
from pdoc.doc import Class, Doc, Module

ROOT = Path(__file__).resolve().parents[1]
API = "umpire_ledger"
PAGES = (API, f"{API}.kit", f"{API}.testing")

PLAIN_DATA = tuple(
    f"{API}.{module}"
    for module in (
        *(
            "desk.seat_orders",
            "desk.cases.case_folder",
            "desk.seat_refereeing",
            "desk.logs.log_files",
            "desk.seat_queries",
            "desk.core.outcomes",
        ),
        *(
            "desk.logs.archive",
            "desk.cases.case_check",
            "desk.games.games_list",
            "desk.logs.log_folders",
            "desk.notifications.email",
            "desk.notifications.sender",
        ),
        *(
            "desk.pictures.replay_pages",
            "desk.notifications.webhook",
            "projections.tables.copies",
            "projections.reports.notices",
            "projections.tables.waiting",
        ),
        *("projections.questions.times", "domain.play.scenario_check"),
        *("domain.game.cursor", "domain.game.errors", "domain.game.events", "domain.game.orders", "domain.game.state"),
        "domain.game.values",
        *(
            "ledger.verification.log_checker",
            "ledger.records.errors",
            "ledger.unredact",
            "ledger.merkle.inclusion_proof",
            "ledger.merkle.tree",
        ),
        *(
            "projections.questions.dice_statistics",
            "projections.questions.differences",
            "projections.questions.rewind_preview",
        ),
        *("projections.questions.seat_knowledge", "projections.questions.branches", "projections.questions.rolls"),
        *("projections.questions.order_lines", "projections.tables.order_sentences", "projections.tables.game_status"),
        *(
            "projections.questions.dependency.model",
            "projections.questions.statements",
            "projections.questions.record_explanation",
        ),
        *(
            "projections.reports.case_file",
            "projections.reports.contested_units",
            "projections.reports.conformance",
            "projections.reports.disputes",
        ),
        *("projections.reports.referee", "projections.reports.refused_orders", "projections.reports.sitrep"),
        *("projections.tables.audit_search", "projections.tables.turn_view", "projections.tables.undo_points"),
    )
)
"""Where the types are from that the API takes and gives back. Only those are shown, not what makes them."""


def main(folder: Path) -> None:
    """Write the reference; its first page is `umpire_ledger.html`."""
    name_the_api()
    for page in PAGES:
        for member in Module.from_name(page).members.values():
            stand_with_what_is_inherited(member)
    for page in PLAIN_DATA:
        for module in (Module.from_name(page), *Module.from_name(page).submodules):
            keep_types_only(module)
    render.configure(docformat="google", show_source=False, footer_text="Umpire")
    pdoc(*PAGES, *PLAIN_DATA, output_directory=folder)


def name_the_api() -> None:
    """Every name of the API, with the docstring that it has where it comes from."""
    umpire = Module.from_name(API)
    for name in umpire.obj.__all__:
        getattr(umpire.obj, name)
    for name, member in list(umpire.members.items()):
        if not member.docstring:
            where, _, attribute = umpire.obj._WHERE.get(name, f"{API}.desk.core.edition:EDITION").partition(":")
            origin = Module.from_name(where).members[attribute]
            if isinstance(origin, Class):
                umpire.members[name] = Class(API, name, origin.obj, (where, attribute))
            else:
                member.docstring = origin.docstring


def stand_with_what_is_inherited(member: Doc) -> None:
    """A class shows whatever it has of Umpire, not only what is written in its own body."""
    if isinstance(member, Class):
        member.own_members = [one for one in member.members.values() if one.taken_from[0].startswith(API)]
        member.inherited_members = {}


def keep_types_only(module: Module) -> None:
    """Of a module of ours only its classes and named types."""
    for name, member in list(module.members.items()):
        names_a_type = member.kind == "variable" and name[0].isupper() and not name.isupper()
        if not isinstance(member, Class) and not names_a_type:
            del module.members[name]


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".reference"))
