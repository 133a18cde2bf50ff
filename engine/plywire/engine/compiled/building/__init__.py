"""How kernels become IR: the one place that knows Numba."""
