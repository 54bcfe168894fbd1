"""Tactician: an opponent and move planner for tabletop miniature wargames."""
