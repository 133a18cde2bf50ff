"""An exact Connect Four solver; `docs/connect4-solver.md` explains it from the first bitboard on."""
