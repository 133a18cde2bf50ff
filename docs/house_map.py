"""The map of the house in CONTRIBUTING.md: every folder, and which way imports point.

    python -m docs.house_map            writes it
    python -m docs.house_map --check    fails where it is not true any more

Folders that stand side by side are listed so that each imports only from those below it. What a
folder holds is the first sentence of its `__init__.py`.
"""

from __future__ import annotations

import ast
import re
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "CONTRIBUTING.md"
#: The parts of the wheel, and their packages: the folders inside each portion repeat its name.
PORTIONS = ("server", "clients", "protocol", "engine")
PACKAGES = ("tools", *(f"plywire.{portion}" for portion in PORTIONS))
_BLOCK = re.compile(r"(?<=<!-- map -->\n```text\n).*?(?=```\n)", re.DOTALL)


def drawn() -> str:
    """The map, a line a folder."""
    graph = grimp.build_graph(*PACKAGES)
    lines = []
    for package in PACKAGES:
        lines += _draw(graph, package, 0)
    return "\n".join(lines) + "\n"


def _draw(graph: grimp.ImportGraph, package: str, depth: int) -> list[str]:
    portion = package.split(".")[1] if package.startswith("plywire.") else ""
    folder = ROOT / portion / package.replace(".", "/")
    docstring = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
    name = "  " * depth + package.rpartition(".")[2] + "/"
    sentence = " ".join(docstring.partition("\n\n")[0].split())
    lines = [f"{name:<22}{sentence}"]
    # Sorted: what nothing else puts in order must be drawn in the same order every time.
    inside = [child for child in sorted(graph.find_children(package)) if graph.find_children(child)]
    order = {
        one: [other for other in inside if other != one and _imports(graph, other, one)]
        for one in inside
    }
    for child in TopologicalSorter(order).static_order():
        lines += _draw(graph, child, depth + 1)
    return lines


def _imports(graph: grimp.ImportGraph, importer: str, imported: str) -> bool:
    return graph.direct_import_exists(importer=importer, imported=imported, as_packages=True)


def main(*flags: str) -> None:
    """Write the map, or only look whether it is true."""
    page = PAGE.read_text("utf-8")
    new = _BLOCK.sub(lambda _: drawn(), page)
    if flags == ("--check",) and new != page:
        sys.exit(f"{PAGE.name} shows another house: python -m docs.house_map")
    PAGE.write_text(new, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
