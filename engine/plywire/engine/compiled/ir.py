"""The IR of a program: what is built once, by the maintainer, and becomes machine code anywhere.

A file `NAME-HASH.ir`, in the folder `ir` of the package that the program comes with, begins with a
line of JSON that describes what follows: LLVM bitcode, compressed. HASH is that of the sources from
which it was built, which the line names, so that IR is never used for other sources.
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
    """A file holds no IR, or damaged IR; the message names it."""


@dataclass(frozen=True, slots=True)
class Ir:
    """The IR of a program."""

    program: str
    entries: dict[str, int]
    """How many words each entry takes."""
    sources: tuple[str, ...]
    """Modules from which it was built."""
    sources_hash: str
    """Of the sources, as they were when it was built."""
    builder: str
    """Versions of what built it: another Python, Numba or LLVM makes other bytes."""
    bitcode: bytes

    @property
    def digest(self) -> str:
        """What tells it from all other IR."""
        described = json.dumps([self.program, self.entries], sort_keys=True).encode()
        return hashlib.blake2b(described + self.bitcode, digest_size=8).hexdigest()

    @property
    def file_name(self) -> str:
        """What its file is called."""
        return f"{self.program}-{self.sources_hash}{SUFFIX}"

    def to_bytes(self) -> bytes:
        """As the content of a file."""
        head = asdict(self) | {"format": _FORMAT, "digest": self.digest}
        del head["bitcode"]
        packed = lzma.compress(self.bitcode, lzma.FORMAT_RAW, filters=_FILTERS)
        return json.dumps(head, sort_keys=True).encode() + b"\n" + packed

    @classmethod
    def from_bytes(cls, content: bytes, name: str) -> Ir:
        """What `to_bytes` made of it.

        Raises IrError, which says that `name` is damaged, if it made something else.
        """
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
    """A hash of the sources of modules.

    Raises FileNotFoundError if one is missing.
    """
    digest = hashlib.blake2b(digest_size=_HASH_DIGITS // 2)
    for module in modules:
        digest.update(module.encode() + b"\0")
        content = source_of(module).read_bytes().replace(b"\r\n", b"\n")
        digest.update(hashlib.blake2b(content).digest())
    return digest.hexdigest()


def source_of(module: str) -> Path:
    """The file of a module, which is not imported.

    Raises FileNotFoundError if there is none.
    """
    package, _, _ = module.rpartition(".")
    for folder in package_folders(package):
        name = module.rpartition(".")[2]
        for file in (folder / f"{name}.py", folder / name / "__init__.py"):
            if file.is_file():
                return file
    raise FileNotFoundError(f"there is no source of {module}")


@cache
def package_folders(package: str) -> tuple[Path, ...]:
    """The folders of a package; packages of it are imported, which is quick."""
    spec = importlib.util.find_spec(package)
    return tuple(map(Path, (spec and spec.submodule_search_locations) or ()))


def folder_of(program: Program) -> Path:
    """The folder with the IR that ships with a program."""
    return package_folders(program.package)[0] / "ir"


def find(program: Program, folder: Path, read: Callable[[Path], bytes | None]) -> Ir | None:
    """The IR of a program in a folder, None if there is none for its sources as they are.

    Raises IrError or OSError if there is none and a file is damaged or cannot be read.
    """
    trouble: IrError | OSError | None = None
    for file in sorted(folder.glob(f"{program.name}-{'?' * _HASH_DIGITS}{SUFFIX}")):
        try:
            content = read(file)
            ir = None if content is None else Ir.from_bytes(content, str(file))
        except (IrError, OSError) as error:
            trouble = trouble or error
            continue
        with suppress(FileNotFoundError):  # a module that there was
            if ir is not None and ir.sources_hash == sources_hash(ir.sources):
                return ir
    if trouble is not None:
        raise trouble
    return None
