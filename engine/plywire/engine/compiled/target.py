"""The processor and system that machine code is made for, and constants that depend on them."""

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
    """A processor and an operating system, in LLVM's words."""

    triple: str
    """Such as `x86_64-unknown-linux-gnu`."""
    cpu: str
    """Such as `znver4`."""
    features: str
    """All features that the processor has or lacks, such as `+avx2,-avx512f`."""

    def has(self, feature: str) -> bool:
        """Whether the processor has a feature."""
        return f"+{feature}" in self.features.split(",")


def host() -> Target:
    """This machine. Loads llvmlite."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    return Target(llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten())


@constant("flag")
def has_wide_vectors(target: Target) -> bool:
    """Whether the processor works on vectors of 8 words in one piece and counts their bits.

    Processors of Intel do so from Ice Lake on, processors of AMD from Zen 4 on.
    """
    return target.has("avx512vpopcntdq")


@constant("flag")
def has_quick_gather(target: Target) -> bool:
    """Whether gathering is quicker than loading one word after another.

    It is on Intel's processors from Sapphire Rapids on, which have this feature. Older processors
    of Intel were slowed down for safety ("Downfall"), and those of AMD gather in microcode.
    """
    return target.has("avx512fp16")


@constant("flag")
def is_windows(target: Target) -> bool:
    """Whether the system's clock is read by `QueryPerformanceCounter`."""
    return sys.platform == "win32"


@constant("uint64")
def clock_number(target: Target) -> int:
    """The number of the monotonic clock for `clock_gettime`."""
    return getattr(time, "CLOCK_MONOTONIC", 0)


#: The constants that depend on the target.
CONSTANTS = (has_wide_vectors, has_quick_gather, is_windows, clock_number)


@cache
def machine() -> str:
    """A description of this processor and system; loads llvmlite, except on Linux."""
    if sys.platform != "linux":
        return repr(host())
    wanted = ("model name", "flags", "Features", "CPU implementer", "CPU part")
    found = [sys.platform, platform.machine()]
    with suppress(OSError), open("/proc/cpuinfo", errors="replace") as lines:  # noqa: PTH123
        for line in takewhile(str.strip, lines):  # of the first processor
            found += [line.strip()] if line.startswith(wanted) else []
    return " ".join(found)
