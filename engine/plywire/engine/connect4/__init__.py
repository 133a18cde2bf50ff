"""Connect Four: rules and kernels."""
