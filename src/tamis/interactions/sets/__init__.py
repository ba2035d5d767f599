"""Sets of features that trees find together: random intersection trees, iterative forests."""
