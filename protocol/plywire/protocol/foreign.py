"""Peers that speak another protocol, and must not be taken at their word.

A web page can have its visitors' browsers connect to any port, and choose much of what they say
there: the body of a request of HTTP, or names in a handshake of TLS, may well hold lines that are
commands. So a peer is judged by the first bytes that it sends.
"""

import re

#: How many bytes of a peer tell what it speaks.
LONGEST_START = 512

#: A request of any method and version, RFC 9112, section 3.
_HTTP = re.compile(rb"[!#-'*+.0-9A-Z^-z|~-]+ (?:/|\S+ HTTP/\d)")
#: A record that holds a handshake, of any version, RFC 8446, section 5.1.
_TLS = b"\x16\x03"


def foreign_protocol(start: bytes) -> str | None:
    """The other protocol that a peer speaks whose first bytes these are, None if it is none."""
    if start.startswith(_TLS):
        return "TLS"
    return "HTTP" if _HTTP.match(start.lstrip()) else None
