"""How often searches find loci that tell cases from controls only together, by heritability.

    python benchmarks/epistasis.py [--orders 2 3] [--samples 400 1600] [--features 100]
        [--heritability 0.01 0.05 0.1 0.2 0.4] [--maf 0.2] [--methods NAME ...] [--draws 50]
        [--keep FILE.jsonl] [--figure FILE.svg]

Every draw is a new data set of a new random model (`tamis.data.make_epistasis`; docs/data.md).
Counted are two things. *First*: what a search of sets puts first is the planted loci and nothing
else; of a ranking of features, the planted loci are the best ones. *Near*: that is so of one of
the first five sets; the planted loci are among the ten best features. Settings stand in `METHODS`.
ReliefF and MultiSURF are those of scikit-rebate, and left out where it is not installed. With
`--keep` draws are added to a file, and those in it are not done again: slow methods may get fewer
draws, which are the first of those of the quick ones.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from _harness import markdown, versions

FIRST_SETS, FIRST_FEATURES = 5, 10  # that count as near
MORE = {"tested": ": first, p at most .05", "held": ": in the first set, with others"}


class Found(NamedTuple):
    """What a method found in one data set, best first: sets of loci, or loci."""

    sets: list[tuple[int, ...]] | None = None
    loci: list[int] | None = None
    p_value: float | None = None  # family-wise, of the first
    loose: bool = False  # whether sets may have more loci than are planted


def pairs(X: np.ndarray, y: np.ndarray, order: int) -> dict[str, Found]:
    """All pairs by MTD, with 19 permuted runs; of three loci, those of the best pairs."""
    from tamis.interactions import search_pairs

    found = search_pairs(X, y, bins=3)
    if order > 2:
        return {"pairs": Found(loci=distinct(j for pair in found.terms for j in pair))}
    assert found.family_p is not None
    return {"pairs": Found(list(found.terms), p_value=float(found.family_p[0]))}


def cells(X: np.ndarray, y: np.ndarray, order: int) -> dict[str, Found]:
    """Every combination of genotypes, by the difference of its shares of the two classes.

    It is what random intersection trees order their sets by, without the trees: what this misses
    they can only find by luck.
    """
    items, p = genotypes(X).astype(np.float32), X.shape[1]
    weight = np.where(y == 1, 1 / (y == 1).sum(), -1 / (y == 0).sum()).astype(np.float32)[:, None]
    best: dict[tuple[int, ...], float] = {}

    def note(some: np.ndarray, weight: np.ndarray, head: tuple[int, ...]) -> None:
        """The largest differences among pairs of these items, the last ones of the table."""
        loci = some.shape[1] // 3
        gaps = np.abs((some * weight).T @ some).reshape(loci, 3, loci, 3).max(axis=(1, 3))
        gaps[np.tril_indices(loci)] = 0
        for flat in np.argsort(-gaps, axis=None)[:FIRST_SETS]:
            a, b = divmod(int(flat), loci)
            key = (*head, p - loci + a, p - loci + b)
            best[key] = max(best.get(key, 0.0), float(gaps[a, b]))

    if order == 2:
        note(items, weight, ())
    else:
        for item in range(3 * (p - 2)):
            rows = np.flatnonzero(items[:, item])
            note(items[rows, 3 * (item // 3 + 1) :], weight[rows], (item // 3,))
    return {"cells": Found(sorted(best, key=lambda key: -best[key])[:FIRST_SETS])}


def trees(name: str, **settings: Any) -> Callable:
    """Random intersection trees; each genotype of each locus is an item."""

    def search(X: np.ndarray, y: np.ndarray, order: int) -> dict[str, Found]:
        from tamis.interactions import random_intersection_trees

        found = random_intersection_trees(
            genotypes(X), y, n_permutations=0, n_bootstraps=0, **settings
        )
        loci = (tuple(sorted({j // 3 for j in one})) for one in found.columns)
        return {name: Found(distinct(loci), loose=True)}

    return search


def told_trees(X: np.ndarray, y: np.ndarray, order: int) -> dict[str, Found]:
    """The same with the thresholds of somebody who knows: the shares of the best planted cell."""
    items, members = genotypes(X[:, -order:]).reshape(len(X), order, 3), [y == 0, y == 1]
    shares = np.array(
        [
            [
                np.logical_and.reduce(items[own][:, np.arange(order), cell], axis=1).mean()
                for cell in product(range(3), repeat=order)
            ]
            for own in members
        ]
    )
    low, high = sorted(shares[:, np.abs(shares[1] - shares[0]).argmax()])
    return trees("RIT told", theta=float(high), theta_out=float(low))(X, y, order)


def forest(X: np.ndarray, y: np.ndarray, order: int) -> dict[str, Found]:
    """Iterative random forests with half of the default trees and bootstrap samples."""
    from tamis.interactions import IterativeForest

    model = IterativeForest(n_estimators=100, n_bootstraps=10, random_state=0).fit(X, y)
    loci = (tuple(sorted(set(one))) for one in model.interactions_.columns)
    found = Found(distinct(loci), loose=True)
    return {"iRF sets": found, "iRF importance": ranked(model.importances_)}


def monte_carlo(X: np.ndarray, y: np.ndarray, order: int) -> dict[str, Found]:
    """Monte Carlo feature selection; its graph of the best 10 features, each pair met 200 times."""
    from tamis.selection import MonteCarloSelector

    model = MonteCarloSelector(size=order, second_stage=10, meetings=200, random_state=0).fit(X, y)
    found = {"MCFS": ranked(model.scores_)}
    if order == 2:
        graph = model.graph_
        ends = zip(graph.source.tolist(), graph.target.tolist(), strict=True)
        number = [int(name.lstrip("x")) for name in graph.names]
        edges = (tuple(sorted((number[a], number[b]))) for a, b in ends)
        found["MCFS edges"] = Found(distinct(edges))
    return found


def chi_square(X: np.ndarray, y: np.ndarray, order: int) -> dict[str, Found]:
    """Each locus by itself."""
    from tamis.selection import chi2

    return {"chi2": ranked(chi2(X, y)[0])}


def rebate(name: str, **settings: Any) -> Callable:
    """A ranking of scikit-rebate."""

    def rank(X: np.ndarray, y: np.ndarray, order: int) -> dict[str, Found]:
        import skrebate

        model = getattr(skrebate, name)(n_jobs=1, **settings).fit(X, y)
        return {name: ranked(model.feature_importances_)}

    return rank


METHODS: dict[str, Callable] = {
    "chi2": chi_square,
    "pairs": pairs,
    "cells": cells,
    "RIT": trees("RIT"),
    "RIT wide": trees("RIT wide", theta=0.05, theta_out=0.5, depth=5, branch=10),
    "RIT told": told_trees,
    "iRF": forest,
    "MCFS": monte_carlo,
    "ReliefF": rebate("ReliefF", n_neighbors=100),
    "MultiSURF": rebate("MultiSURF"),
}
DRAWN = {
    "chi2": ("#999999", "x"),
    "pairs": ("#1f5fa8", "o"),
    "cells": ("#111111", "s"),
    "RIT": ("#c26a00", "D"),
    "RIT wide": ("#e0a040", "^"),
    "RIT told": ("#7a3b00", "v"),
    "iRF sets": ("#2e8b57", "P"),
    "MCFS": ("#a03070", "*"),
    "ReliefF": ("#6a5acd", "<"),
    "MultiSURF": ("#20a0b0", ">"),
}
PEERS = {"ReliefF": "skrebate", "MultiSURF": "skrebate"}


def genotypes(X: np.ndarray) -> np.ndarray:
    """A 0/1 column for each genotype of each locus (n, 3 p)."""
    return (X[:, :, None] == np.arange(3)).reshape(len(X), -1)


def distinct(these: Iterable) -> list:
    """Each once, in order."""
    return list(dict.fromkeys(these))


def ranked(scores: np.ndarray) -> Found:
    """Loci by falling score."""
    return Found(loci=np.argsort(-np.asarray(scores), kind="stable").tolist())


def judged(found: Found, planted: tuple[int, ...]) -> dict[str, bool]:
    """Whether the planted loci are first, near, and what else `MORE` asks where it can be."""
    if found.sets is not None:
        first, near = found.sets[:1] == [planted], planted in found.sets[:FIRST_SETS]
    else:
        assert found.loci is not None
        first = set(found.loci[: len(planted)]) == set(planted)
        near = set(planted) <= set(found.loci[:FIRST_FEATURES])
    out = {"first": first, "near": near}
    if found.p_value is not None:
        out["tested"] = first and found.p_value <= 0.05
    if found.loose:
        out["held"] = bool(found.sets) and set(planted) <= set(found.sets[0])
    return out


def one_draw(cell: tuple, method: str, draw: int) -> list[dict]:
    """What a method comes to in one data set; none where no model has the heritability."""
    from tamis._core.errors import PlanError
    from tamis.data import make_epistasis

    order, n, p, maf, heritability = cell
    try:
        data = make_epistasis(n, p, order, heritability, maf, random_state=draw)
    except PlanError:
        return []
    planted = tuple(range(p - order, p))
    # Ties are broken by column order, and the planted ones stand last.
    before = time.process_time()
    found = METHODS[method](data.X, data.codes, order)
    cpu = time.process_time() - before
    return [
        {
            "cell": cell,
            "run": method,
            "draw": draw,
            "method": name,
            "cpu": cpu,
            **judged(one, planted),
        }
        for name, one in found.items()
    ]


def rates(rows: list[dict], heritabilities: list[float]) -> str:
    """Rows a method and size: first / near by heritability, of how many draws, CPU seconds."""
    table: dict[tuple, dict[float, list[dict]]] = {}
    for row in rows:
        *size, heritability = row["cell"]
        table.setdefault((row["method"], *size), {}).setdefault(heritability, []).append(row)
    lines = []
    order_of = distinct(row["method"] for row in sorted(rows, key=lambda r: place(r["run"])))
    for key in sorted(table, key=lambda k: (*k[1:], order_of.index(k[0]))):
        method, order, n, p, _maf = key
        every = [row for some in table[key].values() for row in some]
        draws = sorted({len(some) for some in table[key].values()})
        number = str(draws[0]) if len(draws) == 1 else f"{draws[0]} to {draws[-1]}"
        cpu = f"{np.mean([row['cpu'] for row in every]):.2g}"
        for what, words in {"first": "", **MORE}.items():
            if what not in every[0]:
                continue
            if what == "held" and all(row["held"] == row["first"] for row in every):
                continue
            shown = []
            for heritability in heritabilities:
                some = table[key].get(heritability, [])
                both = (what, "near") if what == "first" else (what,)
                shown.append(
                    " / ".join(f"{np.mean([r[k] for r in some]):.2f}" for k in both)
                    if some
                    else "-"
                )
            lines.append([order, f"{n:,} x {p:,}", method + words, *shown, number, cpu])
    header = ["loci", "table", "method", *(f"h2 = {h:g}" for h in heritabilities), "draws", "CPU s"]
    return markdown(header, lines)


def place(method: str) -> int:
    return list(METHODS).index(method)


def draw_figure(rows: list[dict], path: Path) -> None:
    """A panel for each number of loci and samples: the share first, by heritability."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "tamis"
    matplotlib.rcParams["svg.fonttype"] = "none"
    matplotlib.rcParams["font.family"] = "sans-serif"
    import matplotlib.pyplot as plt

    rows = [row for row in rows if row["method"] in DRAWN]
    p = min(row["cell"][2] for row in rows)
    panels = sorted({tuple(row["cell"][:2]) for row in rows})
    steps = sorted({row["cell"][4] for row in rows})
    across = 2 if len(panels) > 1 else 1
    down = -(-len(panels) // across)
    figure, axes = plt.subplots(
        down, across, figsize=(4 * across, 2.6 * down + 0.55), sharey=True, squeeze=False
    )
    for axis, (order, n) in zip(axes.flat, panels, strict=False):
        here = [row for row in rows if tuple(row["cell"][:3]) == (order, n, p)]
        for k, (name, (colour, marker)) in enumerate(DRAWN.items()):
            own = [row for row in here if row["method"] == name]
            at = [h for h in steps if any(row["cell"][4] == h for row in own)]
            share = [np.mean([row["first"] for row in own if row["cell"][4] == h]) for h in at]
            apart = 0.006 * (k - (len(DRAWN) - 1) / 2)  # so that equal shares are all seen
            axis.plot(
                [steps.index(h) for h in at],
                np.array(share) + apart,
                color=colour,
                marker=marker,
                markersize=4,
                linewidth=1.2,
                label=name,
            )
        axis.set_xticks(range(len(steps)), [f"{h:g}" for h in steps])
        axis.set_xlim(-0.3, len(steps) - 0.7)
        axis.set_ylim(-0.1, 1.1)
        axis.set_title(f"{order} loci, {n:,} x {p:,}", fontsize=10)
        axis.tick_params(labelsize=8)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    for axis in axes[-1]:
        axis.set_xlabel("heritability", fontsize=9)
    for axis in axes[:, 0]:
        axis.set_ylabel("planted loci first", fontsize=9)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.tight_layout(rect=(0, 0.55 / (2.6 * down + 0.55), 1, 1))
    figure.legend(handles, labels, loc="lower center", ncol=5, fontsize=8.5, frameon=False)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--orders", nargs="+", type=int, choices=(2, 3), default=[2, 3])
    parser.add_argument("--samples", nargs="+", type=int, default=[400, 1600])
    parser.add_argument("--features", nargs="+", type=int, default=[100])
    parser.add_argument(
        "--heritability", nargs="+", type=float, default=[0.01, 0.05, 0.1, 0.2, 0.4]
    )
    parser.add_argument("--maf", type=float, default=0.2, help="minor allele's frequency")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--draws", type=int, default=50)
    parser.add_argument("--keep", type=Path, help="file that draws are added to and taken from")
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    methods = [name for name in options.methods if find_spec(PEERS.get(name, "numpy"))]
    for name in sorted({PEERS[name] for name in options.methods if name not in methods}):
        print(f"{name} is not installed: left out.\n")

    rows = []
    if options.keep and options.keep.exists():
        rows = [json.loads(line) for line in options.keep.read_text().splitlines()]
    done = {(*row["cell"], row["run"], row["draw"]) for row in rows}
    small = (2, 60, 12, 0.2, 0.1)
    grid = [
        (order, n, p, options.maf, h)
        for order, n, p, h in product(
            options.orders, options.samples, options.features, options.heritability
        )
    ]
    for method in methods:
        one_draw(small, method, 0)  # compiled, or its machine code read
    for draw, cell, method in product(range(options.draws), grid, methods):
        if (*cell, method, draw) in done:
            continue
        fresh = one_draw(cell, method, draw)
        rows += fresh
        if options.keep:
            with options.keep.open("a") as file:
                file.writelines(json.dumps(row) + "\n" for row in fresh)
    heritabilities = sorted({row["cell"][-1] for row in rows})
    print(rates(rows, heritabilities))
    peers = [name for name in ("skrebate",) if find_spec(name)]
    print(f"\n{versions('numpy', 'numba', 'scikit-learn', *peers)}")
    if options.figure:
        draw_figure(rows, options.figure)


if __name__ == "__main__":
    main()
