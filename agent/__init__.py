"""How to choose: proposals, values, policies, advice, matches."""
