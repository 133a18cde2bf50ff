"""Players: in this process, in another program, or on a server."""
