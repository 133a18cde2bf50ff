"""Tools of maintainers, which are not in the wheel: kernels, opening books and training."""
