"""What a maintainer of the engine runs; none of it is in the wheel."""
