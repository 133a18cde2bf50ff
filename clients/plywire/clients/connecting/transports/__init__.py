"""Transports to a server or an engine: each moves bytes."""
