"""What the arena keeps on disk."""
