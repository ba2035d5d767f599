"""What classifiers share: columns in units, class shares, probabilities, folds, raw tables."""
