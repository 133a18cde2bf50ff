"""Removes control characters from text that peers and engines send.

In terminals and reports, a control character could begin an escape sequence, break a line, or
reverse the text after it (Unicode's bidirectional controls).
"""

import re

#: All control characters, including tabs and line breaks. Use this text within `[…]` of a regular
#: expression.
CONTROL = r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"

#: Maximum length of a message, in characters. Longer messages are cut.
MAX_MESSAGE = 512

# Lone surrogates are included, because they cannot be encoded as UTF-8.
_IN_LINE = re.compile(rf"(?!\t)[{CONTROL}\ud800-\udfff]")
# Escape sequences of ECMA-48. The first line matches control sequences, such as colours. The second
# matches strings, such as window titles. The third matches all others.
_ESCAPE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"
    r"|\x1b[\]PX^_][^\x07\x1b\x9c]{0,256}(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]{0,8}[0-~]"
)
_RUN = re.compile(rf"[{CONTROL} \xa0\ud800-\udfff]+")


def find_control(line: str) -> int | None:
    """Return the index of the first control character other than a tab, None if there is none."""
    found = _IN_LINE.search(line)
    return found and found.start()


def without_control(line: str) -> str:
    """Return the line without its control characters."""
    return _IN_LINE.sub("", line)


def readable(line: str) -> str:
    """Return the line without escape sequences, control characters and byte order mark."""
    return without_control(_ESCAPE.sub("", line)).removeprefix("\ufeff")


def printable(line: str) -> str:
    """Return the line with a space for each control character."""
    return _IN_LINE.sub(" ", line)


def printable_lines(text: str) -> str:
    """Return the text with a space for each control character except line breaks."""
    return "\n".join(map(printable, text.split("\n")))


def one_line(text: str) -> str:
    """Return the text as one line without control characters, cut to `MAX_MESSAGE` characters."""
    line = _RUN.sub(" ", text).strip(" ")
    return line if len(line) <= MAX_MESSAGE else f"{line[: MAX_MESSAGE - 1].rstrip(' ')}…"
