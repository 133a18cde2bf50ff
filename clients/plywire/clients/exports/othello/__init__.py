"""A bot for Othello as a single source file, for Botzone and CodinGame."""
