"""Build the IR of all programs, tables that take a while to compute, and the page's engine.

`make kernels` writes them, and `make check` compares them. The IR of the example game, and of the
kernels that tests call, is built, too.
"""

from __future__ import annotations

import lzma
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from numpy.typing import NDArray

from plywire.engine import registry, shipping
from plywire.engine.compiled.ir import SUFFIX, folder_of
from plywire.engine.compiled.native import PreparationError
from plywire.engine.compiled.program import Program
from plywire.engine.othello.ready_made import file_of
from plywire.engine.othello.speed_kernels import SPEED
from tests.kernels import PROGRAMS
from tools.training.kernels import TRAINING
from tools.training.regression import FITTED, Regression

from . import page_engine
from .edges import compute_edges
from .paths import ROOT, make_importable

_EXAMPLE = ROOT / "examples" / "gomoku"


def shipped_programs() -> Sequence[Program]:
    """Return the programs of our games, and the one that measures."""
    backends = [registry.backend_of(registry.load(name)) for name in registry.names()]
    found = [SPEED, *(it for backend in backends for it in shipping.programs_of(backend))]
    return tuple({it.name: it for it in found if it.package == SPEED.package}.values())


def example_programs() -> Sequence[Program]:
    """Return the programs of the example game, which need not be installed."""
    make_importable(_EXAMPLE)
    from plywire_gomoku.backend import GomokuBackend
    from plywire_gomoku.rules import Gomoku

    return shipping.programs_of(GomokuBackend(Gomoku()))


def files_of(programs: Sequence[Program]) -> dict[Path, bytes]:
    """Return all IR files in the folders of the programs, also files of programs that are gone."""
    folders = {folder_of(program) for program in programs}
    return {it: it.read_bytes() for folder in folders for it in folder.glob(f"*{SUFFIX}")}


def wrong_tables(*, is_mended: bool) -> list[str]:
    """Name the stored tables that differ from what is computed; write them if `is_mended`."""
    tables: dict[str, NDArray[Any]] = {
        "edges": compute_edges(),
        "probcut": Regression.load(FITTED).table(),
    }
    wrong = []
    for name, table in tables.items():
        file = file_of(name)
        if not file.exists() or lzma.decompress(file.read_bytes()) != table.tobytes():
            wrong.append(file.name)
            if is_mended:
                file.write_bytes(lzma.compress(table.tobytes(), preset=9))
    return wrong


def main(
    check: Annotated[bool, typer.Option("--check", help="Name wrong files; write none.")] = False,
) -> None:
    """Build what ships with the engine."""
    make_importable(ROOT)
    programs = (*shipped_programs(), TRAINING, *example_programs(), *PROGRAMS)
    print(f"building {len(programs)} programs, which takes half a minute", flush=True)
    try:
        wanted, there = shipping.build(programs), files_of(programs)
    except PreparationError as error:
        sys.exit(f"cannot build: {error}")
    wrong = [*shipping.differences(wanted, there), *wrong_tables(is_mended=not check)]
    if not check:
        shipping.write(wanted, there)
        for file, content in wanted.items():
            print(f"{file.name}  {len(content) / 1000:.0f} KB")
        try:
            page_engine.write()
        except RuntimeError as error:
            sys.exit(str(error))
    if check and (wrong := [*wrong, *page_engine.wrong()]):
        print("not built from the sources as they are:", *wrong)
        sys.exit("to build them again: make kernels")


if __name__ == "__main__":
    typer.run(main)
