"""Whether someone else's engine keeps to its protocol, to the rules and to its time."""
