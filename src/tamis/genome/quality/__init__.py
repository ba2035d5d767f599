"""Quality control, inflation, and pruning by linkage."""
