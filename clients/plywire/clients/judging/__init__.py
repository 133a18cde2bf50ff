"""What positions and moves are worth, where the engine can prove it."""
