"""Compilation of kernels, and the operations that all kernels share."""
