"""An exam for players: positions with proven values, and games against levels of the engine."""
