"""Find the keys of the current user, and ask for their pass-phrases."""

import os
import sys
from pathlib import Path

import click

from umpire_ledger.cli.errors import usage
from umpire_ledger.desk.signing.key_store import KeyFolder, own_folder

PASSPHRASE_FILE = "UMPIRE_KEY_PASSPHRASE_FILE"


def own_keys() -> KeyFolder:
    """Return the keys of the current user."""
    return KeyFolder(own_folder(os.environ), ask_passphrase)


def ask_passphrase(name: str) -> str:
    """Return the pass-phrase of a key, from the file that the environment names, else typed at the terminal.

    Raises:
        Refusal: When the file cannot be read, or there is no terminal.
    """
    kept = os.environ.get(PASSPHRASE_FILE, "")
    if kept:
        return passphrase_in(kept)
    if not sys.stdin.isatty():
        remedy = f"type it at a terminal, or set {PASSPHRASE_FILE} to a file that contains it"
        raise usage(f"the key {name} needs a pass-phrase, and there is no terminal", rule="keys", remedy=remedy)
    return str(click.prompt(f"pass-phrase of the key {name}", hide_input=True, err=True))


def passphrase_in(file: str) -> str:
    """Return the pass-phrase in a file.

    Raises:
        Refusal: When the file cannot be read.
    """
    try:
        return Path(file).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        remedy = f"set {PASSPHRASE_FILE} to a text file that you can read"
        raise usage("the file with the pass-phrase cannot be read", where=file, rule="keys", remedy=remedy) from error
