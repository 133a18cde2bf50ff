"""Checks of an engine: its protocol, the rules and its time."""
