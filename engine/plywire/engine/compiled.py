"""How kernels are compiled, and where the machine code is kept.

Numba's disk cache watches only the file of the cached function, not the files of the kernels that
are inlined into it. So the cache folder's name holds a hash of every engine source: any edit starts
a fresh cache and stale machine code can never run. The folder is the user's own, which also serves
read-only installs; the environment variable PLYWIRE_CACHE_DIR moves it.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

_SOURCES = Path(__file__).parent


def sources_hash(root: Path = _SOURCES) -> str:
    """A hash of all Python sources below a folder, names and contents."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _user_cache() -> Path:
    if chosen := os.environ.get("PLYWIRE_CACHE_DIR"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "plywire"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "plywire"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "plywire"


def cache_dir() -> Path:
    """The folder that holds the machine code of exactly these sources."""
    return _user_cache() / f"kernels-{sources_hash()}"


numba.config.CACHE_DIR = str(cache_dir())


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function to machine code that runs without the GIL and is kept on disk."""
    return numba.njit(function, cache=True, nogil=True, error_model="numpy")
