"""Play written moves by the rules of the first game in which all of them are legal."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plywire.clients.play.players.base import GameLine
from plywire.engine.game import PASS, Game, IllegalMoveError, Position, PositionError
from plywire.engine.registry import load

from .moves import split, without_score
from .source import Kind, NotationError, Source, shorten
from .written import Written

_ROW = re.compile(r"(?:[xo]|[1-9][0-9]?(?![0-9]))+")


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A game or a position that was understood."""

    line: GameLine
    """The start and the moves, with omitted passes added."""
    text: str
    """The text that was read, without white space around it."""
    row: int
    """Line on which the game begins, from 1."""
    loser: str | None = None
    """Name of the loser; None for a draw, or if unknown."""
    is_unfinished: bool = False
    """Whether the text says that the game is unfinished."""

    @property
    def positions(self) -> tuple[Position, ...]:
        return (self.line.start, *self.line.start.play_names(self.line.names))


def replay(source: Source, written: Written, games: Sequence[Game], is_fixed: bool) -> FoundGame:
    """Return the game by the rules of the first of these games that allows it.

    If `is_fixed`, other board sizes are refused. If no game allows the moves, raises the
    NotationError of the game in which most can be played.
    """
    furthest: NotationError | None = None
    most = -1
    for game in _boards(source, written, games, is_fixed):
        played = [0]
        try:
            line = _played(source, written, game, played)
        except NotationError as error:
            if played[0] > most:
                furthest, most = error, played[0]
        else:
            return _found(source, written, line)
    assert furthest is not None
    raise furthest


def _found(source: Source, written: Written, line: GameLine) -> FoundGame:
    lead, (first, second) = written.lead, written.players
    return FoundGame(
        line,
        source.text[written.at : written.end].strip(),
        source.error("unknown", written.at, "").line,
        loser=None if not lead else second if lead > 0 else first,
        is_unfinished=written.is_unfinished,
    )


def _boards(
    source: Source, written: Written, games: Sequence[Game], is_fixed: bool
) -> Iterator[Game]:
    """Yield the games that this may be; raises NotationError if there is none."""
    named = [game for game in games if written.game in (None, game.name)]
    if not named:
        names = " or ".join(dict.fromkeys(game.name for game in games))
        said = f"a game of {shorten(written.game or '')}: expected {names}"
        raise source.error("game", written.at, said, written.end)
    count = 0
    for game in named:
        size = _size(written, game)
        if size == game.size or (size is not None and not is_fixed):
            try:
                sized = game if size == game.size else load(game.name, size)
            except PositionError:
                continue
            count += 1
            yield sized
    if not count:
        sizes = " or ".join(dict.fromkeys(f"{game.size} for {game.name}" for game in named))
        kind: Kind = "game" if written.fen is None else "position"
        at = written.at if written.fen is None else written.fen_at
        said = f"a board of another size: expected {sizes}"
        raise source.error(kind, at, said, written.end)


def _size(written: Written, game: Game) -> str | None:
    """Return the size of the board; None if no board of the game has this number of squares."""
    if written.fen is None:
        return written.size or game.size
    if written.fen.startswith("="):
        cells = len(written.fen.split()[0]) - 1
        return game.size if cells == game.width * game.height else None
    rows = written.fen.split(" ")[0].split("/")
    if not all(map(_ROW.fullmatch, rows)):
        return game.size
    width = sum(int(run) if run.isdigit() else 1 for run in re.findall(r"[xo]|[0-9]+", rows[0]))
    return f"{width}x{len(rows)}"


def _played(source: Source, written: Written, game: Game, played: list[int]) -> GameLine:
    """Play the moves; `played[0]` counts those that were legal."""
    line = GameLine.at(_start(source, written, game))
    is_digits = game.move_name(game.start().moves()[0]).isdigit()
    words = written.words
    if written.has_score:
        words = without_score(words, is_digits, game.width)
    if written.fen is not None:
        played[0] += 1
    for word in words:
        for move in split(source, word, is_digits, game.width):
            moves = line.position.moves()
            if not moves and move.text == "pass":
                continue
            if moves == (PASS,) and move.text != "pass":
                line = line.play(PASS)
            if move.player not in (None, line.position.turn):
                said = f"{game.players[line.position.turn]} is to move"
                raise source.error("move", move.at, said, written.end)
            try:
                line = line.play(move.text)
            except IllegalMoveError as error:
                said = f"move {len(line.moves) + 1}: {error}"
                raise source.error("move", move.at, said, written.end) from None
            played[0] += 1
    return line


def _start(source: Source, written: Written, game: Game) -> Position:
    """Return the start position; without a player to move, the stones decide who it is."""
    if written.fen is None:
        return game.start()
    board, _, turn = _divided(written.fen, game).partition(" ")
    try:
        if turn:
            return game.parse(f"{board} {turn}")
        found = [position for each in "xo" if (position := _parsed(game, f"{board} {each}"))]
        if not found:
            return game.parse(f"{board} x")
    except PositionError as error:
        raise source.error("position", written.fen_at, str(error), written.end) from None
    if len(found) == 1:
        return found[0]
    if game.start() in found:
        return game.start()
    movers = [position for position in found if position.moves() not in ((), (PASS,))]
    if len(movers) > 1:
        said = "it does not follow from the board who is to move: expected x or o behind it"
        raise source.error("turn", written.fen_at, said, written.end)
    return (movers or found)[0]


def _parsed(game: Game, fen: str) -> Position | None:
    try:
        return game.parse(fen)
    except PositionError:
        return None


def _divided(fen: str, game: Game) -> str:
    if not fen.startswith("="):
        return fen
    cells, _, turn = fen[1:].partition(" ")
    rows = [cells[at : at + game.width] for at in range(0, len(cells), game.width)]
    board = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    return f"{board} {turn}".strip()
