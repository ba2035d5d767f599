"""The common tests for a method of one's own, with a verdict in words."""
