"""The IR of a program: the maintainer builds it once, and any machine makes machine code of it.

The IR is a file `NAME-HASH.ir` in the folder `ir` of the program's package. It begins with a line
of JSON, which describes the rest: LLVM bitcode, compressed. The line names the source files, and
HASH is their hash: IR is never used for other sources.
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
    """The number of words that each entry takes."""
    sources: tuple[str, ...]
    """The modules from which it was built, sorted."""
    sources_hash: str
    """The hash of the sources as they were when it was built."""
    builder: str
    """The versions of Python, Numba and LLVM that built it: others build other bytes."""
    bitcode: bytes

    @property
    def digest(self) -> str:
        """A hash of everything that machine code is made of."""
        described = json.dumps([self.program, self.entries], sort_keys=True).encode()
        return hashlib.blake2b(described + self.bitcode, digest_size=8).hexdigest()

    @property
    def file_name(self) -> str:
        """The name of its file."""
        return f"{self.program}-{self.sources_hash}{SUFFIX}"

    def to_bytes(self) -> bytes:
        """Write the content of its file."""
        head = asdict(self) | {"format": _FORMAT, "digest": self.digest}
        del head["bitcode"]
        packed = lzma.compress(self.bitcode, lzma.FORMAT_RAW, filters=_FILTERS)
        return json.dumps(head, sort_keys=True).encode() + b"\n" + packed

    @classmethod
    def from_bytes(cls, content: bytes, name: str) -> Ir:
        """Read what `to_bytes` wrote.

        Raises IrError, which names the file by `name`, if the content is something else.
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
