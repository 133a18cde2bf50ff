"""Stands in for SciPy in the processes that tests start: OpenSpiel brings it, users lack it.

Numba would import it wherever it is, which takes a quarter of a second.
"""

raise ImportError("No module named 'scipy'")
