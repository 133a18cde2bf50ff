"""Helpers that turn functions without a body into LLVM instructions.

A *lowering* takes Numba's types of the arguments. It returns the signature and a function that
builds the instructions.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.typing.templates import infer, infer_global, make_intrinsic_template
from numba.extending import register_model

WORD = ir.IntType(64)


class U64Vector(types.Type):
    """The Numba type of a vector of unsigned 64-bit words."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        super().__init__(name=f"u64x{lanes}")

    @property
    def llvm(self) -> Any:
        return ir.VectorType(WORD, self.lanes)


@register_model(U64Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, vector: U64Vector) -> None:
        super().__init__(manager, vector, vector.llvm)  # type: ignore[no-untyped-call]


def lowers(function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that makes a lowering the implementation of a function without a body."""

    def decorate(lowering: Callable[..., Any]) -> Callable[..., Any]:
        infer_global(function, function_type(function, lowering, function.__name__))
        return lowering

    return decorate


def function_type(function: Any, lowering: Callable[..., Any], name: str) -> types.Function:
    """Return the Numba type of an object that kernels call; `lowering` implements the call."""
    template = make_intrinsic_template(function, lowering, name)
    infer(template)
    return types.Function(template)


def suffix(kind: Any) -> str:
    """Return the end of LLVM's operation names for a word or a vector."""
    return f"v{kind.lanes}i64" if isinstance(kind, U64Vector) else "i64"


def call(builder: Any, name: str, result: Any, arguments: Any) -> Any:
    """Call an operation of LLVM by its name."""
    function_type = ir.FunctionType(result, [argument.type for argument in arguments])
    function = cgutils.get_or_insert_function(builder.module, function_type, name)
    return builder.call(function, arguments)


def splat(builder: Any, word: Any, lanes: int) -> Any:
    """Repeat a word in all lanes of a vector."""
    vector = ir.VectorType(WORD, lanes)
    undefined = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(undefined, word, ir.IntType(32)(0))
    order = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return builder.shuffle_vector(first, undefined, order)


def pointer(builder: Any, address: Any, kind: Any) -> Any:
    """Return the pointer to a value of an LLVM type at an address."""
    return builder.inttoptr(address, kind.as_pointer())


def load_at(builder: Any, address: Any, kind: Any, align: int) -> Any:
    """Load a value of an LLVM type from an address that is a multiple of `align` bytes."""
    return builder.load(pointer(builder, address, kind), align=align)
