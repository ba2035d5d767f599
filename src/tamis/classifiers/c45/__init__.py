"""C4.5 decision trees as a classifier."""
