"""What is said of a tournament: the page, its charts, and games as other programs read them."""
