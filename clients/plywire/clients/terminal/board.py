"""A board for the terminal, readable with and without colours."""

from rich.text import Text

from plywire.engine.game import Position

#: The style of each player name. Players with other names have the style of their side, _SIDES.
_STYLES = {
    "Yellow": "bold yellow",
    "Red": "bold red",
    "Black": "bold green",
    "White": "bold white",
    "X": "bold cyan",
    "O": "bold magenta",
}
_SIDES = ("bold cyan", "bold magenta")


def side_style(position: Position, side: int) -> str:
    """Return the style of a side, 0 or 1."""
    return _STYLES.get(position.game.players[side], _SIDES[side])


def landing(position: Position, move: int) -> tuple[int, int] | None:
    """Return row (from the top) and column on which a move lands; None for a pass."""
    before, after = position.cells(), position.play(move).cells()
    for row, (old, new) in enumerate(zip(before, after, strict=True)):
        for column, pair in enumerate(zip(old, new, strict=True)):
            if pair[0] == "." != pair[1]:
                return row, column
    return None


def draw(position: Position, last: tuple[int, int] | None = None) -> Text:
    """Draw the board with `X` for the first player and `O` for the second.

    The last move is in brackets. `+` marks legal squares, unless all empty squares are legal.
    """
    cells = position.cells()
    open_squares = {landing(position, move) for move in position.moves()} - {None}
    if len(open_squares) == "".join(cells).count("."):
        open_squares = set()
    *rows, files = position.board().splitlines()
    styles = {"x": side_style(position, 0), "o": side_style(position, 1)}
    text = Text()
    for row, (line, pieces) in enumerate(zip(rows, cells, strict=True)):
        text.append(f"{line.split()[0]:>3} ")
        for column, piece in enumerate(pieces):
            square = row, column
            glyph = "+" if square in open_squares else piece.upper()
            text.append("[" if square == last else " ", "bold")
            text.append(glyph, styles.get(piece, "dim"))
            text.append("]" if square == last else " ", "bold")
        text.append("\n")
    text.append("    " + "".join(f"{file:^3}" for file in files.split()))
    return text
