"""What ships with the engine and is built: `make kernels` builds it, `make check` compares.

That is the IR of all programs, and tables that take a while to compute. The IR of the example of
another distribution's game, and of the kernels that tests call, is built with them.
"""

from __future__ import annotations

import lzma
import sys
from collections.abc import Sequence

from plywire.engine import registry, shipping
from plywire.engine.compiled.native import PreparationError
from plywire.engine.compiled.program import Program
from plywire.engine.othello.endgame.stability import compute_edges
from plywire.engine.othello.midgame.regression import SHIPPED, Regression
from plywire.engine.othello.ready_made import file_of
from plywire.engine.othello.speed_kernels import SPEED
from plywire.engine.othello.training.kernels import TRAINING
from tests.kernels import PROGRAMS, ROOT, make_importable

_EXAMPLE = ROOT / "examples" / "gomoku"


def shipped_programs() -> Sequence[Program]:
    """All programs of our games, and those that measure and train."""
    backends = [registry.backend_of(registry.load(name)) for name in registry.names()]
    found = [SPEED, TRAINING, *(it for backend in backends for it in shipping.programs_of(backend))]
    return tuple({it.name: it for it in found if it.package == SPEED.package}.values())


def example_programs() -> Sequence[Program]:
    """The programs of the example, which need not be installed."""
    make_importable(_EXAMPLE)
    from plywire_gomoku.backend import GomokuBackend
    from plywire_gomoku.rules import Gomoku

    return shipping.programs_of(GomokuBackend(Gomoku()))


def wrong_tables(*, is_mended: bool) -> list[str]:
    """The names of stored tables that are not as they are computed now; writes them if wanted."""
    tables = {"edges": compute_edges(), "probcut": Regression.load(SHIPPED).table()}
    wrong = []
    for name, table in tables.items():
        file = file_of(name)
        if not file.exists() or lzma.decompress(file.read_bytes()) != table.tobytes():
            wrong.append(file.name)
            if is_mended:
                file.write_bytes(lzma.compress(table.tobytes(), preset=9))
    return wrong


def main(arguments: Sequence[str]) -> int:
    """Write the files, or with `--check` say which are not as they should be."""
    is_check = "--check" in arguments
    make_importable(ROOT)
    programs = (*shipped_programs(), *example_programs(), *PROGRAMS)
    print(f"building {len(programs)} programs, which takes half a minute", flush=True)
    try:
        wanted, there = shipping.build(programs), shipping.shipped(programs)
    except PreparationError as error:
        print(f"cannot build: {error}")
        return 1
    wrong = [*shipping.differences(wanted, there), *wrong_tables(is_mended=not is_check)]
    if is_check and wrong:
        print("not built from the sources as they are:", *wrong)
        print("to build them again: make kernels")
        return 1
    if not is_check:
        shipping.write(wanted, there)
        for file, content in wanted.items():
            print(f"{file.name}  {len(content) / 1000:.0f} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
