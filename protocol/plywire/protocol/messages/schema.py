"""The JSON Schema (draft 2020-12) of the messages of the JSON dialect."""

import re
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import (
    CoreModeRef,
    CoreRef,
    DefsRef,
    GenerateJsonSchema,
    JsonSchemaValue,
)
from pydantic_core.core_schema import ModelSchema

from plywire.protocol.field_docs import field_docs

from .registry import command_adapter, event_adapter


class SchemaGenerator(GenerateJsonSchema):
    """Describes fields by their docstrings, and drops `Answer` from the names of classes."""

    def model_schema(self, schema: ModelSchema) -> JsonSchemaValue:
        """Return the schema of a message or part, with descriptions of its fields."""
        found = super().model_schema(schema)
        for name, text in field_docs(schema["cls"]).items():
            found["properties"][name].setdefault("description", text)
        return found

    def get_defs_ref(self, core_mode_ref: CoreModeRef) -> DefsRef:
        """Return the name of a definition, without `Answer`."""
        reference, mode = core_mode_ref
        return super().get_defs_ref((CoreRef(re.sub(r"Answer(?=:)", "", reference)), mode))


def command_schema() -> dict[str, Any]:
    """Return the JSON schema of all commands."""
    return _schema("A Plywire command", command_adapter())


def event_schema() -> dict[str, Any]:
    """Return the JSON schema of all events."""
    return _schema("A Plywire event", event_adapter())


def _schema(title: str, adapter: TypeAdapter[Any]) -> dict[str, Any]:
    # Messages leave out fields that are null. In pydantic's serialization mode, the schema would
    # require these fields.
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **adapter.json_schema(mode="validation", schema_generator=SchemaGenerator),
    }
