"""What may be said: commands, the events that answer them, and the fields they are made of."""
