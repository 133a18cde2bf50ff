"""An agent for Kaggle's ConnectX: `agent` answers an observation with a column.

The agent needs only Python's standard library. Lines, stones and threats are bit sets. Bit `column
* (rows + 1) + row` is a square; row 0 is the bottom, and the top bit of each column is spare.

    5 12 19 26 33 40 47
    4 11 18 25 32 39 46
    3 10 17 24 31 38 45
    2  9 16 23 30 37 44
    1  8 15 22 29 36 43
    0  7 14 21 28 35 42

Opening moves come from a book. Other moves come from alpha-beta with iterative deepening, until the
result is proven or the time is up.
"""

import base64
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from operator import itemgetter
from typing import Any, cast

#: The board of the opening book: columns, rows, and the number of stones in a row that wins.
BOARD = (7, 6, 4)
#: BOOK is `Opening.choices`, compressed. BOOK_PLIES is the number of stones at which the book ends.
#: `plywire export kaggle` fills them in.
BOOK = ""
BOOK_PLIES = 0

#: Scores above PROVEN or below -PROVEN are proven. A win scores WIN minus the number of stones on
#: the board when it is won.
WIN = 10_000
PROVEN = WIN // 2

#: The agent uses these shares of a move's time and of the remaining overage time.
TIME_SHARE = 0.7
OVERAGE_SHARE = 0.08

#: Maximum number of positions in the table. Each needs about 200 bytes.
MEMORY = 500_000

#: A position: the stones of the side to move, and those of the opponent.
Stones = tuple[int, int]


_order = itemgetter(0)


class TimeUpError(Exception):
    """The time for a move is over."""


class Board:
    """The geometry of one board size."""

    def __init__(self, columns: int, rows: int, inarow: int) -> None:
        self.columns = columns
        self.rows = rows
        self.cells = columns * rows
        self.stride = rows + 1
        self.column = (1 << rows) - 1
        """Squares of the first column."""
        self.bottom = sum(1 << column * self.stride for column in range(columns))
        self.full = self.bottom * self.column
        self.odd_rows = self.bottom * sum(1 << row for row in range(0, rows, 2))
        columns_from_centre = sorted(
            range(columns), key=lambda column: abs(2 * column - columns + 1)
        )
        self.from_centre = [self.column << column * self.stride for column in columns_from_centre]
        """Squares of each column, middle columns first."""
        self.completing = _completing(self.stride, inarow)
        """Function from stones to the squares that complete a line, even if these are occupied."""

    def landings(self, taken: int) -> int:
        return taken + self.bottom & self.full

    def read(self, cells: list[int], mark: int) -> Stones:
        """Read a ConnectX board, whose cells come in rows from the top."""
        sides = [0, 0]
        for index, cell in enumerate(cells):
            if cell:
                row, column = divmod(index, self.columns)
                square = column * self.stride + self.rows - 1 - row
                sides[cell != mark] |= 1 << square
        return sides[0], sides[1]

    def mirrored(self, stones: int) -> int:
        image = 0
        for column in range(self.columns):
            image = image << self.stride | stones >> column * self.stride & self.column
        return image


def _completing(stride: int, inarow: int) -> Callable[[int], int]:
    """Make a function from stones to the squares that complete a line.

    The function has no loops, because they would take twice as long.
    """
    lines = []
    for step in (1, stride - 1, stride, stride + 1):
        for before in range(inarow):
            stones = [f"s << {step * distance}" for distance in range(1, before + 1)]
            stones += [f"s >> {step * distance}" for distance in range(1, inarow - before)]
            if step > 1 or before == inarow - 1:  # vertical: no stone lies above the empty square
                lines.append(" & ".join(stones) or "-1")
    return cast(Callable[[int], int], eval(f"lambda s: {' | '.join(lines)}"))


class Opening:
    """Best moves of the opening, for all positions that arise if one side plays them."""

    def __init__(self, board: Board, plies: int, choose: Callable[[Stones], int]) -> None:
        """Call `choose` to get the column for each position of fewer than `plies` stones.

        The order of positions depends only on earlier answers, so the answers can be stored without
        the positions. Only one of a position and its mirror image is asked for.
        """
        self.plies = plies
        self._board = board
        self._columns: dict[Stones, int] = {}
        upcoming = dict.fromkeys([(0, 0), *self._after((0, 0))])
        for _ in range(0, plies, 2):
            asked, upcoming = upcoming, {}
            for position in asked:
                if (position[0] | position[1]).bit_count() < plies:
                    column = self._columns[position] = choose(position)
                    if (played := _dropped(board, position, column)) is not None:
                        upcoming.update(dict.fromkeys(self._after(played)))

    @property
    def choices(self) -> list[int]:
        return list(self._columns.values())

    def get(self, position: Stones) -> int | None:
        same = self._same(position)
        column = self._columns.get(same)
        return column if column is None or same == position else self._board.columns - 1 - column

    def _after(self, position: Stones) -> Iterator[Stones]:
        for column in range(self._board.columns):
            if (played := _dropped(self._board, position, column)) is not None:
                yield self._same(played)

    def _same(self, position: Stones) -> Stones:
        own, other = position
        return min(position, (self._board.mirrored(own), self._board.mirrored(other)))


def _dropped(board: Board, position: Stones, column: int) -> Stones | None:
    """Return the position after a move; None if the move is impossible or ends the game."""
    own, other = position
    taken = own | other
    move = board.landings(taken) & board.column << column * board.stride
    if not move or move & board.completing(own) or move | taken == board.full:
        return None
    return other, own | move


class Search:
    """Alpha-beta search that keeps its table from move to move."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._known: dict[int, tuple[int, int, int, int]] = {}
        """For each position: depth, lower bound, upper bound, best move."""
        self._deadline = 0.0
        self._nodes = 0

    def best(self, position: Stones, seconds: float) -> int:
        """Return the best column found within that time; there must be a legal move."""
        board = self._board
        own, other = position
        empty = board.full & ~(own | other)
        landing = board.landings(own | other)
        mine, theirs = board.completing(own) & empty, board.completing(other) & empty
        if mine & landing:
            return self._column(mine & landing)
        # If no move is safe, every move loses. Then block one win, so that the opponent must find
        # another.
        moves = _safe(landing, theirs) or landing & theirs or landing
        best = self._children(own, empty, moves, 0)[0][1]
        self._deadline = time.monotonic() + seconds
        if len(self._known) > MEMORY:
            self._known.clear()
        with suppress(TimeUpError):
            for depth in range(1, empty.bit_count() + 1):
                score, best = self._look(position, mine, theirs, moves, best, depth, -WIN, WIN)
                if abs(score) > PROVEN:
                    break
        return self._column(best)

    def _column(self, squares: int) -> int:
        return ((squares & -squares).bit_length() - 1) // self._board.stride

    def _score(
        self, own: int, other: int, mine: int, theirs: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the score for the side to move: exact between alpha and beta, else a bound.

        `mine` and `theirs` are the empty squares that complete a line.
        """
        taken = own | other
        landing = self._board.landings(taken)
        if not landing:
            return 0
        stones = taken.bit_count()
        if mine & landing:
            return WIN - stones - 1
        moves = _safe(landing, theirs)
        if not moves:
            return stones + 2 - WIN
        is_forced = not moves & (moves - 1)
        if depth <= 0 and not is_forced:
            return self._guess(mine, theirs, stones)
        beta = min(beta, WIN - stones - 3)  # the next stone wins for neither player
        if alpha >= beta:
            return beta

        # `own + taken` is a unique key, because in each column the addition carries into the lowest
        # empty square. That square shows the column's height, and the bits below it show the
        # owners.
        key = own + taken
        first = 0
        if known := self._known.get(key):
            known_depth, low, high, first = known
            if known_depth >= depth or low > PROVEN or high < -PROVEN:
                if low >= beta or low == high:
                    return low
                if high <= alpha:
                    return high
        self._nodes += 1
        if not self._nodes & 255 and time.monotonic() > self._deadline:
            raise TimeUpError
        left = depth if is_forced else depth - 1
        best, move = self._look((own, other), mine, theirs, moves, first, left + 1, alpha, beta)
        self._known[key] = (
            depth,
            -WIN if best <= alpha else best,
            WIN if best >= beta else best,
            move,
        )
        return best

    def _look(
        self,
        position: Stones,
        mine: int,
        theirs: int,
        moves: int,
        first: int,
        depth: int,
        alpha: int,
        beta: int,
    ) -> tuple[int, int]:
        """Return the best score of these moves (as in `_score`) and its move; try `first` first."""
        own, other = position
        best, best_move = -WIN, 0
        empty = self._board.full & ~(own | other)
        for _, move, after in self._children(own, empty, moves, first):
            score = -self._score(
                other, own | move, theirs & ~move, after, depth - 1, -beta, -max(alpha, best)
            )
            if score > best:
                best, best_move = score, move
                if score >= beta:
                    break
        return best, best_move

    def _children(self, own: int, empty: int, moves: int, first: int) -> list[tuple[int, int, int]]:
        """Return the moves in search order, with the completing squares after each move.

        `first` is first, then come the moves with most threats, then those near the centre.
        """
        board = self._board
        children = []
        for mask in board.from_centre:
            if move := moves & mask:
                after = board.completing(own | move) & empty & ~move
                children.append((99 if move == first else after.bit_count(), move, after))
        if len(children) > 1:
            children.sort(key=_order, reverse=True)
        return children

    def _guess(self, mine: int, theirs: int, stones: int) -> int:
        """Estimate the score for the side to move from the squares that complete lines.

        When the board fills up, the first player lands on odd rows.
        """
        odd = self._board.odd_rows
        good, bad = (odd, ~odd) if stones % 2 == 0 else (~odd, odd)
        lasting = (mine & good).bit_count() - (theirs & bad).bit_count()
        return 3 * lasting + mine.bit_count() - theirs.bit_count()


def _safe(landing: int, threats: int) -> int:
    """Return the moves after which the opponent cannot complete a line at once."""
    forced = landing & threats
    if forced & (forced - 1):
        return 0
    return (forced or landing) & ~(threats >> 1)


class Player:
    """Plays on one board, game after game."""

    def __init__(self, board: Board, opening: Opening | None) -> None:
        self._board = board
        self._opening = opening
        self._search = Search(board)

    def choose(self, cells: list[int], mark: int, seconds: float) -> int:
        position = self._board.read(cells, mark)
        column = self._opening.get(position) if self._opening else None
        return self._search.best(position, seconds) if column is None else column


def _opening(board: Board) -> Opening:
    choices = iter(zlib.decompress(base64.b85decode(BOOK)))
    return Opening(board, BOOK_PLIES, lambda _: next(choices))


_players: dict[tuple[int, int, int], Player] = {}


def agent(observation: Any, configuration: Any) -> int:
    """Return the column to play, counted from 0 at the left."""
    size = configuration.columns, configuration.rows, configuration.inarow
    if size not in _players:
        board = Board(*size)
        _players[size] = Player(board, _opening(board) if BOOK and size == BOARD else None)
    seconds = TIME_SHARE * configuration.actTimeout
    seconds += OVERAGE_SHARE * observation.remainingOverageTime
    return _players[size].choose(observation.board, observation.mark, seconds)
