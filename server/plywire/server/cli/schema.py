"""`plywire schema`: the JSON Schema of the messages."""

from enum import StrEnum
from typing import Annotated

import typer


class Part(StrEnum):
    """What may be described."""

    COMMANDS = "commands"
    EVENTS = "events"


def main(
    part: Annotated[
        Part | None, typer.Argument(help="What the peer sends, or what the server sends.")
    ] = None,
) -> None:
    """Print the JSON Schema of the messages of the JSON dialect.

    Examples:

        plywire schema commands > commands.schema.json

        plywire schema events > events.schema.json
    """
    import json

    from plywire.protocol.messages.registry import command_adapter, event_adapter
    from plywire.protocol.messages.schema import SchemaGenerator as Generator

    schemas = {
        Part.COMMANDS: command_adapter().json_schema(mode="validation", schema_generator=Generator),
        Part.EVENTS: event_adapter().json_schema(mode="serialization", schema_generator=Generator),
    }
    wanted = schemas if part is None else schemas[part]
    typer.echo(json.dumps(wanted, indent=2))
