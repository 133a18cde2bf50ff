"""Transports that move bytes to and from a server or an engine."""
