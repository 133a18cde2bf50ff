"""UGI and UCI, and what they share."""
