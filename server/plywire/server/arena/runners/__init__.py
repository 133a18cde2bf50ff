"""Running a tournament: here, or by workers in other processes."""
