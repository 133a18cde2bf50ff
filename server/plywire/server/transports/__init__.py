"""How peers are reached: each transport moves text between a peer and its loop."""
