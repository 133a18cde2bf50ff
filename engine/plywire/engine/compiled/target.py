"""The processor and the system that machine code is for, and constants that depend on them."""

import platform
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import takewhile

from .constant import constant


@dataclass(frozen=True, slots=True)
class Target:
    """A processor and an operating system, in LLVM's terms."""

    triple: str
    cpu: str
    features: str
    """All features that the processor has or lacks, for example `+avx2,-avx512f`."""

    def has(self, feature: str) -> bool:
        return f"+{feature}" in self.features.split(",")


def host() -> Target:
    """Return this machine; loads llvmlite."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    return Target(llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten())


@constant("flag")
def has_wide_vectors(target: Target) -> bool:
    """Return whether the processor counts bits in 512-bit vectors (since Ice Lake and Zen 4)."""
    return target.has("avx512vpopcntdq")


@constant("flag")
def has_quick_gather(target: Target) -> bool:
    """Return whether gathering is faster than loading word by word.

    Only Intel's processors since Sapphire Rapids, which have this feature, gather fast. Earlier
    ones were slowed down for safety ("Downfall"), and AMD gathers in microcode.
    """
    return target.has("avx512fp16")


@constant("flag")
def is_windows(target: Target) -> bool:
    """Return whether `QueryPerformanceCounter` reads the clock."""
    return sys.platform == "win32"


@constant("uint64")
def clock_number(target: Target) -> int:
    """Return the number of the monotonic clock for `clock_gettime`."""
    return getattr(time, "CLOCK_MONOTONIC", 0)


CONSTANTS = (has_wide_vectors, has_quick_gather, is_windows, clock_number)


@cache
def machine() -> str:
    """Return a description of this processor and system; loads llvmlite, except on Linux."""
    if sys.platform != "linux":
        return repr(host())
    wanted = ("model name", "flags", "Features", "CPU implementer", "CPU part")
    found = [sys.platform, platform.machine()]
    with suppress(OSError), open("/proc/cpuinfo", errors="replace") as lines:  # noqa: PTH123
        # The lines of the first processor end at an empty line.
        for line in takewhile(str.strip, lines):
            found += [line.strip()] if line.startswith(wanted) else []
    return " ".join(found)
