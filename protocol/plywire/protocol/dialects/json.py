"""The JSON dialect: each line, or text frame, is a model of `messages` without null fields."""

import json
import re
from collections.abc import Mapping
from typing import ClassVar, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import from_json

from plywire.protocol.errors import PeerError
from plywire.protocol.messages.base import Command, ErrorCode, Event
from plywire.protocol.messages.fields import MAX_ID, MAX_INTEGER
from plywire.protocol.messages.registry import COMMANDS, EVENTS, command_adapter, event_adapter
from plywire.protocol.messages.watching import FeedEvent
from plywire.protocol.text import CONTROL
from plywire.protocol.validation import refusal, shorten

from .base import Answering, Dialect, Driving

T = TypeVar("T", bound=Command | Event)


class Json(Dialect):
    """The dialect for programs, such as bots."""

    name: ClassVar[str] = "json"


class JsonAnswering(Json, Answering):
    """The side that answers."""

    @classmethod
    def opens(cls, line: str) -> bool:
        return line.lstrip().startswith("{")

    def decode_command(self, line: str) -> list[Command]:
        return [_read(line, command_adapter(), COMMANDS)]

    def encode_event(self, event: Event, command: Command | None) -> list[str]:
        return [event.line if isinstance(event, FeedEvent) else _write(event)]


class JsonDriving(Json, Driving):
    """The side that drives."""

    def encode_command(self, command: Command) -> list[str]:
        return [_write(command)]

    def decode_event(self, line: str) -> list[Event]:
        return [_read(line, event_adapter(), EVENTS)] if line.strip() else []


#: Characters that JSON allows in strings, but that a line must not contain.
_CONTROL = re.compile(f"[{CONTROL}]")


def _write(message: BaseModel) -> str:
    line = message.model_dump_json(exclude_none=True)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def _read(line: str, adapter: TypeAdapter[T], kinds: Mapping[str, type[BaseModel]]) -> T:
    try:
        message = adapter.validate_json(line, strict=True)
    except ValidationError as error:
        raise _refusal(line, error, kinds) from None
    try:
        # Pydantic accepts a repeated field and takes its last value, so check for repetitions here.
        # `parse_int=str` saves the conversion of numbers.
        json.loads(line, object_pairs_hook=_check_fields, parse_int=str)
    except PeerError as error:
        error.id = message.id
        raise
    return message


def _check_fields(pairs: list[tuple[str, object]]) -> None:
    names = set()
    for name, _ in pairs:
        if name in names:
            raise PeerError(ErrorCode.SYNTAX, f"field {shorten(name)} is given twice")
        names.add(name)


_PLACE = re.compile(r" at line 1 column (\d+)$")


def _refusal(line: str, error: ValidationError, kinds: Mapping[str, type[BaseModel]]) -> PeerError:
    try:
        message = from_json(line)
    except ValueError as invalid:
        reason = _PLACE.sub(r" at character \1", str(invalid))
        return PeerError(ErrorCode.SYNTAX, f"not JSON: {reason}")
    if not isinstance(message, dict):
        return PeerError(ErrorCode.SYNTAX, "expected a JSON object with a type")
    kind = message.get("type")
    if kind is None:
        fault = PeerError(ErrorCode.SYNTAX, f"type is missing: it is one of {', '.join(kinds)}")
    elif not isinstance(kind, str) or kind not in kinds:
        fault = PeerError(
            ErrorCode.UNKNOWN_COMMAND,
            f"unknown type {shorten(str(kind))}: it is one of {', '.join(kinds)}",
        )
    else:
        fault = refusal(error, kinds[kind], below=kind)
    fault.id = _id(message.get("id"))
    return fault


def _id(value: object) -> str | int | None:
    """Return the id of a refused message, if the id itself is valid."""
    match value:
        case str() if len(value) <= MAX_ID:
            return value
        case int() if not isinstance(value, bool) and abs(value) <= MAX_INTEGER:
            return value
        case _:
            return None
