"""A coarse model of any game for looking ahead: every unit a point, fights in averages, a few ways to act."""
