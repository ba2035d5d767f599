"""Rules: conditions, RIPPER, rules of trees, and their network."""
