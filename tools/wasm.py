"""Emit the kernels of each game as WebAssembly, for the engine that runs in the page.

`make kernels` writes the modules next to the JavaScript that loads them. They are made from the
shipped IR. Names of modules carry a hash of all that a module is made from: no cached page meets a
module of another version, and `make check` needs no linker, which is a download of 100 MB.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from plywire.engine import registry
from plywire.engine.compiled import ir as irs
from plywire.engine.compiled.constant import Value, values
from plywire.engine.compiled.machine_code import definition
from plywire.engine.compiled.native import ir_of
from plywire.engine.compiled.optimise import optimise
from plywire.engine.compiled.program import Program
from plywire.engine.compiled.target import CONSTANTS, Target, clock_number, is_windows
from plywire.engine.connect4.solver.solver import solver_wanted

from .paths import ROOT

FOLDER = ROOT / "server" / "plywire" / "server" / "web" / "engine"
SUFFIX = ".wasm"
#: Features of WebAssembly that all browsers have had since 2023.
_FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
#: WebAssembly shifts all lanes of a vector by the same number. The solver does that, too. Othello
#: shifts each lane by a number of its own: its endgames are 13 % faster without vectors.
_VECTORS = "+simd128"
_TARGET = Target("wasm32-unknown-unknown", "generic", _FEATURES)
#: The size of the stack in bytes; `stack_words` takes words from it. Othello's search takes 6.4 KB
#: for each ply. Nothing lies below the stack, so a search that would overflow it fails.
_STACK = 1 << 20
#: The clock function, which kernels call by its address, like C's `clock_gettime`. It asks
#: JavaScript for the time in ms.
_CLOCK = """
declare double @now() "wasm-import-module"="env" "wasm-import-name"="now"
declare i64 @llvm.fptoui.sat.i64.f64(double)
define internal i32 @clock(i32 %number, ptr %time) {
  %milliseconds = call double @now()
  %product = fmul double %milliseconds, 1.0e6
  %nanoseconds = call i64 @llvm.fptoui.sat.i64.f64(double %product)
  %second = getelementptr i64, ptr %time, i32 1
  store i64 0, ptr %time
  store i64 %nanoseconds, ptr %second
  ret i32 0
}
define i64 @clock_address() {
  ret i64 ptrtoint (ptr @clock to i64)
}
"""
_OWN_ENTRIES = ("clock_address",)
_HASH_DIGITS = 16


@dataclass(frozen=True, slots=True)
class WasmModule:
    """The programs of one game, which become one module."""

    game: str
    programs: Sequence[Program]
    constants: Mapping[str, Value] = field(default_factory=dict)
    features: str = _FEATURES

    @property
    def file(self) -> Path:
        """The path of the module; its name has the hash of all that it is made from."""
        made_of = [
            *(ir_of(program).digest for program in self.programs),
            *(f"{name} {value}" for name, value in sorted(self.constants.items())),
            self.features,
            irs.sources_hash([__name__, optimise.__module__, definition.__module__]),
            linker(),
        ]
        digest = hashlib.blake2b("\n".join(made_of).encode(), digest_size=_HASH_DIGITS // 2)
        return FOLDER / f"{self.game}-{digest.hexdigest()}{SUFFIX}"

    def emit(self) -> bytes:
        """Make a module; raise RuntimeError if the linker is missing or fails."""
        package, _, version = linker().partition("==")
        try:
            found = metadata.version(package)
        except metadata.PackageNotFoundError:
            found = "none"
        if found != version:
            raise RuntimeError(
                f"{package} {version} links WebAssembly, found {found}: make kernels"
            )
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        machine = llvm.Target.from_triple(_TARGET.triple).create_target_machine(
            cpu=_TARGET.cpu, features=self.features, opt=3, reloc="static", codemodel="default"
        )
        entries = [*_OWN_ENTRIES]
        # Two constants of `target.py` would describe the system on which this tool runs.
        system = {is_windows.name: False, clock_number.name: 0}
        given = {**values(CONSTANTS, _TARGET), **system, **self.constants}
        linked = _as_wasm(llvm.parse_assembly(_CLOCK), machine)
        for program in self.programs:
            ir = ir_of(program)
            entries += ir.entries
            linked.link_in(_as_wasm(llvm.parse_bitcode(ir.bitcode), machine))
        text = "\n".join(definition(name, value) for name, value in given.items())
        linked.link_in(_as_wasm(llvm.parse_assembly(text), machine))
        for value in (*linked.functions, *linked.global_variables):
            if not value.is_declaration and value.name not in entries:
                value.linkage = llvm.Linkage.internal
        optimise(linked, machine)
        return _link(machine.emit_object(linked), entries)


def modules() -> Sequence[WasmModule]:
    """Return the modules of our games, at their usual sizes."""
    found = []
    for name in registry.names():
        backend = registry.backend_of(registry.load(name))
        programs = [backend.program(), backend.perft_program()]
        constants: Mapping[str, Value] = {}
        features = _FEATURES
        if backend.can_solve:
            solver = solver_wanted(backend.game.width, backend.game.height)
            programs.append(solver.program)
            constants, features = solver.constants, f"{_FEATURES},{_VECTORS}"
        if programs[0].package == "plywire.engine":
            found.append(WasmModule(name, programs, constants, features))
    return found


def linker() -> str:
    """Return the requirement of the linker, of an exact version."""
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (requirement,) = described["dependency-groups"]["wasm"]
    return str(requirement)


def _as_wasm(module: Any, machine: Any) -> Any:
    module.triple, module.data_layout = _TARGET.triple, str(machine.target_data)
    return module


def _link(object_file: bytes, entries: Sequence[str]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder) / "kernels.o", Path(folder) / "kernels.wasm"
        source.write_bytes(object_file)
        command = [
            *(sys.executable, "-m", "ziglang", "wasm-ld", str(source), "-o", str(result)),
            *("--no-entry", "--strip-all", "--stack-first", "-z", f"stack-size={_STACK}"),
            *(f"--export={name}" for name in (*entries, "__heap_base")),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"wasm-ld failed: {done.stderr.strip()}")
        return result.read_bytes()
