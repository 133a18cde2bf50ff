"""A tournament as a page with charts, and its games as files for other programs."""
