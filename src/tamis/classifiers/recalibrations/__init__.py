"""Probabilities that mean what they say: one recalibration a file (`_core.interfaces`)."""
