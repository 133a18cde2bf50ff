"""The messages of the protocol, field by field: `docs/schema/` and the tables of a page.

    python -m docs.messages    writes them

A test sees to it that they are what `plywire schema` prints.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plywire.protocol.messages.registry import COMMANDS, EVENTS
from plywire.protocol.messages.schema import command_schema, event_schema

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "protocol" / "messages.md"
_TABLES = re.compile(r"(?<=<!-- fields -->\n\n).*(?=<!-- end of fields -->)", re.DOTALL)
_WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "`true` or `false`",
}


def written() -> dict[Path, str]:
    """What each of the files has to hold."""
    schemas = {"commands": command_schema(), "events": event_schema()}
    texts = {
        ROOT / "docs" / "schema" / f"{part}.json": json.dumps(schema, indent=2) + "\n"
        for part, schema in schemas.items()
    }
    kinds = schemas["commands"]["$defs"] | schemas["events"]["$defs"]
    objects = [
        name
        for name, kind in kinds.items()
        if kind["type"] == "object" and "type" not in kind["properties"]
    ]
    tables = [
        _table("command", _messages(schemas["commands"], COMMANDS), kinds),
        _table("event", _messages(schemas["events"], EVENTS), kinds),
        _table("object", {name: kinds[name] for name in objects}, kinds),
    ]
    texts[PAGE] = _TABLES.sub(lambda _: "\n".join([*tables, ""]), PAGE.read_text("utf-8"))
    return texts


def _messages(schema: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Commands or events by their type, in the order of their definition."""
    references = schema["discriminator"]["mapping"]
    return {name: schema["$defs"][references[name].rpartition("/")[2]] for name in names}


def _table(head: str, described: dict[str, Any], kinds: dict[str, Any]) -> str:
    lines = [f"| {head} | field | value | default | meaning |", "|---|---|---|---|---|"]
    for name, kind in described.items():
        first = f"`{name}`"
        for field, schema in kind["properties"].items():
            if field in ("type", "id"):
                continue
            given = "" if field in kind.get("required", ()) else _default(schema.get("default"))
            meaning = " ".join(_meaning(schema).split()).replace("|", r"\|")
            lines.append(f"| {first} | `{field}` | {_holds(schema, kinds)} | {given} | {meaning} |")
            first = ""
    return "\n".join(lines) + "\n"


def _default(value: Any) -> str:
    return "nothing" if value in (None, "", []) else f"`{json.dumps(value)}`"


def _meaning(schema: dict[str, Any]) -> str:
    """The description of a field, or of what it holds if it is given."""
    return str(next((s["description"] for s in _choices(schema) if "description" in s), ""))


def _holds(schema: dict[str, Any], kinds: dict[str, Any]) -> str:
    """The values of a field, in words."""
    words = [_word(choice, kinds) for choice in _choices(schema) if choice.get("type") != "null"]
    return " or ".join(word for word in dict.fromkeys(words) if word)


def _choices(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**schema, "anyOf": []}, *schema["anyOf"]] if schema.get("anyOf") else [schema]


def _word(schema: dict[str, Any], kinds: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        kind = kinds[name]
        return f"`{name}`" if kind["type"] == "object" else _word(kind, kinds)
    if "enum" in schema:
        if len(schema["enum"]) > 8:
            return "[error code](../errors.md)"
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"array of two: {_holds(schema['prefixItems'][0], kinds)}"
        case "array":
            return f"array: {_holds(schema['items'], kinds)}"
        case "string" if schema.get("format") == "date-time":
            return 'time, as `"2026-11-21T20:00:00Z"`'
    return _WORDS.get(str(schema.get("type")), "")


if __name__ == "__main__":
    for path, text in written().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
