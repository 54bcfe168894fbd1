"""Orders for a person with a tape measure: ways, places and how much room there is."""
