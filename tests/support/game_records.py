"""Records of games as tests need them."""

from datetime import UTC, datetime, timedelta

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.engine.registry import load


def record(
    number: int,
    first: str,
    second: str,
    winner: int | None = None,
    *,
    moves: str = "4 4 3",
    opening: int = 1,
    game: str = "connect4",
    termination: Termination = Termination.NORMAL,
    reason: str = "four in a row",
    fen: str | None = None,
    score: int | None = None,
) -> GameRecord:
    kind = load(game)
    names = tuple(moves.split())
    return GameRecord(
        number=number,
        game=game,
        size=kind.size,
        players=(first, second),
        fen=fen or kind.start().fen(),
        moves=names,
        opening=opening,
        times=tuple(100 + 7 * ply for ply in range(len(names) - opening)),
        winner=winner,
        score={1: 1, 2: -1, None: 0}[winner] if score is None else score,
        termination=termination,
        reason=reason,
        round=1 + number // 4,
        started=datetime(2026, 11, 21, 9, 30, tzinfo=UTC) + timedelta(minutes=number),
    )
