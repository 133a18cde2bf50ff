"""Calls machine code from Python: each entry becomes a function like Python's built-in ones.

An entry is a kernel that Python calls. Its wrapper is the C function that Python sees. Wrappers
release the GIL and use only Python's stable ABI. A call takes 80 ns; with `ctypes`, it would take a
microsecond.
"""

import ctypes
from collections.abc import Callable, Mapping
from typing import Any

_METH_FASTCALL = 0x80

#: Functions of Python's C API that wrappers call, with their declarations in LLVM.
PYTHON_API = {
    "PyLong_AsUnsignedLongLongMask": "i64 @PyLong_AsUnsignedLongLongMask(ptr)",
    "PyLong_FromLongLong": "ptr @PyLong_FromLongLong(i64)",
    "PyErr_Occurred": "ptr @PyErr_Occurred()",
    "PyEval_SaveThread": "ptr @PyEval_SaveThread()",
    "PyEval_RestoreThread": "void @PyEval_RestoreThread(ptr)",
}
_PREFIX = "plywire_call_"


def wrapper_name(entry: str) -> str:
    """Return the name of an entry's wrapper."""
    return _PREFIX + entry


def wrappers(entries: Mapping[str, int]) -> str:
    """Return the wrappers in LLVM assembly; `entries` maps each entry to its number of words."""
    declared = [f"declare {it}" for it in PYTHON_API.values()]
    return "\n".join([*declared, *map(_wrapper, entries.keys(), entries.values())])


def _wrapper(entry: str, count: int) -> str:
    taken = "\n".join(
        f"  %place{number} = getelementptr ptr, ptr %arguments, i64 {number}\n"
        f"  %object{number} = load ptr, ptr %place{number}\n"
        f"  %word{number} = call i64 @PyLong_AsUnsignedLongLongMask(ptr %object{number})"
        for number in range(count)
    )
    kinds = ", ".join(["i64"] * count)
    words = ", ".join(f"i64 %word{number}" for number in range(count))
    # If the number of arguments is wrong, which is our own bug, the wrapper returns NULL without an
    # error. Python turns this into a SystemError.
    return f"""
declare i64 @{entry}({kinds})
define ptr @{_PREFIX}{entry}(ptr %self, ptr %arguments, i64 %count) {{
  %is_right = icmp eq i64 %count, {count}
  br i1 %is_right, label %take, label %fail
take:
{taken}
  %error = call ptr @PyErr_Occurred()
  %is_fine = icmp eq ptr %error, null
  br i1 %is_fine, label %run, label %fail
run:
  %thread = call ptr @PyEval_SaveThread()
  %found = call i64 @{entry}({words})
  call void @PyEval_RestoreThread(ptr %thread)
  %result = call ptr @PyLong_FromLongLong(i64 %found)
  ret ptr %result
fail:
  ret ptr null
}}
"""


class _Definition(ctypes.Structure):
    """Python's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_new = ctypes.pythonapi.PyCFunction_NewEx
_new.restype = ctypes.py_object
_new.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
#: Definitions of functions. A Python function keeps only the address of its definition, so
#: definitions are never freed.
_definitions: list[_Definition] = []


def function_at(address: int, name: str) -> Callable[..., Any]:
    """Return a Python function for the wrapper at an address.

    The function takes integers modulo 2**64 and returns a signed integer. Other arguments raise
    TypeError.
    """
    definition = _Definition(name.encode(), address, _METH_FASTCALL, None)
    _definitions.append(definition)
    made: Callable[..., Any] = _new(ctypes.addressof(definition), None, None)
    return made
