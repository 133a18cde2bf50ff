"""Builds the IR that a package ships, each program in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .compiled import native
from .compiled.ir import SUFFIX, Ir, IrError, folder_of
from .compiled.program import Program
from .search.backend import Backend


def programs_of(backend: Backend) -> Sequence[Program]:
    """Return the programs of a game that its own package ships."""
    wanted = [backend.perft_program(), *(it.program for it in backend.wanted())]
    package = backend.program().package
    return tuple({it.name: it for it in wanted if it.package == package}.values())


def build(programs: Sequence[Program]) -> dict[Path, bytes]:
    """Return the content of each program's file; raise PreparationError if a build fails."""
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return dict(threads.map(_build, programs))


def _build(program: Program) -> tuple[Path, bytes]:
    content = native.build(program)
    return folder_of(program) / Ir.from_bytes(content, program.name).file_name, content


def shipped(programs: Sequence[Program]) -> dict[Path, bytes]:
    """Return the existing IR files of programs, even if the sources have changed since."""
    return {
        file: file.read_bytes()
        for program in programs
        for file in folder_of(program).glob(f"{program.name}-*{SUFFIX}")
        if file.name.removeprefix(f"{program.name}-").count("-") == 0
    }


def write(wanted: Mapping[Path, bytes], there: Mapping[Path, bytes]) -> None:
    """Replace the files `there` by the files `wanted`."""
    for file in {*there} - {*wanted}:
        file.unlink()
    for file, content in wanted.items():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)


def differences(wanted: Mapping[Path, bytes], there: Mapping[Path, bytes]) -> Iterator[str]:
    """Yield the names of files that differ, as far as this environment can tell.

    Files of other versions of Python, Numba or LLVM are compared only by name.
    """
    for file in sorted({*wanted, *there}):
        if file not in wanted or file not in there:
            yield file.name
        elif wanted[file] != there[file]:
            try:
                theirs = Ir.from_bytes(there[file], file.name).builder
            except IrError:
                theirs = None
            if theirs in (None, Ir.from_bytes(wanted[file], file.name).builder):
                yield file.name
