"""What a tournament is: its configuration, plan, pairings and standings."""
