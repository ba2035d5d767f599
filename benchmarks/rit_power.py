"""How likely random intersection trees find a planted set, by the number of features.

    python benchmarks/rit_power.py [--features 100 1000 10000 100000] [--orders 2 3 4]
        [--designs sparse dense] [--thresholds fixed auto] [--depths 10] [--draws 20]

Planted is one set of `tamis.data.make_planted_interaction`, 500 rows a class, in a table of bits.
For each cell, first 100 trees a class are grown in so many draws; the share of the trees that come
to the set says how many are needed to find it with probability .95 over the draws. So many are then
grown in as many fresh draws, and it is counted how often the set is given. CPU seconds are those of
the whole call, from packed rows on, without permuted runs and bootstrap samples.
"""

from __future__ import annotations

import argparse
import time
from itertools import product
from typing import NamedTuple

import numpy as np

from _harness import markdown, versions

N, TREES, POWER, MOST = 500, 100, 0.95, 100_000
BLOCK = 8_000  # columns made at a time


class Design(NamedTuple):
    """A population, and the thresholds that one would choose for sets of about its prevalence."""

    prevalence: float
    density: float
    theta: float
    theta_out: float


DESIGNS = {"sparse": Design(0.5, 0.05, 0.3, 0.3), "dense": Design(0.25, 0.3, 0.2, 0.3)}


def planted(design: Design, p: int, order: int, draw: int):
    """Packed rows whose first columns are the planted set, and the classes."""
    from tamis.data import make_planted_interaction
    from tamis.interactions import PackedRows

    few = make_planted_interaction(
        N, order, order, design.prevalence, design.density, random_state=draw
    )
    rng = np.random.default_rng([draw, p, order])
    bits = []
    for start in range(0, p, BLOCK):
        width = min(BLOCK, p - start)
        some = rng.random((2 * N, width), dtype=np.float32) < design.density
        if not start:
            some[:, :order] = few.X
        bits.append(np.packbits(some, axis=1, bitorder="little"))
    return PackedRows(np.hstack(bits), p), few.codes


class Search(NamedTuple):
    """What one search came to."""

    found: bool
    first: bool
    share: float  # of the trees of the cases that came to the set
    theta: float
    sets: int
    cut: bool  # trees had fewer branches, as they would have cost too much
    cpu: float


def search(
    design: Design, p: int, order: int, auto: bool, depth: int, n_trees: int, draw: int
) -> Search:
    """Grow trees in one draw."""
    from tamis.interactions import random_intersection_trees

    rows, y = planted(design, p, order, draw)
    thresholds = {} if auto else {"theta": design.theta, "theta_out": design.theta_out}
    before = time.process_time()
    found = random_intersection_trees(
        rows,
        y,
        n_trees=n_trees,
        depth=depth,
        n_permutations=0,
        n_bootstraps=0,
        random_state=draw,
        **thresholds,
    )
    cpu = time.process_time() - before
    own = [
        s
        for s, one in enumerate(found.columns)
        if one == tuple(range(order)) and found.origin[s] == 1
    ]
    share = float(found.trees[own[0]]) if own else 0.0
    cut = any("fewer branches" in note for note in found.notes)
    return Search(bool(own), own == [0], share, found.settings["theta"][1], len(found), cut, cpu)


def trees_needed(shares: np.ndarray) -> int | None:
    """The fewest that find the set with probability POWER, over draws of which TREES were grown.

    None where most draws never came to it.
    """
    if np.mean(shares > 0) < 0.5:
        return None
    miss = 1 - (shares * TREES + 0.5) / (TREES + 1)  # a set not met has some chance yet
    return next(n for n in range(1, MOST) if np.mean(miss**n) <= 1 - POWER)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--features", nargs="+", type=int, default=[100, 1000, 10_000, 100_000])
    parser.add_argument("--orders", nargs="+", type=int, default=[2, 3, 4])
    parser.add_argument("--designs", nargs="+", choices=DESIGNS, default=list(DESIGNS))
    parser.add_argument(
        "--thresholds", nargs="+", choices=("fixed", "auto"), default=["fixed", "auto"]
    )
    parser.add_argument("--depths", nargs="+", type=int, default=[10])
    parser.add_argument("--draws", type=int, default=20)
    options = parser.parse_args()
    header = [
        "design",
        "thresholds",
        "depth",
        "order",
        "features",
        "found",
        "first",
        "theta",
        "sets",
        "trees that come to it",
        "CPU s",
        "trees for .95",
        "found with these",
        "CPU s with these",
    ]
    search(DESIGNS["sparse"], 100, 2, True, 5, 5, 0)  # compiled, or its machine code read
    rows = []
    for name, thresholds, depth, order, p in product(
        options.designs, options.thresholds, options.depths, options.orders, options.features
    ):
        design, auto, draws = DESIGNS[name], thresholds == "auto", options.draws
        runs = [search(design, p, order, auto, depth, TREES, draw) for draw in range(draws)]
        found, first, share, theta, sets, cut, cpu = np.mean(runs, axis=0)
        row = [
            name,
            thresholds,
            depth,
            order,
            f"{p:,}",
            f"{found:.2f}",
            f"{first:.2f}",
            f"{theta:.2f}",
            f"{sets:,.0f}",
            f"{share:.3f}{' (cut)' if cut > 0.5 else ''}",
            f"{cpu:.2g}",
        ]
        needed = trees_needed(np.array([run.share for run in runs]))
        if needed is None:
            row += ["-", "-", "-"]
        else:
            fresh = [search(design, p, order, auto, depth, needed, draws + k) for k in range(draws)]
            row += [
                f"{needed:,}",
                f"{np.mean([run.found for run in fresh]):.2f}",
                f"{np.mean([run.cpu for run in fresh]):.2g}",
            ]
        rows.append(row)
        print(markdown(header, rows[-1:]).splitlines()[-1], flush=True)
    print(f"\n{markdown(header, rows)}\n\n{versions('numpy', 'numba')}")


if __name__ == "__main__":
    main()
