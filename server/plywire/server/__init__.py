"""The server: transports, sessions, the arena, search threads and the command line."""
