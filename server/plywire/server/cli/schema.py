"""`plywire schema`: the JSON Schema of the messages."""

import json
from enum import StrEnum
from typing import Annotated

import typer

from plywire.protocol.messages.schema import command_schema, event_schema


class MessageKind(StrEnum):
    """The messages of one side."""

    COMMANDS = "commands"
    EVENTS = "events"


def main(
    part: Annotated[
        MessageKind | None,
        typer.Argument(help="Messages of the client or of the server; by default both."),
    ] = None,
) -> None:
    """Print the JSON Schema of the messages of the JSON dialect.

    Examples:

        plywire schema commands > commands.schema.json

        plywire schema events > events.schema.json
    """
    schemas = {MessageKind.COMMANDS: command_schema(), MessageKind.EVENTS: event_schema()}
    typer.echo(json.dumps(schemas if part is None else schemas[part], indent=2))
