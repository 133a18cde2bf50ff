"""The IR of a program, which each machine turns into machine code.

The file `NAME-HASH.ir` is a line of JSON, then compressed LLVM bitcode. HASH is the hash of the
source modules that the JSON names: IR is used only for exactly these sources.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import lzma
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from .program import Program

SUFFIX = ".ir"
_FORMAT = 1
_HASH_DIGITS = 16
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]


class IrError(ValueError):
    """A file holds no IR, or damaged IR; the message names the file."""


@dataclass(frozen=True, slots=True)
class Ir:
    """The IR of a program, with its origin."""

    program: str
    entries: dict[str, int]
    """The number of words that each entry takes."""
    sources: tuple[str, ...]
    """The modules from which the IR was built, sorted."""
    sources_hash: str
    """The hash of the sources at the time of the build."""
    builder: str
    """The versions of Python, Numba and LLVM that built the IR."""
    bitcode: bytes

    @property
    def digest(self) -> str:
        """The hash of all parts that machine code is made from."""
        described = json.dumps([self.program, self.entries], sort_keys=True).encode()
        return hashlib.blake2b(described + self.bitcode, digest_size=8).hexdigest()

    @property
    def file_name(self) -> str:
        return f"{self.program}-{self.sources_hash}{SUFFIX}"

    def to_bytes(self) -> bytes:
        """Return the content of the file."""
        head = asdict(self) | {"format": _FORMAT, "digest": self.digest}
        del head["bitcode"]
        packed = lzma.compress(self.bitcode, lzma.FORMAT_RAW, filters=_FILTERS)
        return json.dumps(head, sort_keys=True).encode() + b"\n" + packed

    @classmethod
    def from_bytes(cls, content: bytes, name: str) -> Ir:
        """Read the content that `to_bytes` wrote; raise IrError, with `name`, if it is invalid."""
        line, _, packed = content.partition(b"\n")
        try:
            head = json.loads(line)
            if head.pop("format") != _FORMAT:
                raise IrError(f"{name} is in another format: it was made by another version")
            digest = head.pop("digest")
            bitcode = lzma.decompress(packed, lzma.FORMAT_RAW, filters=_FILTERS)
            found = cls(**head | {"bitcode": bitcode, "sources": tuple(head["sources"])})
            is_right = found.digest == digest
        except IrError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, EOFError, lzma.LZMAError):
            is_right = False
        if not is_right:
            raise IrError(f"{name} is damaged")
        return found


def sources_hash(modules: Iterable[str]) -> str:
    """Return the hash of the sources of modules; raise FileNotFoundError if one is missing."""
    digest = hashlib.blake2b(digest_size=_HASH_DIGITS // 2)
    for module in modules:
        digest.update(module.encode() + b"\0")
        content = source_of(module).read_bytes().replace(b"\r\n", b"\n")
        digest.update(hashlib.blake2b(content).digest())
    return digest.hexdigest()


def source_of(module: str) -> Path:
    """Find the file of a module without importing it; raise FileNotFoundError if it has none."""
    package, _, _ = module.rpartition(".")
    for folder in package_folders(package):
        name = module.rpartition(".")[2]
        for file in (folder / f"{name}.py", folder / name / "__init__.py"):
            if file.is_file():
                return file
    raise FileNotFoundError(f"there is no source of {module}")


@cache
def package_folders(package: str) -> tuple[Path, ...]:
    """Return the folders of a package; its parent packages are imported, which is quick."""
    spec = importlib.util.find_spec(package)
    return tuple(map(Path, (spec and spec.submodule_search_locations) or ()))


def folder_of(program: Program) -> Path:
    """Return the folder with the IR that a program's package ships."""
    return package_folders(program.package)[0] / "ir"


def find(program: Program, folder: Path, read: Callable[[Path], bytes | None]) -> Ir | None:
    """Return the IR in a folder for the present sources of a program, None if there is none.

    Raises IrError or OSError if no IR fits and a file is damaged or unreadable.
    """
    trouble: IrError | OSError | None = None
    for file in sorted(folder.glob(f"{program.name}-{'?' * _HASH_DIGITS}{SUFFIX}")):
        try:
            content = read(file)
            ir = None if content is None else Ir.from_bytes(content, str(file))
        except (IrError, OSError) as error:
            trouble = trouble or error
            continue
        with suppress(FileNotFoundError):  # a source module no longer exists
            if ir is not None and ir.sources_hash == sources_hash(ir.sources):
                return ir
    if trouble is not None:
        raise trouble
    return None
