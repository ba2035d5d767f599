"""Vocabularies: read them, find which classes of two of them mean the same, and say why."""
