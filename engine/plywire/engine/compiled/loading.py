"""Loads machine code into memory: as an image if the system supports images, else with LLVM."""

import ctypes
from collections.abc import Sequence
from typing import Any

from . import image
from .calling import PYTHON_API

#: Functions of the C library to set or copy many words. LLVM inserts calls of them into the code.
_C_LIBRARY = ("memcpy", "memmove", "memset")
#: LLVM's execution engines, which own the memory of loaded code. They are never freed.
_engines: list[Any] = []


def place(machine_code: bytes, names: Sequence[str]) -> list[int]:
    """Load machine code that `machine_code.py` made; return the addresses of its functions.

    Raises ValueError or RuntimeError if the code is unusable, OSError if it may not run.
    """
    if image.is_supported():
        found = image.place(machine_code, _addresses(ctypes.CDLL(None), _C_LIBRARY) | _python())
        return [found[name] for name in names]
    return _place_object(machine_code, names)


def _python() -> dict[str, int]:
    return _addresses(ctypes.pythonapi, tuple(PYTHON_API))


def _addresses(library: Any, names: Sequence[str]) -> dict[str, int]:
    functions = {name: getattr(library, name) for name in names}
    return {name: _address(function) for name, function in functions.items()}


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _place_object(content: bytes, names: Sequence[str]) -> list[int]:
    import llvmlite.binding as llvm

    from .machine_code import target_machine
    from .target import host

    llvm.check_jit_execution()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name, address in _python().items():
        llvm.add_symbol(name, address)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine(host()))
    engine.add_object_file(llvm.ObjectFileRef.from_data(content))
    engine.finalize_object()
    _engines.append(engine)
    return [engine.get_function_address(name) for name in names]
