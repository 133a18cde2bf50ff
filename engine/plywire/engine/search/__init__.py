"""The search that all games share.

`iterative_deepening` conducts one analysis, in Python; `alphabeta` is the compiled search below it.
Both use `table` and `thread_memory`, which kernels work on, and `stop` and `time_management`.
"""
