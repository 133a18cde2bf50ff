"""The round-trip time by the kernel's measurement, which a client cannot make longer."""

import socket
import struct
from typing import Any

#: `tcpi_rtt` in Linux's `struct tcp_info`: the smoothed round-trip time, in microseconds.
_OFFSET = 68
_WORD = struct.Struct("=I")


def round_trip(connection: Any) -> float | None:
    """Return the round-trip time of a TCP socket, in seconds; None if it is unknown."""
    if not hasattr(socket, "TCP_INFO"):
        return None
    try:
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _OFFSET + _WORD.size)
        microseconds: int = _WORD.unpack_from(info, _OFFSET)[0]
    except (OSError, struct.error):  # another kind of socket, or a closed one
        return None
    return microseconds / 1e6
