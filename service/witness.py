"""Serve a witness over HTTP as in C2SP tlog-witness. It is public, because it returns only its own signatures."""

from pathlib import Path
from typing import Any

from litestar import Request, Response, post
from litestar.params import RawBody

from umpire_ledger.desk.core.errors import NotWitnessed, WrongUse
from umpire_ledger.desk.signing.key_store import KeyFolder
from umpire_ledger.desk.signing.witness import MOST_REQUEST, Submission, Witness
from umpire_ledger.service.service import service_of

PLAIN = "text/plain; charset=utf-8"
SIZE = "text/x.tlog.size"
CONFLICT = 409


def served_witness(folder: str) -> Witness:
    """Return the witness in a folder.

    Raises:
        WrongUse: When its key has a pass-phrase, because a server cannot ask for it.
    """

    def nobody(name: str) -> str:
        remedy = "create a key for the server without a pass-phrase, in a folder that only the server can read"
        raise WrongUse(f"the key of {name} has a pass-phrase", where=folder, rule="witness", remedy=remedy)

    return Witness(Path(folder), KeyFolder(Path(folder), nobody))


@post("/witness/add-checkpoint", sync_to_thread=True, status_code=200, request_max_body_size=MOST_REQUEST)
def add_checkpoint(request: Request[Any, Any, Any], body: RawBody) -> Response[str]:
    """Cosign a checkpoint that extends the newest one of its game. Body and answers are those of C2SP tlog-witness."""
    witness = served_witness(service_of(request.app).settings.witness)
    try:
        line = witness.add(Submission.read(body.decode(errors="replace"))).line()
    except NotWitnessed as refusal:
        if refusal.status == CONFLICT:
            said = {"Content-Type": SIZE}  # as a header, because the framework adds a charset to any other text
            return Response(f"{refusal.size}\n", status_code=CONFLICT, headers=said)
        return Response(f"{refusal.what}\n{refusal.remedy}\n", status_code=refusal.status, media_type=PLAIN)
    return Response(line, media_type=PLAIN)
