"""The confidence of cuts on suspicion, which rest on a shallow search instead of a proof.

The confidence is the share of right cuts if errors are normally distributed.
"""

from statistics import NormalDist

#: Confidences in percent, by level.
CONFIDENCES = (60, 80, 95, 100)
#: The level of searches without such cuts.
CERTAIN = len(CONFIDENCES) - 1


def deviations(level: int) -> float:
    """Return how many standard deviations a score must exceed a bound by, below `CERTAIN`."""
    return NormalDist().inv_cdf((1 + CONFIDENCES[level] / 100) / 2)
