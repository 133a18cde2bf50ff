"""An exact solver; `docs/explanation/connect4-solver.md` explains it."""
