"""Made-up intensities of arrays, as scanners give them and as they never should."""

from __future__ import annotations

import numpy as np


def ragged_sets(n_sets, rng, most=25):
    """Names of probe sets of 1 to `most` probes, in any order."""
    sizes = rng.integers(1, most + 1, n_sets)
    names = [f"{1000 + i}_{'s_' if i % 3 else ''}at" for i in rng.permutation(n_sets)]
    return rng.permutation(np.repeat(names, sizes))


def intensities(n, probe_sets, rng):
    """Perfect-match intensities (n, p): normal background, probe and sample effects, rounded."""
    names, at = np.unique(probe_sets, return_inverse=True)
    level = rng.normal(4.5, 1.5, len(names)) + rng.normal(0, 0.4, (n, len(names)))
    logs = level[:, at] + rng.normal(0, 0.8, len(at)) + rng.normal(0, 0.2, (n, len(at)))
    background = rng.normal(100, 15, logs.shape)
    return np.maximum(np.round(background + np.exp(logs)), 1.0)


def ugly_arrays(p, rng):
    """Arrays (k, p) that no scanner gives, but whose background can be estimated."""
    return np.stack(
        [
            rng.normal(size=p),
            rng.uniform(1e-9, 2e-9, p),
            rng.lognormal(20, 2, p),
            np.round(rng.exponential(3, p)),
            np.concatenate([rng.normal(50, 1, p // 2), rng.normal(60000, 5, p - p // 2)]),
            -rng.gamma(2.0, 10.0, p),
        ]
    )


def tables():
    """Name -> (PM, MM, probe sets) of the goldens."""
    found = {}
    for name, n, n_sets in (("few", 3, 40), ("even", 6, 60)):
        rng = np.random.default_rng(n)
        sets = ragged_sets(n_sets, rng)
        pm = intensities(n, sets, rng)
        mm = np.maximum(np.round(pm * np.exp(rng.normal(-0.25, 0.35, pm.shape))), 1.0)
        mm[rng.random(pm.shape) < 0.02] = 46500.0
        mm[:, sets == sets[0]] = 47000.0  # all saturated
        found[name] = pm, mm, sets
    rng = np.random.default_rng(5)
    sets = ragged_sets(50, rng)
    pm = ugly_arrays(len(sets), rng)
    mm = np.abs(pm) + 1.0
    found["ugly"] = pm, mm, sets
    return found


def write_tables(folder):
    """Write the tables for `make_rma.R`: a line of names, then PM and MM by turns, exact."""
    for name, (pm, mm, sets) in tables().items():
        with open(f"{folder}/{name}.tsv", "w") as out:
            print(*sets, sep="\t", file=out)
            for pair in zip(pm, mm, strict=True):
                for row in pair:
                    print(*(float(v).hex() for v in row), sep="\t", file=out)
