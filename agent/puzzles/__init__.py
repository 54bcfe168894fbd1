"""Positions with a question whose best answer is proved: they catch blunders that shares of won games hide."""
