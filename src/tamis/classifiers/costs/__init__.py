"""Classifiers that weigh what errors cost, around any other."""
