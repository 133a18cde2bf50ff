"""Tables of the keys of TOML files, made from the models that read them.

    python -m docs.keys    writes them

A test sees to it that they are true. A table stands between
`<!-- keys plywire.package.module:Model -->` and the next empty line. With the name of a section, or
`.` for the keys above all sections, after the model, it has examples of each key: the first in the
page's own TOML.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import AwareDatetime, BaseModel, ValidationError

from plywire.protocol.field_docs import field_docs

_KINDS: dict[Any, str] = {
    str: "string",
    Path: "string",
    int: "integer",
    float: "number",
    bool: "true or false",
    AwareDatetime: "date and time",
}
FOLDER = Path(__file__).parent
_TABLE = re.compile(r"(<!-- keys ([\w.]+):(\w+)(?: ([\w.]+))? -->\n)(?:.+\n)*")
_TOML = re.compile(r"^```toml\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def written() -> dict[Path, str]:
    """Each page that has tables, as it should be."""
    pages = {page: page.read_text("utf-8") for page in FOLDER.rglob("*.md")}
    return {page: _written(text) for page, text in pages.items() if _TABLE.search(text)}


def examples(page: str) -> list[str]:
    """The TOML on a page."""
    return _TOML.findall(page)


def _written(page: str) -> str:
    shown = [tomllib.loads(text) for text in examples(page)]

    def table(found: re.Match[str]) -> str:
        model: type[BaseModel] = getattr(import_module(found[2]), found[3])
        sections = found[4] and [one for one in _sections(shown, found[4]) if _fits(model, one)]
        return found[1] + _table(model, sections)

    return _TABLE.sub(table, page)


def _sections(shown: Iterable[dict[str, Any]], name: str) -> Iterator[dict[str, Any]]:
    """All sections of that name."""
    for one in shown:
        found = one if name == "." else one.get(name, {})
        yield from found if isinstance(found, list) else [found]


def _fits(model: type[BaseModel], section: dict[str, Any]) -> bool:
    """Whether the model takes a section: of some there are several kinds."""
    try:
        model.model_validate(section)
    except ValidationError:
        return False
    return True


def _table(model: type[BaseModel], shown: Sequence[dict[str, Any]] | None) -> str:
    columns = ["key", "value", "default", *(["example"] if shown else [])]
    head = (f"| {' | '.join(columns)} | meaning |", "|---" * (len(columns) + 1) + "|")
    return "\n".join((*head, *_rows(model, shown), ""))


def _rows(model: type[BaseModel], shown: Sequence[dict[str, Any]] | None) -> Iterator[str]:
    texts = field_docs(model)
    for name, field in model.model_fields.items():
        value = field.get_default(call_default_factory=True)
        default = "needed" if field.is_required() else _default(value)
        says = " ".join(texts[name].split()).replace("|", "\\|")
        cells = [f"`{name}`", _kind(field.annotation), default, says]
        if shown:
            cells.insert(3, _example(next(one[name] for one in shown if name in one)))
        yield f"| {' | '.join(cells)} |"


def _example(value: Any) -> str:
    """A value as TOML writes it; a table has examples of its own."""
    if isinstance(value, dict) or (isinstance(value, list) and isinstance(value[0], dict)):
        return ""
    return f"`{value.isoformat() if isinstance(value, datetime) else json.dumps(value)}`"


def _default(value: Any) -> str:
    if value in (None, (), {}, "") or isinstance(value, BaseModel):
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
    if origin is Literal:
        return " or ".join(f"`{one}`" for one in inside)
    if origin is dict:
        return "table"
    if origin is Union or inside:
        kinds = [_kind(one) for one in inside if one is not NoneType]
        return " or ".join(dict.fromkeys(kinds))
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return "table"
    return _KINDS[hint]


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, "utf-8")
