"""Players that leave the house as files."""
