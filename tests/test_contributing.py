"""What CONTRIBUTING.md and the page on the architecture name is there: files, definitions, folders.

`make check` compares the map of folders, for it has grimp.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
ARCHITECTURE = (ROOT / "docs/explanation/architecture.md").read_text("utf-8")
SCALING = (ROOT / "docs/explanation/scaling.md").read_text("utf-8")
PAGES = GUIDE + ARCHITECTURE + SCALING
PORTIONS = ("server", "clients", "protocol", "engine", "tools")
_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"`([^`\s]+)`")
_PATH = re.compile(r"[\w.-]+/|(?:[\w.-]+/)+[\w.-]+/?")

#: By their titles.
_SECTION = ARCHITECTURE.partition("## Five walks\n")[2]
WALKS = {
    title: text
    for title, _, text in (walk.partition("\n") for walk in _SECTION.split("\n### ")[1:])
} | {"Add something": GUIDE.partition("## Add something\n")[2]}
PATHS = sorted({name for name in _NAMED.findall(_BLOCK.sub("", PAGES)) if _PATH.fullmatch(name)})


def located(path: str) -> Path:
    """Where a path of the page is: it leaves out what stands between a root and what it holds."""
    portion, _, rest = path.partition("/")
    inner = ROOT / portion / "plywire" / portion / rest
    return inner if portion in PORTIONS and inner.exists() else ROOT / path


def defined(file: Path) -> set[str]:
    """What a file defines: functions, classes, constants and the methods of classes."""
    found = set()

    def look(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    found.add(prefix + name)
                case ast.ClassDef(name=name, body=inside):
                    found.add(prefix + name)
                    look(inside, f"{prefix}{name}.")
                case (
                    ast.Assign(targets=[ast.Name(id=name)])
                    | ast.AnnAssign(target=ast.Name(id=name))
                ):
                    found.add(prefix + name)

    look(ast.parse(file.read_text("utf-8")).body, "")
    return found


def test_walks_are_found() -> None:
    assert len(WALKS) == 6
    assert all(WALKS.values())


@pytest.mark.parametrize("path", PATHS)
def test_paths_exist(path: str) -> None:
    there = located(path)
    assert there.is_dir() if path.endswith("/") else there.is_file()


@pytest.mark.parametrize("title", WALKS)
def test_a_walk_names_what_its_files_define(title: str) -> None:
    names = _NAMED.findall(WALKS[title])
    known: set[str] = set()
    for name in names:
        if name.endswith(".py"):
            known |= defined(located(name))
    missing = [name for name in names if not _PATH.fullmatch(name) and name not in known]
    assert missing == []


def test_a_name_before_a_path_is_defined_there() -> None:
    pairs = re.findall(r"`([^`\s]+)`\s+in\s+`([^`\s]+\.py)`", PAGES)
    assert len(pairs) > 40
    assert [pair for pair in pairs if pair[0] not in defined(located(pair[1]))] == []
