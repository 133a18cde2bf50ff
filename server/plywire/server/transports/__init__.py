"""Transports: each moves text between a client and its loop."""
