"""An exact solver; `docs/connect4-solver.md` explains it."""
