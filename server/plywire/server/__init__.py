"""The server: transports, sessions, the pool of search threads, and the command line."""
