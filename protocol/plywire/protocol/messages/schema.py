"""The JSON Schema (draft 2020-12) of the messages of the JSON dialect."""

from typing import Any

from pydantic import TypeAdapter

from .commands import COMMAND
from .events import EVENT


def command_schema() -> dict[str, Any]:
    """What any one command fits."""
    return _schema("A Plywire command", COMMAND)


def event_schema() -> dict[str, Any]:
    """What any one event fits."""
    return _schema("A Plywire event", EVENT)


def _schema(title: str, adapter: TypeAdapter[Any]) -> dict[str, Any]:
    # In pydantic's serialization mode, fields that are left out as null would be required.
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **adapter.json_schema(mode="validation"),
    }
