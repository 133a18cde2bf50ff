"""A whole engine that speaks UGI on its standard input and output: it moves at random."""

import random

from plywire.clients import GameLine, Limits, serve_ugi


class Chance:
    """Plays any legal move."""

    def choose(self, line: GameLine, limits: Limits) -> int:
        """A move of the position at the end of the line."""
        return random.choice(line.legal_moves)


serve_ugi(Chance())
