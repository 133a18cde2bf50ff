"""The protocol, without I/O: bytes to commands, events to bytes."""
