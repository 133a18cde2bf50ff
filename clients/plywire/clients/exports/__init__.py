"""Players written as files that stand alone."""
