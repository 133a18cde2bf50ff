"""Commands, the events that answer them, and the fields of both."""
