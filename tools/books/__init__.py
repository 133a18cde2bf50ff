"""Building, extending and verifying opening books: `python -m tools.books`."""
