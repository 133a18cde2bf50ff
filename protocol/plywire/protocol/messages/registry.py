"""All commands and events, by type: importing this module defines them all."""

from pydantic import TypeAdapter

from . import arena, play, review, tournaments, watching  # noqa: F401 - their import registers the messages
from .base import COMMANDS, EVENTS, Command, Event, union


def command_adapter() -> TypeAdapter[Command]:
    """Return the adapter for all commands."""
    return union(tuple(COMMANDS.values()))


def event_adapter() -> TypeAdapter[Event]:
    """Return the adapter for all events."""
    return union(tuple(EVENTS.values()))


__all__ = ["COMMANDS", "EVENTS", "command_adapter", "event_adapter"]
