"""Tools of maintainers: kernels, opening books, training. The wheel does not hold them."""
