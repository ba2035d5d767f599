"""How alike two classes are: a file a family, a row each (`rows.py`).

A similarity is a function of `Pairs` that gives one float32 a pair, larger for what is more alike
and NaN where it is not defined.
"""
