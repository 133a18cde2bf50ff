"""The selective search, with multi-ProbCut."""
