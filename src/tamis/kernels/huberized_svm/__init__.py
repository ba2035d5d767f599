"""The huberised SVM with an elastic net: exact solutions along a path, each with a certificate.

`path.py` is the entrance, and `halves.py` for paths of halves of the rows; `columns.py` prepares
their columns.
"""
