"""SGF: the main line of a game, whose `GM` is 2 (Othello) or the name of one of our games.

Squares are a letter and a number, or two letters as in Go; the second letter counts from the top.
"""

import re
from collections.abc import Iterator

from .ggf import from_ggf
from .positions import of_rows
from .source import Source, shorten
from .trees import Property, Tree, read_tree
from .written import Read, Word, Written, our_name

_SIZES = {"othello": (8, 8), "connect4": (7, 6), "tictactoe": (3, 3)}
_SIZE = re.compile(r"([1-9][0-9]?)(?::([1-9][0-9]?))?")
_SQUARE = re.compile(r"([a-z])([a-z]|[1-9][0-9]?)", re.IGNORECASE)
_RESULT = re.compile(r"([BW])\+([0-9]+(?:\.[0-9]*)?)?|0|draw", re.IGNORECASE)
_PASSES = ("", "tt", "pa", "pass", "--")


def read_tree_of_game(source: Source, at: int, joined: bool) -> Read:
    """Read a game as a GGF or SGF tree."""
    tree = read_tree(source, at)
    is_ggf = our_name(tree.value("GM", "othello")) == "othello" and not tree.first("FF")
    written = from_ggf(source, tree) if is_ggf and tree.first("GM") else _from_sgf(source, tree)
    return [written], tree.end


def _from_sgf(source: Source, tree: Tree) -> Written:
    kind = tree.value("GM", "1").strip()
    game = "othello" if kind == "2" else our_name(kind)
    if game.isdigit():
        said = f"GM[{kind}] is not played here: expected GM[2], Othello, or a game's name"
        raise source.error("game", tree.at, said, tree.end)
    width, height = _SIZES.get(game, (8, 8))
    if size := tree.first("SZ"):
        if not (found := _SIZE.fullmatch(size.values[0].strip())):
            said = "expected SZ[8], or the width and the height as in SZ[7:6]"
            raise source.error("format", size.at, said, tree.end)
        width, height = int(found[1]), int(found[2] or found[1])
    moves = [found for node in tree.nodes for found in node if found.name in ("B", "W")]
    words = tuple(
        Word(_named(source, tree, found, game, height), found.at, "BW".index(found.name), True)
        for found in moves
    )
    result = _RESULT.fullmatch(tree.value("RE").strip())
    lead = None
    if result:
        lead = float(result[2] or 1) if result[1] else 0.0
        lead = -lead if (result[1] or "").lower() == "w" else lead
    return Written(
        tree.at,
        tree.end,
        words,
        game=game,
        size=f"{width}x{height}",
        fen=_set_up(source, tree, width, height, words),
        fen_at=tree.at,
        players=(tree.value("PB"), tree.value("PW")),
        lead=lead,
        is_unfinished=result is None,
        is_one_of_many=True,
    )


def _named(source: Source, tree: Tree, found: Property, game: str, height: int) -> str:
    text = found.values[0].strip()
    if text.lower() in _PASSES:
        return "pass"
    if game == "connect4" and re.fullmatch("[0-9]{1,2}", text):
        return text
    column, row = _square(source, tree, found, text, height)
    if game == "connect4":
        return str(column + 1)
    rank = height - row if game == "tictactoe" else row + 1
    return f"{chr(ord('a') + column)}{rank}"


def _square(source: Source, tree: Tree, found: Property, text: str, height: int) -> tuple[int, int]:
    if not (square := _SQUARE.fullmatch(text)):
        said = f"{shorten(text)} is not understood: expected a square such as f5 or fe"
        raise source.error("format", found.at, said, tree.end)
    column = ord(square[1].lower()) - ord("a")
    if square[2].isalpha():
        return column, ord(square[2].lower()) - ord("a")
    rank = int(square[2])
    return column, height - rank if _counts_up(tree) else rank - 1


def _counts_up(tree: Tree) -> bool:
    """Return whether rank 1 is at the bottom, as in all our games except Othello."""
    kind = tree.value("GM").strip()
    return kind != "2" and our_name(kind) != "othello"


def _set_up(
    source: Source, tree: Tree, width: int, height: int, words: tuple[Word, ...]
) -> str | None:
    """Return the position of AB and AW; PL or the first move names the player to move."""
    rows = [["."] * width for _ in range(height)]
    is_set_up = False
    for found in tree.nodes[0] if tree.nodes else ():
        if found.name not in ("AB", "AW"):
            continue
        is_set_up = True
        for column, row in _squares(source, tree, found, height):
            if not (0 <= column < width and 0 <= row < height):
                raise source.error("position", found.at, "a square beyond the board", tree.end)
            rows[row][column] = "x" if found.name == "AB" else "o"
    if not is_set_up:
        return None
    turn = tree.value("PL").strip().lower()[:1]
    turns = {"b": "x", "1": "x", "w": "o", "2": "o"}
    known = turns.get(turn, "xo"[words[0].player or 0] if words else "")
    return of_rows(["".join(row) for row in rows], known)


def _squares(source: Source, tree: Tree, found: Property, height: int) -> Iterator[tuple[int, int]]:
    """Yield the squares of a property as column and row; `aa:cb` is a rectangle."""
    for value in found.values[:100]:
        first, _, last = value.partition(":")
        left, top = _square(source, tree, found, first.strip(), height)
        right, bottom = _square(source, tree, found, (last or first).strip(), height)
        for row in range(top, min(bottom, top + 26) + 1):
            for column in range(left, right + 1):
                yield column, row
