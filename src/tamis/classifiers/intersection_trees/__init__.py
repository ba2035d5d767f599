"""Classifiers by sets that random intersection trees find."""
