"""The native line protocol."""
