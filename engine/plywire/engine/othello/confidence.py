"""How sure the selective search is of what it prunes on suspicion.

A level is named by its confidence: the part of suspicions that are right, where errors are normally
distributed. At 100 % nothing is pruned on suspicion.
"""

from statistics import NormalDist

#: In percent, by level.
CONFIDENCES = (60, 80, 95, 100)
#: The level at which nothing is pruned on suspicion.
CERTAIN = len(CONFIDENCES) - 1


def deviations(level: int) -> float:
    """By how many standard deviations a suspicion must be met at a level below `CERTAIN`."""
    return NormalDist().inv_cdf((1 + CONFIDENCES[level] / 100) / 2)
