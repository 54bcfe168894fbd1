"""A game as numbers: what a learner may press, what it means, and what it sees."""
