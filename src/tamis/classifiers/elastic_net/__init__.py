"""Logistic regression with an elastic net."""
