"""Write the one-page program that checks a log on a machine without Umpire (`umpire verifier`)."""

import sys

import click

from umpire_ledger.cli.argument_help import Explained
from umpire_ledger.cli.options import json_option
from umpire_ledger.cli.printing import print_json
from umpire_ledger.desk.logs import verifier as one_page


@click.command(cls=Explained)
@json_option
def verifier(as_json: bool) -> None:
    """Print the standalone log verifier.

    umpire-verify.py is one file for Python 3.9 without packages. It was written from the description of the format,
    independently of Umpire, and has the same verdicts and exit codes as `umpire verify`. It checks hashes and dice, but
    not signatures, sealed orders or findings. Its SHA-256 is in the README and in --json.

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
