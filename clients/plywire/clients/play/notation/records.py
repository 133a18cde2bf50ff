"""Games in JSON: our records, Kaggle's ConnectX, and Botzone's Reversi."""

import json
import re
from collections.abc import Iterator
from typing import Any

from .positions import of_rows
from .source import Source, shorten
from .written import MOST_WORDS, Read, Word, Written, our_name

HEAD = re.compile(r'\{[ \n]*["}]|\[')

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|"|[{}\[\]]', re.DOTALL)
#: Maximum depth of nested brackets in a record.
_DEEPEST = 64
_EXPECTED = "expected a record of a game, of Plywire, Kaggle's ConnectX or Botzone"


def read_records(source: Source, at: int, joined: bool) -> Read:
    """Read the games of an object or an array."""
    end = _end(source, at)
    try:
        said = json.loads(source.text[at:end], parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise source.error("format", at, f"no JSON: {_EXPECTED}", end) from None
    items = said if isinstance(said, list) else [said]
    games = []
    for item in items:
        game = _game(source, item, at, end) if isinstance(item, dict) else None
        if game is None:
            said_of = f"{shorten(source.text[at:end])} is no game: {_EXPECTED}"
            raise source.error("format", at, said_of, end)
        games.append(game)
    if not games:
        raise source.error("empty", at, f"no game: {_EXPECTED}", end)
    return games, end


def _refuse(name: str) -> None:
    raise ValueError(name)


def _end(source: Source, at: int) -> int:
    text = source.text
    depth = 0
    for found in _TOKEN.finditer(text, at):
        sign = found[0]
        if sign == '"':
            break
        if sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth == 0:
                return found.end()
        if depth > _DEEPEST:
            end = source.line_end(found.end())
            raise source.error("large", at, f"over {_DEEPEST} levels: {_EXPECTED}", end)
    raise source.error("format", at, f"JSON without its end: {_EXPECTED}", len(text))


def _game(source: Source, item: dict[str, Any], at: int, end: int) -> Written | None:
    if isinstance(item.get("game"), str) and "moves" in item:
        return _ours(item, at, end)
    if isinstance(item.get("steps"), list):
        return _kaggle(source, item, at, end)
    if isinstance(item.get("board"), list) and "mark" in item:
        return _kaggle_board(item, at, end)
    if isinstance(item.get("requests"), list):
        return _botzone(item["requests"], item.get("responses", []), at, end)
    if isinstance(item.get("log"), list):
        return _botzone_log(item["log"], at, end)
    return None


def _ours(item: dict[str, Any], at: int, end: int) -> Written | None:
    moves, size, fen, winner = (item.get(key) for key in ("moves", "size", "fen", "winner"))
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        return None
    if not all(value is None or isinstance(value, str) for value in (size, fen)):
        return None
    players = item.get("players")
    names = players if isinstance(players, list) and len(players) == 2 else ["", ""]
    lead = None
    if "winner" in item:
        lead = {1: 1.0, 2: -1.0}.get(winner if isinstance(winner, int) else 0, 0.0)
    return Written(
        at,
        end,
        tuple(Word(move, at, is_whole=True) for move in moves[: MOST_WORDS + 1]),
        game=our_name(item["game"]),
        size=size,
        fen=fen,
        fen_at=at,
        players=(str(names[0]), str(names[1])),
        lead=lead,
        is_unfinished=item.get("termination") == "abort",
        is_one_of_many=True,
    )


def _kaggle(source: Source, item: dict[str, Any], at: int, end: int) -> Written | None:
    """Read the steps of an episode; after the first step, the players act in turn."""
    settings = item.get("configuration")
    settings = settings if isinstance(settings, dict) else {}
    if settings.get("inarow", 4) != 4:
        raise source.error("game", at, "ConnectX of another length than four in a row", end)
    words = []
    for number, step in enumerate(item["steps"][1 : MOST_WORDS + 1]):
        if not isinstance(step, list) or len(step) != 2 or not isinstance(step[number % 2], dict):
            return None
        action = step[number % 2].get("action")
        if action is None:
            break
        if type(action) is not int or action < 0:
            return None
        words.append(Word(str(action + 1), at, number % 2, is_whole=True))
    size = f"{settings.get('columns', 7)}x{settings.get('rows', 6)}"
    return Written(at, end, tuple(words), game="connect4", size=size)


def _kaggle_board(item: dict[str, Any], at: int, end: int) -> Written | None:
    """Read an observation: the squares from the upper left, and the player to move, 1 or 2."""
    cells, mark = item["board"], item["mark"]
    if len(cells) != 42 or mark not in (1, 2) or not all(cell in (0, 1, 2) for cell in cells):
        return None
    text = "".join(".xo"[int(cell)] for cell in cells)
    rows = [text[start : start + 7] for start in range(0, 42, 7)]
    return Written(
        at, end, game="connect4", size="7x6", fen=of_rows(rows, "xo"[int(mark) - 1]), fen_at=at
    )


def _botzone(asked: list[Any], answered: Any, at: int, end: int) -> Written | None:
    """Read the opponent's moves and ours, in turn; the first request to Black is no move."""
    if not isinstance(answered, list) or not asked or len(asked) > MOST_WORDS:
        return None
    begins = _square(asked[0]) == "pass"

    def moves() -> Iterator[str | None]:
        for number, request in enumerate(asked):
            if number or not begins:
                yield _square(request)
            if number < len(answered):
                yield _square(answered[number])

    return _othello(list(moves()), at, end)


def _botzone_log(log: list[Any], at: int, end: int) -> Written | None:
    """Read the log of a match: the judge's output and a player's answer, in turn."""
    moves = [
        _square(said["response"])
        for entry in log[: 2 * MOST_WORDS]
        if isinstance(entry, dict)
        for player in ("0", "1")
        if isinstance(said := entry.get(player), dict) and "response" in said
    ]
    return _othello(moves, at, end)


def _othello(moves: list[str | None], at: int, end: int) -> Written | None:
    words = tuple(Word(move, at, is_whole=True) for move in moves if move is not None)
    return Written(at, end, words, game="othello") if len(words) == len(moves) else None


def _square(said: Any) -> str | None:
    """Return the name of a move `{"x": 2, "y": 3}`; -1 and -1 are a pass; None if invalid."""
    if not isinstance(said, dict):
        return None
    column, row = said.get("x"), said.get("y")
    if type(column) is not int or type(row) is not int:
        return None
    if (column, row) == (-1, -1):
        return "pass"
    return f"{'abcdefgh'[column]}{row + 1}" if 0 <= column < 8 and 0 <= row < 8 else None
