"""A saved procedure: its columns, predictor and decision, in a file."""
