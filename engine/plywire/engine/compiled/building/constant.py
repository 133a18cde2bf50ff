"""Lowerings of constants, which differ between processors, systems and board sizes.

Shipped IR leaves constants open, as external variables that `machine_code.py` defines.
"""

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.extending import NativeValue, register_model, typeof_impl, unbox

from plywire.engine.compiled import target
from plywire.engine.compiled.constant import Constant, Kind, Open, Value

from .lowering import WORD, U64Vector, function_type


class Leaving:
    """The choice between building IR to ship and compiling kernels for this process."""

    is_open = False
    """Whether IR to ship is built, in which constants of the target stay open."""


class OpenType(types.Type):
    """The Numba type of an argument whose value is known only when machine code is made.

    Kernels pass such an argument to constants and read nothing from it, so it carries no data.
    """

    def __init__(self, value: Open | type[Open]) -> None:
        """Make the type of a known value, or of a class if its value is chosen later."""
        self.value = value
        super().__init__(name=f"Open({value!r})")


register_model(OpenType)(models.OpaqueModel)


@typeof_impl.register(Open)
def _typeof_open(value: Open, context: Any) -> OpenType:
    return OpenType(value)


@unbox(OpenType)  # type: ignore[untyped-decorator]
def _unbox_open(kind: Any, value: Any, context: Any) -> Any:
    return NativeValue(context.context.get_dummy_value())


_TYPES: dict[Kind, Any] = {
    "uint64": types.uint64,
    "int64": types.int64,
    "flag": types.boolean,
    "vector": U64Vector(8),
}


def _constant(builder: Any, constant: Constant[Any], value: Value | None) -> Any:
    """Return a constant in LLVM; if `value` is None, load the variable that is defined later."""
    kind = U64Vector(8).llvm if constant.kind == "vector" else WORD
    if value is not None:
        found = ir.Constant(kind, list(value) if isinstance(value, Sequence) else int(value))
    else:
        name = f"plywire.{constant.name}"
        variable = builder.module.globals.get(name)
        if variable is None:
            variable = ir.GlobalVariable(builder.module, kind, name)
            variable.global_constant = True
            variable.linkage = "external"
        found = builder.load(variable)
    return builder.trunc(found, ir.IntType(1)) if constant.kind == "flag" else found


def target_constant(builder: Any, constant: Constant[Any]) -> Any:
    """Return a constant of the target in LLVM; in IR to ship, load the variable for it."""
    value = None if Leaving.is_open else constant(target.host())
    return _constant(builder, constant, value)


def type_constant(constant: Constant[Any]) -> types.Function:
    """Return the Numba type of a constant as a function in kernels."""
    result = _TYPES[constant.kind]

    def of_target(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return target_constant(builder, constant)

        return result(), generate

    def of_value(typing_context: Any, value: Any) -> Any:
        if not isinstance(value, OpenType):
            return None
        is_chosen = isinstance(value.value, Open)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return _constant(builder, constant, constant(value.value) if is_chosen else None)

        return result(value), generate

    typed = of_target if constant in target.CONSTANTS else of_value
    return function_type(constant, typed, constant.name)
