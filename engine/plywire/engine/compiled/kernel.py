"""How kernels are compiled; `cache.py` tells where the machine code is kept."""

from collections.abc import Callable
from typing import Any

import numba

from .cache import KernelCache, KernelFolder, cache_dir

_FOLDER = KernelFolder(cache_dir())


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function to machine code that runs without the GIL and is kept on disk."""
    return _cached(numba.njit(function, nogil=True, error_model="numpy"))


def inlined(function: Callable[..., Any]) -> Any:
    """Compile like `kernel`, and expand the function in each of its callers.

    For what is small and called all the time: a call passes its result through memory.
    """
    return _cached(numba.njit(function, nogil=True, error_model="numpy", forceinline=True))


def _cached(dispatcher: Any) -> Any:
    # As its enable_caching() does, with another cache.
    dispatcher._cache = KernelCache(dispatcher.py_func, _FOLDER)
    return dispatcher
