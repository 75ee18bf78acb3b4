"""Check the shape of help, docstrings, names of tests and Markdown tables."""

import re
from collections.abc import Iterator

from tests.language.texts import Text

NO_VERB = re.compile(r"(?:(?:The|An?|Every|Each|All|Of|In|As|For|That|This|These|No|One|It|Whether|\w+s)\b|[^A-Z])")
HELP_VERBS = frozenset(
    (
        *("Accept", "Add", "Agree", "Ask", "Change", "Chart", "Check", "Commit", "Compare", "Copy", "Cosign", "Create"),
        *("Decline", "Describe", "Diagnose", "Draw", "End", "Export", "Give", "Import", "Keep", "List", "Look", "Make"),
        *("Manage", "Open", "Play", "Print", "Rebuild", "Record", "Replace", "Require", "Restore", "Return", "Reveal"),
        *("Run", "Search", "Send", "Serve", "Set", "Settle", "Show", "Sign", "Start", "Take", "Upgrade", "Write"),
    )
)
"""First words of the one-line help of a command."""
BANNED_START = re.compile(r"test_(?:an?|the|it|what|who|nobody|nothing|one|no|each)_")
INLINE_RAISES = re.compile(r"\bRaises [`A-Z]")
SPLIT_TABLE = re.compile(r"^\|.*\|\n\n+\|.*\|\n(?!\|[-: |]+\|)", re.MULTILINE)
LONGEST_HELP, LONGEST_TEST = 55, 60


def begins_with_verb(help_line: str) -> bool:
    """Return whether the one-line help of a command begins with a verb of the list."""
    return help_line.split(" ", 1)[0].rstrip(",") in HELP_VERBS


def faults(text: Text) -> Iterator[str]:
    """Yield the name of each rule that a text breaks."""
    first = text.words.split("\n", 1)[0]
    if text.kind == "help" and (len(first.rstrip(".")) > LONGEST_HELP or not begins_with_verb(first)):
        yield "help-line"
    is_function = text.kind == "docstring" and "def " in text.owner.rpartition("\n")[2]
    if is_function and NO_VERB.match(first) and "property" not in text.owner:
        yield "docstring-verb"
    if text.kind == "docstring" and INLINE_RAISES.search(text.words):
        yield "inline-raises"
    if text.kind == "test" and (len(text.words) > LONGEST_TEST or BANNED_START.match(text.words)):
        yield "test-name"
    if text.kind == "markdown":
        yield from ("split-table" for _ in SPLIT_TABLE.finditer(text.words))
