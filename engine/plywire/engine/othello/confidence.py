"""The confidence of the selective search in cuts on suspicion.

A level's confidence is the share of suspicions that are right if errors are normally distributed.
At 100 %, nothing is cut on suspicion.
"""

from statistics import NormalDist

#: Confidences in percent, by level.
CONFIDENCES = (60, 80, 95, 100)
#: The level without cuts on suspicion.
CERTAIN = len(CONFIDENCES) - 1


def deviations(level: int) -> float:
    """Return the standard deviations that a level below `CERTAIN` requires."""
    return NormalDist().inv_cdf((1 + CONFIDENCES[level] / 100) / 2)
