"""How kernels become IR, and IR is kept true: the one place that knows Numba."""
