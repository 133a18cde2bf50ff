"""GTP, the Go Text Protocol, as Othello programs use it."""
