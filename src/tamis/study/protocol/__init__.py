"""The nested protocol: splits, training parts, what methods do on them, and cells of outcomes."""
