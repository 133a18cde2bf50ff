"""Tournament runners: in this process, or by workers in other processes."""
