"""Tables of the keys of TOML files, made from the models that read them.

    python -m docs.keys    writes them

A test sees to it that they are true. A table stands between
`<!-- keys plywire.package.module:Model -->` and the next empty line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

FOLDER = Path(__file__).parent
_TABLE = re.compile(r"(<!-- keys ([\w.]+):(\w+) -->\n)(?:.+\n)*")


def written() -> dict[Path, str]:
    """Each page that has tables, as it should be."""
    pages = {page: page.read_text("utf-8") for page in FOLDER.glob("*.md")}
    return {
        page: _TABLE.sub(lambda found: found[1] + _table(_model(found[2], found[3])), text)
        for page, text in pages.items()
        if _TABLE.search(text)
    }


def _model(module: str, name: str) -> type[BaseModel]:
    model: type[BaseModel] = getattr(import_module(module), name)
    return model


def _table(model: type[BaseModel]) -> str:
    return "\n".join(("| key | value | default | |", "|---|---|---|---|", *_rows(model), ""))


def _rows(model: type[BaseModel]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        default = field.get_default(call_default_factory=True)
        shown = "needed" if field.is_required() else _default(default)
        says = " ".join((field.description or "").split()).replace("|", "\\|")
        yield f"| `{name}` | {_kind(field.annotation)} | {shown} | {says} |"


def _default(value: Any) -> str:
    if value in (None, (), "") or isinstance(value, BaseModel):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _kind(hint: Any) -> str:
    """What a key takes, in the words of TOML."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _kind(inside[0])
    if origin is tuple and inside[1:] != (...,):
        return f"[{', '.join(map(_kind, inside))}]"
    if origin is tuple:
        return f"[{_kind(inside[0])}, …]"
    if origin is Union or inside:
        return " or ".join(_kind(one) for one in inside if one is not NoneType)
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return "table"
    return {str: "string", int: "integer", float: "number", bool: "true or false"}[hint]


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, "utf-8")
