"""Other people's servers: each is spoken to in its own language, and its clock is kept."""
