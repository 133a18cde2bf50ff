"""The ways to a peer: each only moves text between it and the driver."""
