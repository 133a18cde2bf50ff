"""GGF games with their places in a text; `plywire.protocol.ggf` has the grammar."""

import re

from plywire.protocol.ggf import GgfError, read_ggf, read_move

from .source import Source
from .trees import Property, Tree
from .written import Word, Written

_LEAD = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?")


def from_ggf(source: Source, tree: Tree) -> Written:
    """Read the game of a GGF tree."""
    words = tuple(
        _word(source, tree, found)
        for node in tree.nodes
        for found in node
        if found.name in ("B", "W")
    )
    try:
        game = read_ggf(source.text[tree.at : tree.end])
    except GgfError as error:
        raise source.error("format", tree.at, str(error), tree.end) from None
    lead = _LEAD.match(game.result)
    return Written(
        tree.at,
        tree.end,
        words,
        game="othello",
        fen=game.fen,
        fen_at=tree.at,
        players=(game.black, game.white),
        lead=float(lead[0]) if lead else None,
        is_unfinished=lead is None,
        is_one_of_many=True,
    )


def _word(source: Source, tree: Tree, found: Property) -> Word:
    try:
        name = read_move(found.values[0]).name
    except GgfError as error:
        raise source.error("format", found.at, str(error), tree.end) from None
    return Word(name, found.at, "BW".index(found.name), is_whole=True)
