"""What ships with the engine and is built: `make kernels` builds it, `make check` compares.

That is the IR of all programs, and tables that take a while to compute.

Each program is built by a process of its own, as it would be on a user's machine.
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from plywire.engine import registry
from plywire.engine.compiled.ir import SUFFIX, Ir, file_name, folder_of
from plywire.engine.compiled.program import Program
from plywire.engine.othello.endgame.stability import compute_edges
from plywire.engine.othello.midgame.regression import SHIPPED, Regression
from plywire.engine.othello.ready_made import FOLDER, file_of
from plywire.engine.othello.speed import SPEED

_FOLDERS = (folder_of(SPEED), FOLDER)
#: What mends IR that is not of the sources as they are.
MEND = "make kernels"


def shipped_programs() -> Sequence[Program]:
    """All programs of our games, and those that measure."""
    found = [SPEED]
    for name in registry.names():
        backend = registry.backend_of(registry.load(name))
        found += [backend.perft_program(), *(wanted.program for wanted in backend.wanted())]
    ours = (program for program in found if program.package == SPEED.package)
    return tuple({program.name: program for program in ours}.values())


def build_all(programs: Sequence[Program]) -> dict[Path, bytes]:
    """The content of each program's file."""
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return dict(threads.map(_build, programs))


def _build(program: Program) -> tuple[Path, bytes]:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "plywire.engine.compiled.building"],
        input=json.dumps(asdict(program)).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    content = bytes.fromhex(json.loads(done.stdout))
    ir = Ir.from_bytes(content, program.name)
    print(f"{program.name}: {len(content) / 1000:.0f} KB", flush=True)
    return folder_of(program) / file_name(ir.program, ir.sources), content


def _is_right(file: Path, wanted: dict[Path, bytes], there: dict[Path, bytes]) -> bool:
    """Whether a file is as it is to be, as far as this environment can tell."""
    if file not in wanted or file not in there:
        return False
    if wanted[file] == there[file]:
        return True
    if file.suffix != SUFFIX:
        return False
    ours, theirs = (Ir.from_bytes(it[file], file.name).builder for it in (wanted, there))
    if ours == theirs:
        return False
    print(f"{file.name}: not compared, {theirs} built it, and here is {ours}")
    return True


def compute_tables() -> dict[Path, bytes]:
    """The content of each stored table's file."""
    tables = {"edges": compute_edges(), "probcut": Regression.load(SHIPPED).table()}
    return {
        file_of(name): lzma.compress(table.tobytes(), preset=9) for name, table in tables.items()
    }


def main(arguments: Sequence[str]) -> int:
    """Write the files, or with `--check` say which are not as they should be."""
    wanted = {**build_all(shipped_programs()), **compute_tables()}
    there = {file: file.read_bytes() for folder in _FOLDERS for file in folder.iterdir()}
    if "--check" in arguments:
        wrong = sorted(it.name for it in {*wanted, *there} if not _is_right(it, wanted, there))
        if wrong:
            print("not what the kernels and tables are as they stand:", *wrong)
            print(f"to build them again: {MEND}")
        return 1 if wrong else 0
    for file in {*there} - {*wanted}:
        file.unlink()
    for file, content in wanted.items():
        file.write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
