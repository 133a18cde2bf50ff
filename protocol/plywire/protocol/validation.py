"""What pydantic finds wrong, in one clear line."""

from collections.abc import Mapping

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from .errors import PeerError
from .messages.base import ErrorCode
from .messages.fields import PATTERNS
from .messages.limits import Clock, Limits

#: Models within models, by the name of the field that holds them.
_INNER: Mapping[str, type[BaseModel]] = {"limits": Limits, "clock": Clock}

_ECHOED = 40


def shorten(text: str) -> str:
    """The text in quotes, cut to a length that fits into a message."""
    return repr(text if len(text) <= _ECHOED else f"{text[: _ECHOED - 1]}…")


def refusal(error: ValidationError, kind: type[BaseModel], *, below: str = "") -> PeerError:
    """The PeerError that names the first field that does not fit, and what would.

    `below` is the tag with which pydantic begins the locations of errors within a tagged union.
    """
    details = error.errors(include_url=False)[0]
    if below and details["loc"][:1] == (below,):
        details["loc"] = details["loc"][1:]
    field = _field(details["loc"])
    match details["type"]:
        case "missing":
            return PeerError(ErrorCode.SYNTAX, f"{field} is missing")
        case "extra_forbidden":
            parent = str(details["loc"][-2]) if len(details["loc"]) > 1 else ""
            accepted = ", ".join(_INNER.get(parent, kind).model_fields)
            return PeerError(
                ErrorCode.SYNTAX, f"unknown field {shorten(field)}: the fields are {accepted}"
            )
        case "value_error" if not field:  # of several fields together
            return PeerError(ErrorCode.BAD_VALUE, details["msg"].removeprefix("Value error, "))
        case _:
            return PeerError(ErrorCode.BAD_VALUE, f"{field} {_mismatch(details)}")


def unfit(details: ErrorDetails) -> str:
    """What is wrong with a value, without its name, and what would fit."""
    if details["type"] == "value_error" or not details["msg"].startswith("Input should be "):
        return details["msg"].removeprefix("Value error, ")
    return _mismatch(details)


def _mismatch(details: ErrorDetails) -> str:
    return f"must be {_accepted(details)}, not {_given(details['input'])}"


def _field(location: tuple[int | str, ...]) -> str:
    """`("moves", 2)` as `moves[2]`; an `id` has sublocations for the types that it may have."""
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
