"""From IR to machine code for this processor, by LLVM alone.

Run as a program, it makes what it is asked for on standard input; see `native.py`, which does so.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import llvmlite.binding as llvm

from .calling import wrapper_name, wrappers
from .constant import Value
from .image import is_supported, link
from .optimise import optimise
from .target import Target, host, target_constants

#: The passes that LLVM runs once the constants are known.
_LEVEL = 3


def make(bitcode: bytes, entries: Mapping[str, int], constants: Mapping[str, Value]) -> bytes:
    """The machine code of a program: its entries, each with a wrapper to call it from Python.

    It is an image where `image.py` knows the system, elsewhere an object file. `entries` says of
    each how many words it takes; `constants` are those of a template. Raises RuntimeError if LLVM
    cannot read the bitcode.
    """
    target = host()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_bitcode(bitcode)
    machine = target_machine(target)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    values = {**target_constants(target), **constants}
    given = [_definition(name, value) for name, value in values.items()]
    for text in ("\n".join(given), wrappers(entries)):
        more = llvm.parse_assembly(text)
        more.triple, more.data_layout = module.triple, module.data_layout
        module.link_in(more)
    exported = set(map(wrapper_name, entries))
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in exported:
            value.linkage = llvm.Linkage.internal
    optimise(module, machine, _LEVEL)
    made: bytes = machine.emit_object(module)
    return link(made) if is_supported() else made


def target_machine(target: Target) -> Any:
    """What LLVM makes machine code with."""
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu,
        features=target.features,
        opt=3,
        reloc="pic" if is_supported() else "default",
        codemodel="default" if is_supported() else "jitdefault",
        jit=not is_supported(),
    )


def _definition(name: str, value: Value) -> str:
    if isinstance(value, Sequence):
        lanes = ", ".join(f"i64 {word}" for word in value)
        return f"@plywire.{name} = constant <{len(value)} x i64> <{lanes}>"
    return f"@plywire.{name} = constant i64 {int(value)}"


def main() -> None:
    """Make machine code for each job of a JSON list; write it in hexadecimal digits, as JSON."""
    answer, sys.stdout = sys.stdout, sys.stderr  # nothing else may be in the answer
    jobs = json.load(sys.stdin)
    made = [make(bytes.fromhex(it["bitcode"]), it["entries"], it["constants"]) for it in jobs]
    json.dump([content.hex() for content in made], answer)


if __name__ == "__main__":
    main()
