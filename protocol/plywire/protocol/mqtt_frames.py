"""The protocol over MQTT, without I/O: topics, and frames that emulate connections.

A broker has topics but no connections, and may deliver a message twice. Therefore each message from
or to a bot is a frame: a line `CONNECTION NUMBER`, then one or more whole lines of the dialect. The
bot chooses a new word CONNECTION for each new connection. NUMBER counts the frames of the
connection in one direction, from 1:

* A frame with an old number is a duplicate and is ignored.
* A frame that skips a number shows that a frame was lost: the connection is broken.
* Frame 0, without lines, says that the connection is broken or unknown (like RST in TCP).

After a broken connection the bot makes a new one and returns with `resume`.
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


class PresenceMessage(BaseModel):
    """Whether a bot is connected to the broker; a retained message, and the bot's last will."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    online: bool
    connection: Annotated[Word, Field(max_length=32)] = "-"


class Direction(Enum):
    """What a bot's topic carries; the value is the last part of the topic."""

    IN = "in"
    """Frames to the bot."""
    OUT = "out"
    """Frames from the bot."""
    PRESENCE = "presence"


@dataclass(frozen=True, slots=True)
class Topics:
    """The MQTT topics of an arena."""

    arena: str = DEFAULT_ARENA

    def __post_init__(self) -> None:
        """Raise ValueError if the arena's name is invalid."""
        check_name(self.arena)

    @property
    def status(self) -> str:
        """The topic of the arena's status: retained, and the server's last will."""
        return self.feed("status")

    def feed(self, topic: str) -> str:
        """Return the MQTT topic for the events of a feed topic; these events are retained."""
        return f"plywire/{self.arena}/{topic}"

    def bot(self, name: str, direction: Direction) -> str:
        """Return a topic of a bot; the name `+` stands for every bot."""
        return f"plywire/{self.arena}/bots/{name}/{direction.value}"

    def parse(self, topic: str) -> tuple[str, Direction] | None:
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
    """One message of a connection."""

    connection: str
    number: int
    """The frame number, from 1; 0 says that the connection is broken."""
    data: bytes = b""
    """Whole lines, the last without an ending; a faulty sender may send any bytes."""

    @classmethod
    def parse(cls, payload: bytes) -> Frame | None:
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
    """Return frames of at most `MAX_LINE` bytes, numbered from `first`.

    A longer line has a frame of its own.
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
    """Checks the order of the frames of a connection."""

    def __init__(self) -> None:
        self._last = 0

    def judge(self, number: int) -> Literal["next", "duplicate", "gap"]:
        """Classify a frame by its number, and count it if it is the next."""
        if number <= self._last:
            return "duplicate"
        if number > self._last + 1:
            return "gap"
        self._last = number
        return "next"


def parse_presence(payload: bytes) -> PresenceMessage | None:
    """Return the presence in a payload, None if there is none."""
    try:
        return PresenceMessage.model_validate_json(payload)
    except ValidationError:
        return None


def check_name(name: str) -> str:
    """Return the name of an arena or a bot; raise ValueError if it is invalid."""
    try:
        return _NAME.validate_python(name)
    except ValidationError:
        raise ValueError(
            f"{name!r} is no name: names are letters, digits, `_`, `.` and `-`, at most 64"
        ) from None
