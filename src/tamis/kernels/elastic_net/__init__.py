"""Logistic regression with an elastic net along falling penalties; `path.py` is the entrance.

    min  F = sum_i v_i loss_i(eta_i) + lambda sum_jk pf_j (alpha |b_jk| + (1 - alpha)/2 b_jk^2)

Two classes have one column of coefficients (K = 1), more have one each (K = C, the symmetric
multinomial model); intercepts and columns with a penalty factor of 0 are free.

`path.py` standardises and walks, `working_set.py` solves on the columns at hand, by Newton steps
(`newton.py`, `systems.py`) and coordinate descent (`descent.py`) on `likelihood.py`.
"""
