"""Types of match: `8` is a game on 8x8, `s8r20` two games from one random position.

The letters, upper or lower case, in the order in which `/os` writes them:

    s       synchro: two games at once from one position, with the colours exchanged
    8       width and height of the board
    k       komi: both players bid for the value of the position
    r20     from a random position of 20 discs
    a       anti: the player with fewer discs wins
    b, w    the colour of the player who asks; by lot if not given
"""

import re
from dataclasses import dataclass, replace

_TYPE = re.compile(
    r"(?P<synchro>s)?(?P<size>\d{1,2})(?P<komi>k)?(?P<random>r(?P<discs>\d{0,2}))?(?P<anti>a)?"
    r"(?P<colour>[bw])?",
    re.ASCII,
)
#: The numbers of discs with which a random start position may begin.
_DISCS = range(4, 61)


class MatchTypeError(ValueError):
    """A text is not a type of match; the error says what is accepted."""


@dataclass(frozen=True, slots=True)
class MatchType:
    """The type of a match."""

    size: int = 8
    synchro: bool = False
    discs: int | None = None
    """Number of discs of the random position, 0 if the server decides; None starts as usual."""
    komi: bool = False
    anti: bool = False
    colour: str = ""
    """`b` or `w`: the colour of the player who asks; empty is by lot."""

    @classmethod
    def parse(cls, text: str) -> "MatchType":
        """Read a type of match; raises MatchTypeError."""
        found = _TYPE.fullmatch(text.lower())
        discs = int(found["discs"] or 0) if found and found["random"] else None
        if found is None or (discs and discs not in _DISCS):
            raise MatchTypeError(
                f"no type of match {text[:20]!r}; write 8, s8 for two games at once, and r with the"
                " number of discs for a random start, such as s8r20"
            )
        return cls(
            size=int(found["size"]),
            synchro=found["synchro"] is not None,
            discs=discs,
            komi=found["komi"] is not None,
            anti=found["anti"] is not None,
            colour=found["colour"] or "",
        )

    @property
    def objection(self) -> str:
        """Why we cannot play this type; empty if we can."""
        if self.size != 8:
            return f"no boards of {self.size}x{self.size}"
        if self.anti:
            return "no anti games"
        return "no komi games" if self.komi else ""

    @property
    def games(self) -> int:
        return 2 if self.synchro else 1

    def is_like(self, name: str) -> bool:
        """Return whether this type is `name`.

        The colour does not matter. If `name` lacks the number of discs, the number does not matter.
        """
        other = MatchType.parse(name)
        discs = self.discs if self.discs is None or other.discs else 0
        return replace(self, discs=discs, colour="") == replace(other, colour="")

    def __str__(self) -> str:
        discs = "" if self.discs is None else f"r{self.discs or ''}"
        letters = f"{'k' if self.komi else ''}{discs}{'a' if self.anti else ''}{self.colour}"
        return f"{'s' if self.synchro else ''}{self.size}{letters}"
