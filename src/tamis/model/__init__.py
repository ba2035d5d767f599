"""A saved procedure: what stands before its predictor, the predictor and the decision, in a file."""
