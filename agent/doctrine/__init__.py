"""Doctrine: a scripted player, who gives each unit a role and does what the role says."""
