"""Detects peers that speak HTTP or TLS.

A web page can make browsers connect to any port and send lines that are commands. Therefore the
first bytes of a peer decide whether its lines are read.
"""

import re

#: Number of bytes that are examined at the start of a connection.
LONGEST_START = 512

#: The start of an HTTP request with any method and version (RFC 9112, section 3).
_HTTP = re.compile(rb"[!#-'*+.0-9A-Z^-z|~-]+ (?:/|\S+ HTTP/\d)")
#: The start of a TLS handshake of any version (RFC 8446, section 5.1).
_TLS = b"\x16\x03"


def foreign_protocol(start: bytes) -> str | None:
    """Return the name of the foreign protocol that begins with these bytes, None without one."""
    if start.startswith(_TLS):
        return "TLS"
    return "HTTP" if _HTTP.match(start.lstrip()) else None
