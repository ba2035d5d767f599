"""Averaged one-dependence estimators as a classifier."""
