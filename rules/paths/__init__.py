"""The tape measure: exact shortest paths among bases, walls and heights."""
