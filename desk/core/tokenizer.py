"""Divide a typed line into words as a shell does, except for apostrophes inside words.

`note Blue doesn't agree` has no open quotation, and a sentence keeps its quotation marks as typed.
"""

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.ledger.records.limits import MOST_TYPED, said

QUOTES = "\"'"
OPENS_BEHIND = "=,;:"
"""Characters after which a quotation may begin inside a word; it may also begin after another quotation."""


class LineWord(str):
    """A word of a line. `raw`: as it was typed, with its quotation marks."""

    raw: str

    def __new__(cls, word: str, raw: str) -> "LineWord":
        made = super().__new__(cls, word)
        made.raw = raw
        return made


def split(text: str) -> list[str]:
    """Return the words of a line.

    Raises:
        WrongUse: The line is longer than 4 KiB, or a quotation is not closed.
    """
    _verify_length(text)
    words: list[str] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        word, end = _word(text, at)
        words.append(LineWord(word, text[at:end]))
        at = end
    return words


def _verify_length(text: str) -> None:
    """Refuse a line that is too long for a person to type, before any of it is read."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_TYPED:
        raise WrongUse(
            f"the typed line is too long: {size:,} bytes",
            where="the order",
            rule=f"limits: a typed line has at most {said(MOST_TYPED)}",
            remedy='give the order as JSON: {"order": NAME, …}',
        )


def typed_sentence(words: list[str]) -> str:
    """Join words into a sentence as typed; a single word loses the quotation marks around it."""
    return words[0] if len(words) == 1 else " ".join(getattr(word, "raw", word) for word in words)


def _word(text: str, at: int) -> tuple[str, int]:
    """Return the word that begins at a character, and the index of its end."""
    found: list[str] = []
    opens = True
    while at < len(text) and not text[at].isspace():
        sign = text[at]
        if sign == "\\" and at + 1 < len(text):
            found.append(text[at + 1])
            at, opens = at + 2, False
        elif sign in QUOTES and opens:
            quoted, at = _quoted(text, at)
            found.append(quoted)
        else:
            found.append(sign)
            at, opens = at + 1, sign in OPENS_BEHIND
    return "".join(found), at


def _quoted(text: str, at: int) -> tuple[str, int]:
    """Return a quotation and the index of its end. In double quotes, a backslash escapes a quote and itself."""
    sign, found, end = text[at], [], at + 1
    while end < len(text) and text[end] != sign:
        if sign == '"' and text[end : end + 2] in ('\\"', "\\\\"):
            end += 1
        found.append(text[end])
        end += 1
    if end == len(text):
        what, remedy = (
            "the line cannot be read: a quotation mark is not closed",
            "close the quotation mark, or remove it",
        )
        raise WrongUse(what, where="the order", rule="", remedy=remedy)
    return "".join(found), end + 1
