"""From kernels to IR: the only place that knows Numba."""
