"""The huberised SVM with an elastic net: exact solutions along a path, each with a certificate.

`path.py` solves a path, `halves.py` one on half of the rows; `columns.py` prepares the columns of
both.
"""
