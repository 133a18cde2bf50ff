"""A bot for Othello, for judges that run one source: Botzone and CodinGame."""
