"""What is true on the table: state, legality with reasons, dice questions, measuring, records."""
