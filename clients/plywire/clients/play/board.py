"""A board for programs that play move by move."""

from __future__ import annotations

from plywire.engine.game import Game
from plywire.engine.registry import load
from plywire.protocol.messages.play import ResultAnswer

from . import translate
from .players.base import GameLine, Move, Moves


class Board:
    """A game from its first or another position, with the moves made since.

        board = Board("othello")
        board.push("d3")
        print(board, board.legal_moves)

    Methods take a move or its name, in upper or lower case. Boards are equal if they have the same
    position of the same game; earlier moves do not matter.
    """

    def __init__(
        self, game: str = "connect4", fen: str | None = None, *, size: str | None = None
    ) -> None:
        """Start a game, by default at its first position; raises RulesError, a ValueError."""
        rules = load(game, size)
        self._lines = [GameLine.at(rules.start() if fen is None else rules.parse(fen))]

    @property
    def line(self) -> GameLine:
        """The start, the moves and the position, as an immutable value."""
        return self._lines[-1]

    @property
    def game(self) -> Game:
        """The rules."""
        return self.line.start.game

    @property
    def turn(self) -> int:
        """Player to move, 1 or 2; the `turn` of a position is 0 or 1."""
        return translate.player(self.line.position.turn)

    @property
    def legal_moves(self) -> Moves:
        """The legal moves, none after the end of the game; `in` accepts names, too."""
        return self.line.legal_moves

    @property
    def move_stack(self) -> Moves:
        """The moves made so far."""
        return Moves(map(Move, self.line.moves, self.line.names))

    def push(self, move: int | str) -> None:
        """Make a move; raises `plywire.engine.game.IllegalMoveError` if it is illegal."""
        self._lines.append(self.line.play(move))

    def pop(self) -> Move:
        """Take back and return the last move; raises IndexError if there is none."""
        if len(self._lines) == 1:
            raise IndexError("there is no move to take back")
        last = self.move_stack[-1]
        self._lines.pop()
        return last

    def is_game_over(self) -> bool:
        """Return whether the game has ended."""
        return self.line.position.is_over

    def outcome(self) -> ResultAnswer | None:
        """Return the `winner` (1, 2 or None) and the `reason`; None before the end of the game."""
        return translate.result(self.line.position) if self.is_game_over() else None

    def fen(self) -> str:
        """Return the position string."""
        return self.line.position.fen()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        one, two = self.line.position, other.line.position
        return (one.game.name, one.game.size, one) == (two.game.name, two.game.size, two)

    __hash__ = None  # type: ignore[assignment]  # a board is mutable

    def __repr__(self) -> str:
        game = self.game
        size = "" if load(game.name).size == game.size else f", size={game.size!r}"
        return f"Board({game.name!r}, {self.fen()!r}{size})"

    def __str__(self) -> str:
        return self.line.position.board()
