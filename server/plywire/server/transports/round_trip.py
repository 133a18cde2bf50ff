"""The round-trip time as the kernel measures it, so that no client can make it longer."""

import socket
import struct
from typing import Any

#: `tcpi_rtt` in Linux's `struct tcp_info`: the smoothed round-trip time, in microseconds.
_OFFSET = 68
_WORD = struct.Struct("=I")


def round_trip(connection: Any) -> float | None:
    """The round-trip time of a TCP socket, in seconds; None if the system does not know it."""
    if not hasattr(socket, "TCP_INFO"):
        return None
    try:
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _OFFSET + _WORD.size)
        microseconds: int = _WORD.unpack_from(info, _OFFSET)[0]
    except (OSError, struct.error):  # another kind of socket, or one that is closed
        return None
    return microseconds / 1e6
