"""The nested protocol: splits, training sets, what methods do on them, and cells of outcomes."""
