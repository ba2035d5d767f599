"""Optimal transport by POT: see README.md. `python tests/goldens/make_pot.py`."""

import json
from pathlib import Path

import numpy as np
import ot

SIZES = [(30, 30), (47, 53), (11, 27), (1, 9), (150, 90), (200, 200)]


def golden_costs(case):
    """Euclidean distances of two normal samples, cut off, or 1 from the cap on."""
    rng = np.random.default_rng(case["seed"])
    a, b = (rng.normal(size=(n, 20)) for n in case["sizes"])
    apart = np.sqrt(((a[:, None] - b - 0.3) ** 2).sum(axis=2)) / 20
    return (apart >= case["cap"]) * 1.0 if case["steps"] else np.minimum(apart, case["cap"])


cases = [
    {"seed": seed, "sizes": sizes, "cap": cap, "steps": steps}
    for seed, sizes in enumerate(SIZES)
    for cap, steps in [(1.0, False), (0.25, False), (0.25, True)]
]
for case in cases:
    n0, n1 = case["sizes"]
    weights = np.full(n0, 1 / n0), np.full(n1, 1 / n1)
    case["cost"] = float(ot.emd2(*weights, golden_costs(case), numItermax=1_000_000))
lines = ",\n  ".join(map(json.dumps, cases))
text = f'{{"made_by": "POT {ot.__version__}",\n "cases": [\n  {lines}]}}\n'
(Path(__file__).parent / "pot_transport.json").write_text(text)
