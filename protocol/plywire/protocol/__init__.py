"""Plywire protocol."""
