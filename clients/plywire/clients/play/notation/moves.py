"""Move strings: with or without numbers, separators, comments, variations and results.

1. f5 d6 2. c3      f5-d6-c3      F5D6C3 +12      443      1. 4 {good} 4 (1... 3) 1-0
"""

import re

from .source import Source, shorten
from .written import MOST_WORDS, Read, Word, Written

#: A PGN tag, which ends a move string.
TAG = re.compile(r' *\[ *(\w+) +"([^"\\\n]*(?:\\.[^"\\\n]*)*)" *\] *', re.ASCII)
#: Results of games in PGN, as scores of the first player.
LEADS = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0, "½-½": 0.0}

_WORD = re.compile(r"[^ \n,;{}()!?$]+")
_RESULT = re.compile(r"(?:1-0|0-1|1/2-1/2|½-½|\*)(?=[ \n{;]|\Z)")
_NUMBER = re.compile(r"[0-9]{1,4}\.+|\$[0-9]+|[!?]+")
_BRACKETED = re.compile(r"[0-9]{1,4}\)")
_BEHIND = re.compile(r" *(?:\{[^}]*\} *)*")
_GOES_ON = re.compile(r" *([0-9]{1,4})[.)]")
_OTHERS = re.compile(r' *(?:[0-9]+ +)?(?:\[ *\w+ +"|\{ *"|\( *;)', re.ASCII)
_SCORE = re.compile(r"[+-][0-9]+(?:\.[0-9]*)?")
_LETTERS = re.compile(
    r"(?P<move>pass|pa|--|p@[a-z][0-9]{1,2}|[a-z][0-9]{1,2})|[-–.]", re.IGNORECASE | re.ASCII
)
_DIGITS = re.compile(r"(?P<move>p@[a-z][0-9]{1,2}|[0-9]+)|[-–.]", re.IGNORECASE | re.ASCII)


def read_moves(source: Source, at: int, joined: bool) -> Read:
    """Read a line as a game; if `joined`, all lines up to another notation are one game.

    A game also continues on a next line that begins with a move number above 1.
    """
    words, end, result = tokens(source, at, joined=joined)
    if not words and result is None:
        return [], end
    written = Written(
        at, end, words, has_score=True, lead=LEADS.get(result or ""), is_unfinished=result == "*"
    )
    return [written], end


def tokens(
    source: Source, at: int, *, is_pgn: bool = False, joined: bool = False
) -> tuple[tuple[Word, ...], int, str | None]:
    """Return the words that name moves, the place after them, and the result, if any."""
    text = source.text
    words: list[Word] = []
    opened: list[int] = []
    first = at
    result = None
    while at < len(text):
        sign = text[at]
        if sign == " " or (sign in ",;" and not is_pgn):
            at += 1
        elif sign == "\n":
            if (after := _next_line(source, at + 1, is_pgn, joined, bool(opened))) is None:
                break
            at = after
        elif sign == "{":
            if (end := text.find("}", at)) < 0:
                raise source.error("format", at, "a comment without its }", len(text))
            at = end + 1
        elif sign == ";" or (sign in "#%" and (at == first or text[at - 1] in " \n")):
            at = source.line_end(at)
        elif sign == "(":
            opened.append(at)
            at += 1
        elif sign == ")" and opened:
            opened.pop()
            at += 1
        elif found := _NUMBER.match(text, at) or (not opened and _BRACKETED.match(text, at)):
            at = found.end()
        elif found := _RESULT.match(text, at):
            at = found.end()
            if not opened:
                result = found[0]
                behind = _BEHIND.match(text, at)
                at = behind.end() if behind else at
                break
        elif found := _WORD.match(text, at):
            at = found.end()
            if not opened:
                if len(words) == MOST_WORDS:
                    raise source.error("large", found.start(), f"over {MOST_WORDS} moves", at)
                words.append(Word(found[0], found.start()))
        else:
            said = f"{shorten(text[at:])} is not understood: expected moves"
            raise source.error("unknown", at, said)
    if opened:
        raise source.error("format", opened[0], "a variation without its )", at)
    return tuple(words), at, result


def _next_line(source: Source, at: int, is_pgn: bool, joined: bool, is_inside: bool) -> int | None:
    """Return where the moves continue after the end of a line, or None if they end."""
    text = source.text
    if is_pgn or joined:
        while at < len(text) and (
            text.startswith("%", at) or (joined and re.match(r" *(?:[#%]|\n)", text[at : at + 80]))
        ):
            at = min(source.line_end(at) + 1, len(text))
        is_other = TAG.match(text, at) if is_pgn else _OTHERS.match(text, at)
        return None if is_other and not is_inside else at
    number = _GOES_ON.match(text, at)
    return at if is_inside or (number and int(number[1]) > 1) else None


def without_score(words: tuple[Word, ...], is_digits: bool, width: int) -> tuple[Word, ...]:
    """Return the words without the score after them.

    A number with a sign is a score, and so is a number that cannot be a move. As in files of Pons,
    `32164625 11`, a number after four or more columns without blanks is a score.
    """
    if len(words) < 2:
        return words
    last = words[-1].text
    is_score = _SCORE.fullmatch(last) or (
        len(words) == 2
        and width < 10
        and re.fullmatch("[0-9]{4,}", words[0].text)
        and re.fullmatch("[0-9]{1,2}", last)
        if is_digits
        else re.fullmatch("[0-9]+(?:-[0-9]+)?", last)
    )
    return words[:-1] if is_score else words


def split(source: Source, word: Word, is_digits: bool, width: int) -> list[Word]:
    """Return the moves of a word by our names; raises NotationError."""
    text = word.text
    if word.is_whole:
        return [Word(text.lower(), word.at, word.player)]
    pattern = _DIGITS if is_digits else _LETTERS
    moves = []
    at = 0
    while at < len(text):
        if not (found := pattern.match(text, at)):
            such = "columns such as 443" if is_digits else "moves such as f5 d6 or pass"
            said = f"{shorten(text[at:])} is not understood: expected {such}"
            raise source.error("unknown", word.at + at, said, word.at + len(text))
        if name := found["move"]:
            is_run = name.isdigit() and (width < 10 or len(name) > 2)
            for step, each in enumerate(name if is_run else [name]):
                named = _named(each.lower(), is_digits)
                moves.append(Word(named, word.at + at + step, word.player))
        at = found.end()
    return moves


def _named(name: str, is_digits: bool) -> str:
    if name in ("pa", "--"):
        return "pass"
    if name.startswith("p@"):  # cutechess writes a move as the drop of a pawn
        return str(ord(name[2]) - ord("a") + 1) if is_digits else name[2:]
    return name
