"""The worked example in the documentation, followed to the letter in a copy of the engine."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import plywire.engine

ROOT = Path(__file__).parents[2]
BLOCKS = {
    (language, name): text
    for language, name, text in re.findall(
        r"^```(python|text) (\S+)\n(.*?)^```$",
        (ROOT / "docs" / "adding-a-game.md").read_text(),
        re.MULTILINE | re.DOTALL,
    )
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the engine to which the documented package and registry line were added."""
    root = tmp_path_factory.mktemp("tree")
    engine = root / "plywire" / "engine"
    source = Path(plywire.engine.__path__[0])
    shutil.copytree(source, engine, ignore=shutil.ignore_patterns("__pycache__"))
    (engine / "gomoku").mkdir()
    (engine / "gomoku" / "__init__.py").touch()
    for name in ("gomoku/rules.py", "gomoku/kernels.py"):
        (engine / name).write_text(BLOCKS["python", name])
    registry = engine / "game.py"
    head, found, tail = registry.read_text().partition("_REGISTRY: dict[str, str] = {\n")
    assert found
    registry.write_text(head + found + BLOCKS["python", "game.py"] + tail)
    return root


def run(tree: Path, program: str) -> str:
    script = tree / "script.py"
    script.write_text(program)
    environment = os.environ | {"PYTHONPATH": str(tree), "PLYWIRE_CACHE_DIR": str(tree / "cache")}
    done = subprocess.run(
        [sys.executable, "-W", "error", script],
        env=environment,
        cwd=tree,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("name", ["try_rules.py", "try_engine.py", "try_kernels.py"])
def test_the_example_prints_what_the_page_says(tree: Path, name: str) -> None:
    assert run(tree, BLOCKS["python", name]) == BLOCKS["text", name]


def test_every_block_of_code_on_the_page_is_tried() -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text()
    assert page.count("```python") == sum(language == "python" for language, _ in BLOCKS) == 6
