"""The IR that ships with the engine: `make kernels` builds it, `make check` compares.

Each program is built by a process of its own, as it would be on a user's machine.
"""

from __future__ import annotations

import json
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
from plywire.engine.othello.speed import SPEED

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
        [sys.executable, "-P", "-m", __package__],
        input=json.dumps(asdict(program)).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    content = bytes.fromhex(json.loads(done.stdout))
    ir = Ir.from_bytes(content, program.name)
    print(f"{program.name}: {len(content) / 1000:.0f} KB", flush=True)
    return folder_of(program) / file_name(ir.program, ir.sources), content


def main(arguments: Sequence[str]) -> int:
    """Write the files, or with `--check` say which are not as they should be."""
    programs = shipped_programs()
    folder = folder_of(SPEED)
    wanted = build_all(programs)
    there = {file: file.read_bytes() for file in folder.glob(f"*{SUFFIX}")}
    if "--check" in arguments:
        wrong = sorted(
            file.name for file in {*wanted, *there} if wanted.get(file) != there.get(file)
        )
        if wrong:
            print("not the IR of the kernels as they are:", *wrong)
            print(f"to build it again: {MEND}")
        return 1 if wrong else 0
    folder.mkdir(exist_ok=True)
    for file in {*there} - {*wanted}:
        file.unlink()
    for file, content in wanted.items():
        file.write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
