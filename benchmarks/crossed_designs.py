"""The permutation test of whole studies where groups and batches cross.

    python benchmarks/crossed_designs.py --studies 200  # an hour on two cores

Six designs without any signal: P(p <= a), which is to be at most a plus two standard errors; p of
19 permutations has steps of .05. The same designs with ten strong columns: how often p is .05, and
what is warned of.
"""

from __future__ import annotations

import argparse
from collections import Counter

import numpy as np

from _harness import markdown, versions
from _whole_studies import CROSSED, studies_of

LEVELS = (0.05, 0.1, 0.2)
STRONG = 4.0  # standard deviations
FALSE_IN_STRONG = ("not-above-chance", "below-chance", "labels-at-chance", "unstable",
                   "reaches-chance", "no-p-value")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=200, help="of each design without signal")
    parser.add_argument("--strong", type=int, default=20, help="of each design with a signal")
    parser.add_argument("--first", type=int, default=0, help="seed of the first")
    parser.add_argument("--designs", nargs="+", choices=CROSSED, default=list(CROSSED))
    given = parser.parse_args()
    print(versions())
    rows, strong = [], []
    for design in given.designs:
        seeds = range(given.first, given.first + given.studies)
        found = [one for _, one in studies_of([(design, 0.0, seed) for seed in seeds])]
        p = np.array([np.nan if one["p"] is None else one["p"] for one in found])
        there = p[~np.isnan(p)]
        cells = [f"{np.mean(there <= a + 1e-9):.3f} ({_most(a, len(there)):.3f})" for a in LEVELS]
        moved = np.median([one["moved"] for one in found if one["moved"] is not None])
        rows.append([design, len(found), f"{moved:.2f}", f"{np.isnan(p).mean():.2f}", *cells])
        print(rows[-1], flush=True)
        seeds = range(given.first, given.first + given.strong)
        found = [one for _, one in studies_of([(design, STRONG, seed) for seed in seeds])]
        codes = Counter(code for one in found for code in one["codes"])
        least = np.mean([one["p"] is not None and one["p"] <= 0.05 + 1e-9 for one in found])
        told = ", ".join(f"{code} {codes[code]}" for code in FALSE_IN_STRONG if codes[code])
        none = np.mean([one["p"] is None for one in found])
        strong.append([design, len(found), f"{least:.2f}", f"{none:.2f}", told or "none"])
        print(strong[-1], flush=True)
    head = ["without signal", "studies", "moved", "no p", *(f"P(p <= {a})" for a in LEVELS)]
    print(markdown(head, rows))
    print(
        markdown(
            [f"ten columns of {STRONG:g} sd", "studies", "p = .05", "no p", "false warnings"],
            strong,
        )
    )


def _most(level: float, n: int) -> float:
    return level + 2 * np.sqrt(level * (1 - level) / max(n, 1))


if __name__ == "__main__":
    main()
