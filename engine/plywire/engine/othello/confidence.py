"""The confidence of cuts on suspicion: the share that is right if errors are normal."""

from statistics import NormalDist

#: Confidences in percent, by level.
CONFIDENCES = (60, 80, 95, 100)
#: The level without cuts on suspicion.
CERTAIN = len(CONFIDENCES) - 1


def deviations(level: int) -> float:
    """Return the standard deviations that a level below `CERTAIN` requires."""
    return NormalDist().inv_cdf((1 + CONFIDENCES[level] / 100) / 2)
