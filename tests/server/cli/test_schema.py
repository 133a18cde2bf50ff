"""`plywire schema`."""

import json

import pytest
from typer.testing import CliRunner

from plywire.protocol.messages.schema import command_schema, event_schema
from plywire.server.cli import app


@pytest.mark.parametrize(
    ("part", "expected"), [("commands", command_schema()), ("events", event_schema())]
)
def test_it_is_what_the_protocol_describes(part: str, expected: dict[str, object]) -> None:
    assert json.loads(CliRunner().invoke(app, ["schema", part]).stdout) == expected
