"""PGN: tags and moves; comments, variations and lines that begin with `%` are skipped."""

import re

from .moves import LEADS, TAG, tokens
from .positions import of_theirs
from .source import NotationError, Source, shorten
from .written import Read, Written, our_name

_NEXT = re.compile(r'\n *\[ *\w+ +"', re.ASCII)
_ESCAPED = re.compile(r"\\(.)")
_BETWEEN = re.compile(r"[ \n]*")


def read_pgn(source: Source, at: int, joined: bool) -> Read:
    """Read the game whose tags begin here."""
    text = source.text
    start = at
    tags: dict[str, str] = {}
    places: dict[str, int] = {}
    while found := TAG.match(text, at):
        if found[1] not in tags:
            tags[found[1]] = _ESCAPED.sub(r"\1", found[2])
            places[found[1]] = found.start()
        at = found.end()
        while between := _BETWEEN.match(text, at):
            at = between.end()
            if at == len(text) or text[at] not in "%;" or not source.begins_line(at):
                break
            at = source.line_end(at)
    if text.startswith("[", at):
        said = f'{shorten(text[at:])} is not understood: expected [Name "value"]'
        raise _skipping(source, source.error("format", at, said))
    try:
        words, end, result = tokens(source, at, is_pgn=True)
    except NotationError as error:
        raise _skipping(source, error) from None
    result = result or tags.get("Result", "*")
    fen = tags.get("FEN")
    variant = tags.get("Variant")
    written = Written(
        start,
        end,
        words,
        game=None if variant is None else our_name(variant),
        size=tags.get("Size"),
        fen=None if fen is None else of_theirs(fen),
        fen_at=places.get("FEN", 0),
        players=(tags.get("White", ""), tags.get("Black", "")),
        lead=LEADS.get(result),
        is_unfinished=result not in LEADS,
        is_one_of_many=True,
    )
    return [written], end


def _skipping(source: Source, error: NotationError) -> NotationError:
    """Return the error so that reading continues with the next game."""
    found = _NEXT.search(source.text, error.at)
    error.at = found.start() + 1 if found else len(source.text)
    return error
