"""The processor and system that machine code is made for, and what kernels ask about them."""

import platform
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import takewhile

from .constant import Value, constant, values


@dataclass(frozen=True, slots=True)
class Target:
    """A processor and an operating system, in LLVM's words."""

    triple: str
    """Such as `x86_64-unknown-linux-gnu`."""
    cpu: str
    """Such as `znver4`."""
    features: str
    """All that the processor has and lacks, such as `+avx2,-avx512f`."""

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

    Those of Intel do from Ice Lake on, those of AMD from Zen 4 on.
    """
    return target.has("avx512vpopcntdq")


@constant("flag")
def has_quick_gather(target: Target) -> bool:
    """Whether to gather is quicker than to load one word after another.

    It is from Intel's Sapphire Rapids on, which this feature tells from the others: older ones of
    Intel were slowed down for safety's sake ("Downfall"), those of AMD do it in microcode.
    """
    return target.has("avx512fp16")


@constant("flag")
def is_windows(target: Target) -> bool:
    """Whether the system's clock is read by `QueryPerformanceCounter`."""
    return sys.platform == "win32"


@constant("word")
def clock_number(target: Target) -> int:
    """By which number `clock_gettime` knows the monotonic clock."""
    return getattr(time, "CLOCK_MONOTONIC", 0)


#: What kernels ask about a target.
CONSTANTS = (has_wide_vectors, has_quick_gather, is_windows, clock_number)


def target_constants(target: Target) -> Mapping[str, Value]:
    """The answers for a target, by the names of the constants."""
    return values(CONSTANTS, target)


@cache
def machine() -> str:
    """What tells this machine's processor and system from others; loads llvmlite but on Linux."""
    if sys.platform != "linux":
        return repr(host())
    wanted = ("model name", "flags", "Features", "CPU implementer", "CPU part")
    found = [sys.platform, platform.machine()]
    with suppress(OSError), open("/proc/cpuinfo", errors="replace") as lines:  # noqa: PTH123
        for line in takewhile(str.strip, lines):  # of the first processor
            found += [line.strip()] if line.startswith(wanted) else []
    return " ".join(found)
