"""What a moment is worth, as a sum of named terms."""
