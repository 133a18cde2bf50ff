"""What text may hold: peers and programs say nothing to a terminal, a record or a report but words.

Control characters would do more than be shown: begin an escape sequence, break a line, or turn the
order of what follows (Unicode's bidirectional controls).
"""

import re

#: All control characters, tabs and line breaks among them, as a part of a regular expression's set.
CONTROL = r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"

#: Messages longer than this, in characters, are cut.
MAX_MESSAGE = 512

# Lone surrogates are no characters: they cannot be encoded.
_IN_LINE = re.compile(rf"(?!\t)[{CONTROL}\ud800-\udfff]")
# Of ECMA-48: control sequences such as colours, strings such as titles, and what else follows ESC.
_ESCAPE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"
    r"|\x1b[\]PX^_][^\x07\x1b\x9c]{0,256}(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]{0,8}[0-~]"
)
_RUN = re.compile(rf"[{CONTROL} \xa0\ud800-\udfff]+")


def find_control(line: str) -> int | None:
    """Find the first control character other than a tab; None if there is none."""
    found = _IN_LINE.search(line)
    return found and found.start()


def without_control(line: str) -> str:
    """The line with its control characters cut out."""
    return _IN_LINE.sub("", line)


def readable(line: str) -> str:
    """The line of an engine without escape sequences, control characters or a byte order mark."""
    return without_control(_ESCAPE.sub("", line)).removeprefix("\ufeff")


def printable(line: str) -> str:
    """The line with spaces for its control characters."""
    return _IN_LINE.sub(" ", line)


def printable_lines(text: str) -> str:
    """The lines of a text, each with spaces for its control characters."""
    return "\n".join(map(printable, text.split("\n")))


def one_line(text: str) -> str:
    """The text on one line of at most `MAX_MESSAGE` characters, without control characters."""
    line = _RUN.sub(" ", text).strip(" ")
    return line if len(line) <= MAX_MESSAGE else f"{line[: MAX_MESSAGE - 1].rstrip(' ')}…"
