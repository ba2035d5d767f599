"""From cells to numbers, words and tables."""
