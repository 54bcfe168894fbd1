"""Mechanisms shared by every ruleset; no number from any rulebook stands here."""
