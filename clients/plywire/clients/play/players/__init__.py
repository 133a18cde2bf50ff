"""Players that need no connection."""
