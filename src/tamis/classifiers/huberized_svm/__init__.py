"""The hybrid huberised SVM: its path over lambda1, and a classifier with chosen penalties."""
