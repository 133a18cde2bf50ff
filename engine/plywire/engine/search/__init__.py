"""The search that all games share.

`driver` deepens iteratively and speaks Python; `alphabeta` is the compiled search below it; they
stand on `table` and `thread` (the memory kernels work on), `stop`, `deadline` and `timing`.
"""
