"""From what the rules offer to a few answers worth a thought."""
