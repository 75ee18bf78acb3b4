"""Escape text from the log for output, so that nothing in it controls a terminal, a page or a spreadsheet.

A note, a name or a ruling may contain any character. Invisible characters, and characters that change how others are
displayed, are replaced by their code point, such as `<U+202E>`. These are controls, DEL, line and paragraph separators,
marks of writing direction, all other invisible characters, and code points unknown to this version of Python. Every
command imports this module, so it imports nothing itself.
"""

_BLANK = frozenset(
    chr(code)
    for first, last in (
        *((0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2800, 0x2800)),
        *((0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xE0100, 0xE01EF)),
    )
    for code in range(first, last + 1)
)
"""Characters that Unicode calls printable although they are invisible: fillers and variation selectors."""
_SPACES = frozenset("\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000")
_PICTURE = "\ufe0f"
"""The variation selector for a color picture. It stays after a symbol or an emoji, because it is harmless there."""


class _Shown(dict[int, str]):
    """Table for `str.translate`: the output for each character, computed when it first occurs."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        seen = char.isprintable() and char not in _BLANK
        self[code] = char if seen or char in _SPACES else f"<U+{code:04X}>"
        return self[code]


class _Escaped(dict[int, str]):
    """Table for `str.translate` of JSON: escaped characters use JSON's own escapes."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        raw = char.encode("utf-16-be", "surrogatepass").hex()
        escape = "".join(f"\\u{raw[at : at + 4]}" for at in range(0, len(raw), 4))
        self[code] = escape if _SHOWN[code] != char else char
        return self[code]


_SHOWN = _Shown()
_ESCAPED = _Escaped()


def _is_plain(text: str) -> bool:
    return text.isprintable() and (text.isascii() or _BLANK.isdisjoint(text))


def inert(text: str) -> str:
    """Return text as one line, with the code point of each invisible character, including line feeds and tabs."""
    if _is_plain(text):
        return text
    first, *rest = text.split(_PICTURE)
    shown = first.translate(_SHOWN)
    for part in rest:
        shown += (_PICTURE if _is_sign(shown[-1:]) else f"<U+{ord(_PICTURE):04X}>") + part.translate(_SHOWN)
    return shown


def _is_sign(char: str) -> bool:
    return "\u203c" <= char <= "\u3299" or "\U0001f000" <= char <= "\U0001faff"


def inert_json(text: str) -> str:
    r"""Return equivalent compact JSON, with invisible characters as JSON escapes such as `\u202e`."""
    return text if _is_plain(text) else text.translate(_ESCAPED)


def inert_cell(text: str) -> str:
    """Return text for a CSV cell that a spreadsheet reads as text, not as a formula."""
    shown = inert(text)
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")) else shown


# --- Markdown ---------------------------------------------------------------------------------------------------------

_MARKUP = str.maketrans(
    {
        **{char: f"\\{char}" for char in "\\`*_[]|~$"},
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        "@": "&#64;",
    }
)


def inert_markdown(text: str) -> str:
    """Return text that Markdown shows literally in a line or a table cell, without markup, HTML, links or new cells."""
    return inert(text).translate(_MARKUP).replace("://", "&#58;//").replace("www.", "www&#46;")


def inert_markdown_line(text: str) -> str:
    """Return text that at the start of a Markdown line or list item cannot become a heading, a list or a rule."""
    return _off_the_start(inert_markdown(text))


def _off_the_start(text: str) -> str:
    """Put a backslash before characters that would make a line a heading, a list or a rule."""
    line = text.lstrip()
    blank = text[: len(text) - len(line)]
    if line.startswith(("#", "=")) or (line.startswith(("+", "-")) and not line[1:2].isdigit()):
        return f"{blank}\\{line}"
    rest = line.lstrip("0123456789")
    if rest != line and rest.startswith((".", ")")) and not rest[1:2].strip():
        return f"{blank}{line[: -len(rest)]}\\{rest}"
    return text
