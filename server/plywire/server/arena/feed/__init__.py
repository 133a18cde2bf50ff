"""What watchers are told."""
