"""The learning interface; it arrives with a later issue."""
