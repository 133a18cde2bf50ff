"""Players without a connection."""
