"""Connect Four for the plain search: bitboards, and the squares that complete fours.

`rules.py` draws the board. A state carries, for each side, the empty squares that would complete a
four of its own, its threats: a search that knows them never looks at a game that is won.
"""

from collections.abc import Hashable, Sequence

from plywire.engine.compiled.contract import WIN
from plywire.engine.game import Position
from plywire.engine.search.plain_rules import PlainRules

from .rules import Connect4

#: What an estimate gives for a threat, and how much more in a row in which that side moves last, in
#: hundredths.
_THREAT = 40
_IN_TURN = 40
#: For each four more that a side could still make.
_OPEN_LINE = 4


State = tuple[int, int, int, int]
"""The stones of the side to move, those of the other, and the squares, taken ones perhaps included,
that complete a four: of the side to move, of the other."""


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
        # Where the first player can expect to move last, once all other columns are full.
        rows = [row for row in range(height) if ((width - 1) * height + row) % 2 == 0]
        self._first_rows = sum(game.bottom << row for row in rows)

    def state(self, position: Position) -> State:
        """The stones, and the threats of both."""
        own, other = position.words()
        return own, other, self._completing(own), self._completing(other)

    def play(self, state: State, move: int) -> State:
        """Add a stone; only the mover's threats change."""
        own, other, _, other_threats = state
        own |= 1 << move
        return other, own, other_threats, self._completing(own)

    def key(self, state: State) -> Hashable:
        """The stones in one integer."""
        return state[0] << 64 | state[1]

    def known(self, state: State) -> int | None:
        """A win with the next stone, a loss with the one after it, or a full board."""
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
        """The stone that is forced, else those after which the other does not win at once."""
        own, other, _, other_threats = state
        landings = ((own | other) + self._bottom) & self._full
        landings = (other_threats & landings or landings) & ~(other_threats >> 1)
        return [
            (landings & column).bit_length() - 1 for column in self._columns if landings & column
        ]

    def estimate(self, state: State) -> int:
        """Threats, those in turn above all, and the fours that are still possible."""
        own, other, own_threats, other_threats = state
        empty = self._full & ~(own | other)
        own_threats &= empty
        other_threats &= empty
        score = _THREAT * (own_threats.bit_count() - other_threats.bit_count())
        if own_threats or other_threats:
            rows = self._first_rows if own.bit_count() == other.bit_count() else ~self._first_rows
            score += _IN_TURN * (own_threats & rows).bit_count()
            score -= _IN_TURN * (other_threats & ~rows).bit_count()
        own, other = self._full & ~other, self._full & ~own  # what each has or may get
        for step, two, _ in self._steps:
            pairs, others = own & own >> step, other & other >> step
            lines = (pairs & pairs >> two).bit_count() - (others & others >> two).bit_count()
            score += _OPEN_LINE * lines
        return score

    def _completing(self, stones: int) -> int:
        """The squares that would complete a four, see `fours.py`."""
        found = 0
        for step, two, three in self._steps:
            up, down = stones << step, stones >> step
            if pair := up & stones << two:
                found |= pair & (stones << three | down)
            if pair := down & stones >> two:
                found |= pair & (stones >> three | up)
        return found & self._full
