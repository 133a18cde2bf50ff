"""Turns pydantic's errors into one line that says what is accepted."""

from collections.abc import Mapping
from types import MappingProxyType

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from .fields import PATTERNS

_ECHOED = 40

#: The types of errors that get the text of `_accepted`, in addition to those whose text in pydantic
#: begins with "Input should be".
_WORDED = (
    "string_too_short",
    "string_too_long",
    "too_short",
    "too_long",
    "multiple_of",
    "union_tag_invalid",
    "timezone_aware",
)


def shorten(text: str) -> str:
    """Return the text in quotes, cut to fit into a message."""
    return repr(text if len(text) <= _ECHOED else f"{text[: _ECHOED - 1]}…")


def problem(
    details: ErrorDetails,
    kind: type[BaseModel],
    inner: Mapping[str, type[BaseModel]] = MappingProxyType({}),
) -> str:
    """Describe the invalid field of a model; `inner` are the models in its fields."""
    field = _field(details["loc"])
    match details["type"]:
        case "missing":
            return f"{field} is missing"
        case "extra_forbidden":
            parent = str(details["loc"][-2]) if len(details["loc"]) > 1 else ""
            accepted = ", ".join(inner.get(parent, kind).model_fields)
            return f"unknown field {shorten(field)}: the fields are {accepted}"
        case "value_error" if not field:  # an error that concerns several fields together
            return details["msg"].removeprefix("Value error, ")
        case _:
            return f"{field} {_mismatch(details)}"


def unfit(details: ErrorDetails) -> str:
    """Describe an invalid value and what is accepted, without the name of the field."""
    if details["type"] not in _WORDED and not details["msg"].startswith("Input should be "):
        return details["msg"].removeprefix("Value error, ")
    return _mismatch(details)


def _mismatch(details: ErrorDetails) -> str:
    given = details["input"]
    if details["type"] == "union_tag_invalid":
        given = details["ctx"]["tag"]
    return f"must be {_accepted(details)}, not {_given(given)}"


def _field(location: tuple[int | str, ...]) -> str:
    """Write `("moves", 2)` as `moves[2]`; after `id`, the rest of the location is left out."""
    if location[:1] == ("id",):
        return "id"
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}"
    return path.removeprefix(".")


def _accepted(details: ErrorDetails) -> str:
    if details["loc"][:1] == ("id",):
        return "a string of at most 64 characters or a whole number of at most 53 bits"
    context = details.get("ctx", {})
    match details["type"]:
        case "int_type" | "int_from_float" | "int_parsing" | "int_parsing_size":
            return "a whole number"
        case "bool_type" | "bool_parsing":
            return "true or false"
        case "string_type":
            return "a string"
        case "tuple_type":
            return "a list"
        case "model_type" | "model_attributes_type" | "dict_type":
            return "an object"
        case "greater_than_equal":
            return f"at least {context['ge']}"
        case "less_than_equal":
            return f"at most {context['le']}"
        case "string_too_long":
            return f"at most {context['max_length']} characters long"
        case "string_too_short":
            return f"at least {context['min_length']} characters long"
        case "union_tag_invalid":
            return " or ".join(context["expected_tags"].split(", "))
        case "timezone_aware":
            return "a time with its zone, such as 2026-11-21T20:00:00Z"
        case "multiple_of":
            return f"a multiple of {context['multiple_of']}"
        case "too_long":
            return f"a list of at most {context['max_length']}"
        case "too_short":
            return f"a list of at least {context['min_length']}"
        case "string_pattern_mismatch":
            return PATTERNS[context["pattern"]]
        case _:
            return details["msg"].removeprefix("Input should be ")


def _given(value: object) -> str:
    match value:
        case str():
            return shorten(value)
        case bool():
            return str(value).lower()
        case int() | float():
            return shorten(str(value)).strip("'")
        case None:
            return "null"
        case dict():
            return "an object"
        case _:
            return f"a list of {len(value)}" if isinstance(value, (list, tuple)) else "that"
