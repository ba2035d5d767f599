"""All pairs of features by mass transport distance."""
