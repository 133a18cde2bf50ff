"""The results of tools for models. The schema of the tools explains each field to them."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from plywire.clients.play import translate
from plywire.clients.play.players.base import GameLine
from plywire.protocol.messages.play import Score
from plywire.protocol.messages.review import Judged, ReviewAnswer


class _State(BaseModel):
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class GameState(_State):
    """A game."""

    id: str
    """The name of the game in other tools."""
    game: str
    size: str
    """The size of the board, as WIDTHxHEIGHT."""
    fen: str
    """The position string, which `new_game` takes."""
    board: str
    """The board as lines of text: x is the first player, o the second."""
    moves: tuple[str, ...]
    """The moves so far."""
    turn: Literal[1, 2]
    """The player to move; after the end, the player who would be next."""
    legal: tuple[str, ...]
    """The moves that can be made; none once the game is over."""
    over: bool
    winner: Literal[1, 2] | None
    """None for a draw, and while the game goes on."""
    reason: str
    """How the game ended."""

    @classmethod
    def of(cls, name: str, line: GameLine) -> Self:
        position, result = line.position, translate.result(line.position)
        return cls(
            id=name,
            game=position.game.name,
            size=position.game.size,
            fen=position.fen(),
            board=position.board(),
            moves=line.names,
            turn=result.turn,
            legal=tuple(move.name for move in line.legal_moves),
            over=result.over,
            winner=result.winner,
            reason=result.reason,
        )


class Advice(_State):
    """The engine's move."""

    move: str
    score: Score | None = None
    """For the side to move: `cp` hundredths is an estimate, all else is proven."""
    depth: int | None = None
    """Plies searched."""
    nodes: int | None = None
    """Positions visited."""


class GameReview(_State):
    """How well a game was played, by exact values."""

    moves: tuple[ReviewAnswer, ...]
    """Each move with its verdict: `best`, `sound`, `mistake`, `losing` or `unproven`."""
    players: tuple[Judged, Judged]
    """For each player: how many moves were judged, and how many were best and sound."""
    losing: int | None
    """Number of the move that lost the game, from 1."""


class ArenaState(_State):
    """The state of a seat in the arena."""

    seat: str
    """The name of the seat in other tools."""
    status: Literal["your turn", "waiting", "finished"]
    you: Literal[1, 2] | None = None
    """Which player you are in the game."""
    clock_ms: int | None = None
    """Time that is left for this move, in ms; at 0 the game is lost. None: no limit."""
    game: GameState | None = None
    """The game, on your turn."""
    ended: tuple[str, ...] = ()
    """How your games ended, one sentence each."""
    reason: str = ""
    """Why the seat is finished, if that was not planned."""
