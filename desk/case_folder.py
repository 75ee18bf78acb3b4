"""A dispute as a folder: the excerpt, the states before and after, the dice, the whole log, the checkpoint."""

from pathlib import Path

import msgspec

from umpire_ledger.desk.log_files import write_log
from umpire_ledger.desk.text_files import whole_folder
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.ledger.tree import Checkpoint
from umpire_ledger.projections.record.inert import inert_json
from umpire_ledger.projections.reports.case_file import Case, case_of, page
from umpire_ledger.projections.reports.disputes import DisputeLine
from umpire_ledger.projections.tables.follower import Follower


class CaseFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A case that was written: `folder` holds `files`; the log is that of the checkpoint."""

    folder: Path
    files: tuple[str, ...]
    case: Case
    checkpoint: Checkpoint


def write_case(follower: Follower, ledger: Ledger[Game], dispute: DisputeLine, seat: str, folder: Path) -> CaseFolder:
    """Write case.md, case.json, replay.jsonl as the seat may see it, checkpoint.txt. Raises WrongUse."""
    with whole_folder(folder) as made:
        found = case_of(follower, ledger, dispute, seat)
        with (made / "replay.jsonl").open("wb") as log:
            checkpoint = write_log(ledger, found.game, log, seat)
        (made / "checkpoint.txt").write_text(checkpoint.text(), encoding="utf-8")
        (made / "case.json").write_text(_json(found), encoding="utf-8")
        (made / "case.md").write_text(page(found), encoding="utf-8")
    files = tuple(sorted(one.name for one in folder.iterdir()))
    return CaseFolder(folder=folder, files=files, case=found, checkpoint=checkpoint)


def _json(case: Case) -> str:
    return msgspec.json.format(inert_json(msgspec.json.encode(case).decode()), indent=2) + "\n"
