"""Connect Four for the plain search: bitboards, and the threats of each player.

A threat is an empty square that completes a four. `rules.py` draws the board.
"""

from collections.abc import Hashable, Sequence

from plywire.engine.compiled.contract import WIN
from plywire.engine.game import Position
from plywire.engine.search.plain_rules import PlainRules

from .rules import Connect4

#: The worth of a threat, in hundredths.
_THREAT = 40
#: The additional worth of a threat, in hundredths, if its owner fills its row once all other
#: columns are full.
_IN_TURN = 40
#: The worth of each four that a player can still make, in hundredths.
_OPEN_LINE = 4


State = tuple[int, int, int, int]
"""Stones of the player to move and the opponent, then squares that complete a four for each."""


class Connect4PlainRules(PlainRules[State]):
    """Connect Four on a board of any size."""

    def __init__(self, width: int, height: int) -> None:
        game = Connect4(width, height)
        self._bottom, self._full = game.bottom, game.full
        steps = 1, height, height + 1, height + 2
        self._steps = [(step, 2 * step, 3 * step) for step in steps]
        columns = [(1 << height) - 1 << column * (height + 1) for column in range(width)]
        middle = width - 1
        self._columns = sorted(columns, key=lambda it: abs(2 * columns.index(it) - middle))
        # The rows in which player 1 is to move if all other columns are full.
        rows = [row for row in range(height) if ((width - 1) * height + row) % 2 == 0]
        self._first_rows = sum(game.bottom << row for row in rows)

    def state(self, position: Position) -> State:
        own, other = position.words()
        return own, other, self._completing(own), self._completing(other)

    def play(self, state: State, move: int) -> State:
        """Return the state after a stone; only the threats of the player who moved change."""
        own, other, _, other_threats = state
        own |= 1 << move
        return other, own, other_threats, self._completing(own)

    def key(self, state: State) -> Hashable:
        return state[0] << 64 | state[1]

    def known(self, state: State) -> int | None:
        """Return the score if the next two stones decide or the game is drawn, None otherwise."""
        own, other, own_threats, other_threats = state
        landings = ((own | other) + self._bottom) & self._full
        if own_threats & landings:
            return WIN - 1
        if not landings:
            return 0
        forced = other_threats & landings
        if forced & (forced - 1) or not (forced or landings) & ~(other_threats >> 1):
            return 2 - WIN
        return None

    def moves(self, state: State, depth: int) -> Sequence[int]:
        """Return the forced moves, else the moves that do not let the other player win at once."""
        own, other, _, other_threats = state
        landings = ((own | other) + self._bottom) & self._full
        landings = (other_threats & landings or landings) & ~(other_threats >> 1)
        return [
            (landings & column).bit_length() - 1 for column in self._columns if landings & column
        ]

    def estimate(self, state: State) -> int:
        """Return an estimate from threats, the rows of the threats, and possible fours."""
        own, other, own_threats, other_threats = state
        empty = self._full & ~(own | other)
        own_threats &= empty
        other_threats &= empty
        score = _THREAT * (own_threats.bit_count() - other_threats.bit_count())
        if own_threats or other_threats:
            rows = self._first_rows if own.bit_count() == other.bit_count() else ~self._first_rows
            score += _IN_TURN * (own_threats & rows).bit_count()
            score -= _IN_TURN * (other_threats & ~rows).bit_count()
        own, other = self._full & ~other, self._full & ~own  # squares that each has or may get
        for step, two, _ in self._steps:
            pairs, others = own & own >> step, other & other >> step
            lines = (pairs & pairs >> two).bit_count() - (others & others >> two).bit_count()
            score += _OPEN_LINE * lines
        return score

    def _completing(self, stones: int) -> int:
        """Return the squares that would complete a four; see `fours.py`."""
        found = 0
        for step, two, three in self._steps:
            up, down = stones << step, stones >> step
            if pair := up & stones << two:
                found |= pair & (stones << three | down)
            if pair := down & stones >> two:
                found |= pair & (stones >> three | up)
        return found & self._full
