"""Tables on disk and a quick plan, for tests of the command."""

from __future__ import annotations

import csv


def write_table(path, data, labels=True, columns=None):
    """A CSV with a sample column, the class, and the features."""
    columns = range(data.shape[1]) if columns is None else columns
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        names = [data.feature_names[j] for j in columns]
        writer.writerow(["sample", *(["diagnosis"] if labels else []), *names])
        for i in range(data.shape[0]):
            values = [repr(float(data.X[i, j])) for j in columns]
            writer.writerow([f"s{i}", *([data.y[i]] if labels else []), *values])
    return path


PLAN = """
permutations = 1
outer = { folds = 4 }
inner = { folds = 3, repeats = 1 }
[[method]]
select = "moderated_t"
sizes = [2, 5]
[[method]]
select = "pam"
parameters = { n_thresholds = 5 }
"""
