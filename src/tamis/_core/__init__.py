"""Errors, random streams, progress and atomic files: what every floor above stands on."""
