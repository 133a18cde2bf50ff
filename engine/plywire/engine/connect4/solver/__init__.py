"""An exact Connect Four solver, from the first bitboard on in `docs/connect4-solver.md`."""
