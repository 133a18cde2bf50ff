"""Rules for the requests that are accepted."""

from dataclasses import dataclass

from .messages import Request

#: The lowest and the highest accepted value.
Range = tuple[float, float]
_ANY = (float("-inf"), float("inf"))


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Conditions for requests; a request that meets all of them is accepted."""

    types: tuple[str, ...] = ()
    """Types of match, such as `8` or `s8r`; a type without a number of discs accepts any number.
    Empty accepts every type that we can play; the requested colour does not matter."""
    rated: bool | None = None
    """True for rated matches only, False for unrated ones only, None for both."""
    rating: Range = _ANY
    initial: Range = _ANY
    """Range of the initial time in seconds; the shorter of two clocks counts."""
    only: tuple[str, ...] = ()
    """Logins whose requests are accepted; empty is everybody."""
    block: tuple[str, ...] = ()
    """Logins whose requests are refused."""

    def objection(self, request: Request) -> str:
        asker = request.asker.lower()
        if objection := request.type.objection:
            return objection
        if asker in map(str.lower, self.block):
            return f"{request.asker} is on the block list"
        if self.only and asker not in map(str.lower, self.only):
            return f"{request.asker} is not among {', '.join(self.only)}"
        if self.types and not any(map(request.type.is_like, self.types)):
            return f"{request.type} is not among {', '.join(self.types)}"
        if self.rated is not None and request.rated != self.rated:
            return "no rated matches" if request.rated else "only rated matches"
        initial = min((clock.initial / 1000 for clock in request.clocks), default=self.initial[0])
        for what, value, (lowest, highest) in (
            ("a rating of", request.rating, self.rating),
            ("a clock of", initial, self.initial),
        ):
            if not lowest <= value <= highest:
                return f"{what} {value:g} is not from {lowest:g} to {highest:g}"
        return ""
