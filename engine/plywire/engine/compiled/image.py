"""Flat images of machine code, which can be mapped into memory without LLVM.

An ELF object file is linked once: its sections are joined, and its references, which are relative,
resolved. Calls of outside functions go through stubs. A process whose machine code is in the store
need not load LLVM, which takes 60 MB and a tenth of a second.

The layout of ELF follows the System V ABI, AMD64 supplement, 1.0.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import platform
import struct
import sys
from collections.abc import Mapping

_ALLOCATED, _WRITABLE = 2, 1
_PROGRAM_BITS, _RELOCATIONS, _SYMBOLS = 1, 4, 2
_UNWIND = 0x7000_0001
_LARGEST_ALIGNMENT = 64
_GLOBAL = 1
#: ELF's types of relocation that are relative: R_X86_64_PC32 and PLT32 with 32 bits, PC64 with 64
#: bits.
_RELATIVE32, _RELATIVE64 = (2, 4), 24
#: A stub that jumps to an outside function: `movabs rax, ADDRESS; jmp rax`, filled up to 16 bytes.
_STUB = b"\x48\xb8" + bytes(8) + b"\xff\xe0" + b"\xcc" * 4
_STUB_ADDRESS = 2


def is_supported() -> bool:
    """Return whether this system can make and place images."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


def link(elf: bytes) -> bytes:
    """Return the image of an object file: a line of JSON that lists the functions, then the code.

    Raises ValueError if an image cannot hold the file.
    """
    if elf[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not an object file of 64-bit ELF")
    (at,) = struct.unpack_from("<Q", elf, 0x28)
    size, count, _ = struct.unpack_from("<HHH", elf, 0x3A)
    # The fields of a section are name, kind, flags, address, offset, size, link, info, alignment
    # and size of an entry.
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, at + i * size) for i in range(count)]
    code = bytearray()
    places: dict[int, int] = {}
    for index, (_, kind, flags, _, offset, length, *_) in enumerate(sections):
        if not flags & _ALLOCATED or kind == _UNWIND or not length:
            continue
        if kind != _PROGRAM_BITS or flags & _WRITABLE:
            raise ValueError(f"section {index} holds neither code nor constants")
        code += bytes(-len(code) % _LARGEST_ALIGNMENT)
        places[index] = len(code)
        code += elf[offset : offset + length]
    symbols, names = _symbols(elf, sections)
    stubs: dict[str, int] = {}
    values: list[int | None] = []
    for name, (_, _, _, section, value, _) in zip(names, symbols, strict=True):
        if section in places:
            values.append(places[section] + value)
        elif section == 0 and name:
            code += bytes(-len(code) % len(_STUB))
            stubs[name] = len(code) + _STUB_ADDRESS
            values.append(len(code))
            code += _STUB
        else:
            values.append(None)
    for _, kind, _, _, offset, length, _, target, _, _ in sections:
        if kind == _RELOCATIONS and target in places:
            for number in range(length // 24):
                _relocate(code, places[target], values, elf, offset + 24 * number)
    exported = {
        name: value
        for name, symbol, value in zip(names, symbols, values, strict=True)
        if symbol[1] >> 4 == _GLOBAL and symbol[3] in places
    }
    head = json.dumps({"exported": exported, "stubs": stubs}, sort_keys=True)
    return head.encode() + b"\n" + bytes(code)


def _symbols(
    elf: bytes, sections: list[tuple[int, ...]]
) -> tuple[list[tuple[int, ...]], list[str]]:
    """Return the symbols (name, info, other, section, value, size), and their names as text."""
    table = next(section for section in sections if section[1] == _SYMBOLS)
    symbols = [
        struct.unpack_from("<IBBHQQ", elf, table[4] + 24 * number)
        for number in range(table[5] // 24)
    ]
    strings = sections[table[6]][4]
    starts = [strings + symbol[0] for symbol in symbols]
    return symbols, [elf[start : elf.index(b"\0", start)].decode() for start in starts]


def _relocate(code: bytearray, base: int, values: list[int | None], elf: bytes, at: int) -> None:
    offset, info, addend = struct.unpack_from("<QQq", elf, at)
    kind, value = info & 0xFFFF_FFFF, values[info >> 32]
    if value is None:
        raise ValueError(f"a relocation of kind {kind} has no target")
    place = base + offset
    if kind in _RELATIVE32:
        struct.pack_into("<i", code, place, value + addend - place)
    elif kind == _RELATIVE64:
        struct.pack_into("<q", code, place, value + addend - place)
    else:
        raise ValueError(f"a relocation of unknown kind {kind}")


_placed: list[mmap.mmap] = []


def place(image: bytes, outside: Mapping[str, int]) -> dict[str, int]:
    """Put an image into executable memory for good; return the addresses of its functions.

    `outside` has the addresses of functions that the image may call. Raises ValueError if the image
    is invalid, OSError if the system forbids executable memory.
    """
    head, _, code = image.partition(b"\n")
    described = json.loads(head)
    content = bytearray(code)
    for name, offset in described["stubs"].items():
        if name not in outside:
            raise ValueError(f"the image calls {name}, for which there is no address")
        struct.pack_into("<Q", content, offset, outside[name])
    memory = mmap.mmap(-1, len(content), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.write(content)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    if protect(address, len(content), mmap.PROT_READ | mmap.PROT_EXEC):
        raise OSError(ctypes.get_errno(), "the system does not let machine code run")
    _placed.append(memory)
    return {name: address + offset for name, offset in described["exported"].items()}
