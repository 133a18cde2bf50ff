"""Servers of others: each has its own protocol and clock."""
