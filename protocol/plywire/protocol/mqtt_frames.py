"""How the protocol lies on MQTT, without I/O: topics, and the frames that make connections of them.

A broker has topics but no connections, and may deliver a message twice. So each message of a bot,
and each to it, is a frame: a first line `CONNECTION NUMBER`, then one or more whole lines of the
dialect. CONNECTION is a word that the bot makes up anew whenever it begins afresh; NUMBER counts
the frames of that connection in that direction, from 1. Hence:

* a number that was there before is a duplicate, and is ignored;
* a number that skips one means that something was lost: the connection is broken;
* frame 0, without lines, says that the connection is broken or not known (TCP would say RST).

A broken connection is nothing special: the bot makes a new one and comes back by `resume`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from .framing import MAX_LINE
from .messages.fields import MAX_INTEGER, Name, Word

DEFAULT_ARENA = "main"

_HEADER = re.compile(rb"([!-~]{1,32}) (0|[1-9][0-9]{0,15})(?:\r?\n|$)")
_NAME: TypeAdapter[str] = TypeAdapter(Name)


class Presence(BaseModel):
    """Whether a bot is connected to the broker; retained, and the bot's last will."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    online: bool
    connection: Annotated[Word, Field(max_length=32)] = "-"


class Direction(Enum):
    """Direction or kind of a bot's topic."""

    IN = "in"
    """Frames to the bot."""
    OUT = "out"
    """Frames from the bot."""
    PRESENCE = "presence"


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of an arena."""

    arena: str = DEFAULT_ARENA

    def __post_init__(self) -> None:
        """Raises ValueError if the arena's name is none."""
        check_name(self.arena)

    @property
    def status(self) -> str:
        """The arena's status, retained; the server's last will."""
        return self.feed("status")

    def feed(self, topic: str) -> str:
        """Return the MQTT topic for events of a topic of the feed; they are retained."""
        return f"plywire/{self.arena}/{topic}"

    def bot(self, name: str, direction: Direction) -> str:
        """A topic of a bot; `+` is every bot."""
        return f"plywire/{self.arena}/bots/{name}/{direction.value}"

    def parse(self, topic: str) -> tuple[str, Direction] | None:
        """The bot of a topic and what passes there; None if it is no bot's."""
        head, _, rest = topic.partition("/bots/")
        name, _, direction = rest.partition("/")
        try:
            if head != f"plywire/{self.arena}":
                return None
            return check_name(name), Direction(direction)
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class Frame:
    """A message of a connection."""

    connection: str
    number: int
    """From 1; 0 says that the connection is broken."""
    data: bytes = b""
    """Whole lines, the last without an ending; of any bytes, if the sender errs."""

    @classmethod
    def parse(cls, payload: bytes) -> Frame | None:
        """The frame in a payload, None if there is none."""
        found = _HEADER.match(payload)
        if found is None:
            return None
        connection, number = found.groups()
        if int(number) > MAX_INTEGER:
            return None
        return cls(connection.decode(), int(number), payload[found.end() :])

    def __bytes__(self) -> bytes:
        return f"{self.connection} {self.number}\n".encode() + self.data


def pack(connection: str, first: int, lines: Iterable[str]) -> list[Frame]:
    """The frames of a connection, from number `first`, that hold these lines.

    None holds more than `MAX_LINE` bytes, unless a single line does.
    """
    batches: list[list[bytes]] = []
    free = 0
    for line in lines:
        data = line.encode()
        if len(data) + 1 > free:
            batches.append([])
            free = MAX_LINE
        batches[-1].append(data)
        free -= len(data) + 1
    return [Frame(connection, first + n, b"\n".join(batch)) for n, batch in enumerate(batches)]


class Sequence:
    """Tells which frames of a connection are next."""

    def __init__(self) -> None:
        self._last = 0

    def judge(self, number: int) -> Literal["next", "duplicate", "gap"]:
        """Judge a frame by its number, and count it if it is the next."""
        if number <= self._last:
            return "duplicate"
        if number > self._last + 1:
            return "gap"
        self._last = number
        return "next"


def parse_presence(payload: bytes) -> Presence | None:
    """The presence in a payload, None if there is none."""
    try:
        return Presence.model_validate_json(payload)
    except ValidationError:
        return None


def check_name(name: str) -> str:
    """The name, of an arena or a bot; raises ValueError if it cannot be one."""
    try:
        return _NAME.validate_python(name)
    except ValidationError:
        raise ValueError(
            f"{name!r} is no name: names are letters, digits, `_`, `.` and `-`, at most 64"
        ) from None
