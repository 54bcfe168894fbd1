"""Looking ahead through the exact rules."""
