"""The search that all games share.

`iterative_deepening` conducts one analysis, in Python; `alphabeta` is the compiled search below it.
They stand on `table` and `thread_memory`, which kernels work on, and on `stop` and
`time_management`.
"""
