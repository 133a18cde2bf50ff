"""Players exported as single files."""
