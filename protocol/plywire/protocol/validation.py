"""Turns a validation error of pydantic into one line."""

from collections.abc import Mapping

from pydantic import BaseModel, ValidationError

from .errors import PeerError
from .messages.base import ErrorCode
from .messages.limits import Clock, Limits
from .messages.wording import problem
from .messages.wording import shorten as shorten
from .messages.wording import unfit as unfit

#: The models that are fields of other models, by the name of the field.
_INNER: Mapping[str, type[BaseModel]] = {"limits": Limits, "clock": Clock}


def refusal(error: ValidationError, kind: type[BaseModel], *, below: str = "") -> PeerError:
    """Return a PeerError that names the first invalid field; `below` is the tag of a union."""
    details = error.errors(include_url=False)[0]
    if below and details["loc"][:1] == (below,):
        details["loc"] = details["loc"][1:]
    is_syntax = details["type"] in ("missing", "extra_forbidden")
    code = ErrorCode.SYNTAX if is_syntax else ErrorCode.BAD_VALUE
    return PeerError(code, problem(details, kind, _INNER))
