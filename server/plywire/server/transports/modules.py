"""Modules of the page as one script, so that a browser needs one request for all of them.

On a link of 300 ms and 400 kbit/s, a request takes as long as 15 KB. For developer tools, a source
map has the lines of the modules.
"""

import json
import posixpath
import re
from collections.abc import Mapping

_IMPORT = re.compile(r'import (?:\* as (\w+)|(\w+)|\{([^}]*)\}) from "(\.[^"]*)";', re.M)
_EXPORT = re.compile(r"export (?:(default) )?((?:async )?function\*?|class|const) (\w+)")
#: Statements that import or export, which begin in the first column.
_STATEMENT = re.compile(r"^(?:import|export)\b.*", re.M)
#: Comments on lines of their own.
_COMMENT = re.compile(r"^\s*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)$", re.M | re.S)


def combine(sources: Mapping[str, str], first: str) -> tuple[str, str]:
    """Make one script of a module and all its imports; return the script and its source map.

    `sources` has the modules by path, such as `/main.js`. Each module becomes the body of a
    function, after its imports. Comments and indentation are dropped. Raises ValueError if a module
    is missing, imports itself through others, or has an unknown form of `import` or `export`.
    """
    numbers: dict[str, int | None] = {}
    lines: list[str] = []
    sections: list[dict[str, object]] = []

    def add(path: str) -> int:
        if path in numbers:
            if (number := numbers[path]) is None:
                raise ValueError(f"{path} imports itself by way of others")
            return number
        if path not in sources:
            raise ValueError(f"there is no module {path}")
        numbers[path] = None
        source = sources[path]
        exported: dict[str, str] = {}

        def import_(found: re.Match[str]) -> str:
            whole, default, names, target = found.groups()
            number = add(posixpath.normpath(posixpath.join(posixpath.dirname(path), target)))
            taken = f"default: {default}" if default else (names or "").replace(" as ", ": ")
            return f"const {whole or f'{{ {taken} }}'} = m{number};"

        def export(found: re.Match[str]) -> str:
            default, kind, name = found.groups()
            exported[default or name] = name
            return f"{kind} {name}"

        def statement(found: re.Match[str]) -> str:
            for pattern, replace in ((_IMPORT, import_), (_EXPORT, export)):
                text, count = pattern.subn(replace, found[0], count=1)
                if count:
                    return text
            raise ValueError(f"{path}: not known here: {found[0]}")

        body = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), source)
        body = _without_indents(_STATEMENT.sub(statement, body).rstrip("\n"))
        number = numbers[path] = len(sections)
        count = body.count("\n") + 1
        content = {"version": 3, "sources": [path], "sourcesContent": [source], "names": []}
        content["mappings"] = "AAAA" + ";AACA" * (count - 1)  # each line follows the line before
        sections.append({"offset": {"line": len(lines) + 1, "column": 0}, "map": content})
        names = ", ".join(f"{outer}: {name}" for outer, name in exported.items())
        lines.append(f"const m{number} = (() => {{")
        lines.extend(body.split("\n"))
        lines.append(f"return {{ {names} }}; }})();")
        return number

    add(first)
    lines.append(f"//# sourceMappingURL={posixpath.basename(first)}.map\n")
    return "\n".join(lines), json.dumps({"version": 3, "sections": sections})


def _without_indents(source: str) -> str:
    """Drop the spaces at the start of lines, except within strings that go over lines."""
    lines, in_string = [], False
    for line in source.split("\n"):
        lines.append(line if in_string else line.lstrip(" "))
        in_string ^= line.count("`") % 2 == 1
    return "\n".join(lines)
