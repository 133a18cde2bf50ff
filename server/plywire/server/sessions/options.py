"""The options of a session's engine: `hash`, `threads` and `book`."""

from plywire.engine.engine import LocalEngine
from plywire.protocol.messages import play
from plywire.protocol.messages.base import ErrorCode
from plywire.server.errors import RefusedError
from plywire.server.settings import Settings


class EngineOptions:
    """The options of one client's engine, within the limits of the server."""

    def __init__(self, settings: Settings) -> None:
        self._book = settings.book
        self._ranges = {
            "hash": (1, settings.max_hash),
            "threads": (1, settings.max_session_threads),
            "book": (0, 1),
        }
        self._values = {"hash": settings.hash, "threads": 1, "book": 1}

    @property
    def described(self) -> tuple[play.Option, ...]:
        return tuple(
            play.Option(name=name, default=self._values[name], min=least, max=most)
            for name, (least, most) in self._ranges.items()
        )

    def set(self, option: str, digits: str) -> bool:
        """Set an option; return whether its value changes, or raise RefusedError."""
        name = option.lower()
        if name not in self._values:
            known = ", ".join(self._values)
            raise RefusedError(
                ErrorCode.UNKNOWN_OPTION, f"unknown option {option}: the options are {known}"
            )
        least, most = self._ranges[name]
        value = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else -1
        if not least <= value <= most:
            raise RefusedError(
                ErrorCode.BAD_VALUE,
                f"{name} is a whole number from {least} to {most}, not {digits}",
            )
        changes = self._values[name] != value
        self._values[name] = value
        return changes

    def engine(self) -> LocalEngine:
        """Make a new engine; it takes no memory before its first search."""
        values = self._values
        book = (self._book or True) if values["book"] else False
        return LocalEngine(hash_mb=values["hash"], threads=values["threads"], book=book)
