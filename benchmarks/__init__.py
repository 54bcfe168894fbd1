"""What is measured before it is claimed: evidence from whole games, and the pictures of the documentation."""
