"""A request for a match on GGS."""

from dataclasses import dataclass

from .clock import GgsClock
from .match_type import MatchType


@dataclass(frozen=True, slots=True)
class Ask:
    """A request for a match, which is sent repeatedly."""

    type: MatchType
    clock: GgsClock
    opponent: str = ""
    """Login of the opponent; empty is anybody."""

    @classmethod
    def parse(cls, text: str) -> "Ask":
        match text.split():
            case [type_, clock]:
                return cls(MatchType.parse(type_), GgsClock.parse(clock))
            case [type_, clock, opponent]:
                return cls(MatchType.parse(type_), GgsClock.parse(clock), opponent)
        raise ValueError(f"nothing to ask for: {text[:40]!r}; write TYPE CLOCK [NAME]")

    def __str__(self) -> str:
        return f"ask {self.type} {self.clock} {self.opponent}".rstrip()
