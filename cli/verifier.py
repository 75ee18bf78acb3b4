"""Write the one-page program that checks a log on a machine without Umpire (`umpire verifier`)."""

import sys

import click

from umpire_ledger.cli.options import json_option
from umpire_ledger.cli.printing import print_json
from umpire_ledger.desk.logs import verifier as one_page


@click.command()
@json_option
def verifier(as_json: bool) -> None:
    """Print umpire-verify.py: one page of Python that checks a replay log with nothing of Umpire.

    It needs Python 3.9 and no package, and says the same as `umpire verify`: VALID, VALID WITH REDACTIONS, INCOMPLETE
    or INVALID, with the same exit codes. It was written from the page of the format, ledger/FORMAT.md. Its SHA-256
    stands in README; --json gives it too.

    \b
    Examples:
      umpire verifier > umpire-verify.py
      python umpire-verify.py harbour.jsonl --checkpoint athens.checkpoint
    """
    if as_json:
        print_json({"name": one_page.NAME, "sha256": one_page.verifier_hash(), "text": one_page.verifier().decode()})
    else:
        sys.stdout.buffer.write(one_page.verifier())
        sys.stdout.buffer.flush()
