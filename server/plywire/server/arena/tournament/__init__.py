"""What a tournament is: configuration, plan, openings, pairings and standings."""
