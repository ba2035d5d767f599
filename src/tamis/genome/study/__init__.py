"""Genotypes as the data set of a study, and of a saved model."""
