"""The commands of `tactician`, a module for each kind of question."""
