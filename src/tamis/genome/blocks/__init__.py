"""Walks over blocks of variants: counted, standardised, shared out over threads, written."""
