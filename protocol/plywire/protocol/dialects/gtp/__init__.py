"""GTP, the Go Text Protocol, as Othello uses it."""
