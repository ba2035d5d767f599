"""Interactions of real sets: what each search finds, what noise gives, how classifiers do.

Madelon (500 features, 20 of which say anything), golub (easy: everything separates its classes) and
pomeroy (hard: an outcome that no signature of docs/results/signatures.md predicts). The two were
chosen before any result was seen.

    python benchmarks/interactions_real.py [--parts structure searches studies] [--sets golub]
        [--searches "all pairs by score"]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

from _harness import markdown, shared_folder, versions  # before NumPy: sets one thread each

# isort: split
import numpy as np

SETS = ("madelon", "golub", "pomeroy")
NULLS = {"madelon": 1, "golub": 3, "pomeroy": 3}  # permuted labels, where a search has no p-value
# For sets of a sixteenth of a class, which 10 rows with 5 branches never share.
RARE = {
    "n_trees": 300,
    "depth": 4,
    "branch": 20,
    "min_size": 3,
    "theta": 0.03,
    "theta_out": 0.01,
    "n_bootstraps": 5,
}
FOREST = {"n_estimators": 100, "n_bootstraps": 10, "random_state": 0, "n_jobs": 1}
GRAPH = {"cutoff": "kmeans", "random_state": 0, "n_jobs": 1}
FEWER = {"s": 500, "meetings": 50}  # trees of 2,600 rows are dear
SMALL = {"n_trees": 50, "screened": [5, 20]}
METHODS = [
    {"name": "discrit", "select": "discrit", "parameters": {**SMALL, "discretizers": ["ameva"]}},
    {"name": "covrit", "select": "covrit", "parameters": {**SMALL, "epsilons": [0.2, 0.4]}},
    {"name": "relrit", "select": "relrit", "parameters": {**SMALL, "epsilons": [0.3, 1.0]}},
    {"name": "rit, Ameva", "select": "rit", "parameters": {"n_trees": 50, "discretizer": "ameva"}},
    {
        "name": "irf",
        "select": "irf",
        "parameters": {"n_estimators": 50, "n_bootstraps": 5, "n_iterations": 2},
    },
    {"name": "random forest", "select": "all", "classify": "forest"},
    {"name": "Gaussian SVM", "select": "all", "classify": "svm_rbf"},
    {"name": "Welch t + 5-NN", "select": "welch_t", "sizes": [5, 10, 20], "classify": "knn"},
]
# outer folds, inner folds, permuted runs
DESIGN = {"madelon": (2, 2, 1), "golub": (5, 2, 4), "pomeroy": (5, 2, 4)}


def real_set(name: str):
    """One of the sets."""
    from tamis.data import read_table

    room = "uci" if name == "madelon" else "expression"
    return read_table(shared_folder() / room / f"{name}.parquet", target="class")


def useful(X: np.ndarray) -> list[np.ndarray]:
    """Columns that are correlated with others, in groups of near copies."""
    from scipy.sparse.csgraph import connected_components

    r = np.abs(np.corrcoef(X.T)) - np.eye(X.shape[1])
    columns = np.flatnonzero(r.max(axis=1) > 0.3)
    n, group = connected_components(r[np.ix_(columns, columns)] > 0.9)
    return [columns[group == g] for g in range(n)]


def structure() -> None:
    """What Madelon is made of, from the table alone."""
    from scipy.stats import kurtosis

    data = real_set("madelon")
    X, y = data.X, data.y == data.y[0]
    groups = useful(X)
    columns = np.sort(np.concatenate(groups))
    r = np.abs(np.corrcoef(X.T)) - np.eye(X.shape[1])
    others = np.setdiff1d(np.arange(X.shape[1]), columns)
    values = np.linalg.eigvalsh(np.corrcoef(X[:, columns].T))[::-1]
    print(
        f"{len(columns)} correlated columns, largest |r| of each at least "
        f"{r[columns].max(axis=1).min():.3f}; of any other at most {r[others].max():.3f}"
    )
    print("groups of near copies:", "; ".join(" ".join(map(str, g)) for g in groups))
    print("eigenvalues:", " ".join(f"{v:.3f}" for v in values[:7]))
    humps = sorted(groups, key=lambda g: kurtosis(X[:, g[0]]))
    five = [int(g[0]) for g in humps[:5]]
    print(
        "the five of most negative kurtosis:",
        five,
        [round(float(kurtosis(X[:, g[0]])), 2) for g in humps],
    )
    high = np.median(X[:, five], axis=0) < X[:, five]
    cell = high @ 2 ** np.arange(5)
    sizes = np.bincount(cell, minlength=32)
    share = np.bincount(cell, y, 32) / sizes
    larger = np.maximum(share, 1 - share)
    odd = np.array([c.bit_count() % 2 for c in range(32)])
    same = int(((share > 0.5) == odd).sum())
    print(f"rows of a corner: {sizes.min()} to {sizes.max()}")
    print(f"share of a corner's larger class: {larger.min():.2f} to {larger.max():.2f}")
    print(f"corners whose class is their parity, or its opposite: {max(same, 32 - same)} of 32")
    rows = []
    for k in range(1, 6):
        rates = []
        for some in combinations(range(5), k):
            cell = high[:, some] @ 2 ** np.arange(k)
            one = np.bincount(cell, y, 2**k)
            rates.append(np.maximum(one, np.bincount(cell, minlength=2**k) - one).sum() / len(y))
        rows.append([k, len(rates), f"{max(rates):.3f}", f"{np.median(rates):.3f}"])
    print(markdown(["features cut at the median", "choices", "best right", "median right"], rows))


def thirds(X: np.ndarray, names: list[str]):
    """0/1 columns of the lowest, middle and highest third of each feature, cut without labels."""
    import pandas as pd

    from tamis.data import EqualFrequencyDiscretizer

    cuts = EqualFrequencyDiscretizer(n_bins=3).fit(X).cuts_
    columns = {}
    for j, cut in enumerate(cuts):
        place = np.searchsorted(cut, X[:, j], side="left")
        for k in range(len(cut) + 1):
            columns[f"{names[j]} {('low', 'middle', 'high')[k]}"] = (place == k).astype(np.int8)
    return pd.DataFrame(columns)


def bare(feature) -> str:
    """A feature without the part of its range."""
    return str(feature).rsplit(" ", 1)[0]


@dataclass(frozen=True)
class Told:
    """What a search says: sets of features, the best of them, how sure, what noise gives."""

    sets: list[tuple]
    best: str
    sure: str
    noise: str = "in the p-value"


def told_of_intersections(found) -> Told:
    """Of p ≤ .05, where there are p-values."""
    table = found.frame()
    if not len(table):
        return Told([], "–", "–")
    best = table.iloc[0]
    share = f"{best['prevalence']:.2f}, {best['prevalence'] - best['difference']:.2f}"
    sure = f"stable in {best['stability']:.2f}"
    if "p_value" in table:
        sure = f"p {best['p_value']:.2f} of {len(table)} sets; {sure}"
        table = table[table["p_value"] <= 0.05]
    sets = [tuple(map(bare, features)) for features in table["features"]]
    return Told(sets, f"{' + '.join(best['features'])} ({best['class']}: {share})", sure)


def by_trees(frame, labels: list[np.ndarray], **settings) -> Told:
    from tamis.interactions import random_intersection_trees

    items = thirds(frame.to_numpy(), list(frame))
    return told_of_intersections(random_intersection_trees(items, labels[0], n_jobs=1, **settings))


def by_pairs(frame, labels: list[np.ndarray], by: str) -> Told:
    from tamis.interactions import search_pairs

    found = search_pairs(frame, labels[0], by=by, n_jobs=1, keep=20_000)
    few = [pair for pair, sure in zip(found.terms, found.significant, strict=True) if sure]
    best = f"{' + '.join(found.terms[0])} ({found.value[0]:.2f})"
    noise = f"best {found.maxima.min():.2f} to {found.maxima.max():.2f}"
    return Told(few, best, f"p {found.family_p[0]:.2f}", noise)


def by_forests(frame, labels: list[np.ndarray]) -> Told:
    from tamis.interactions import IterativeForest

    fits = [IterativeForest(**FOREST).fit(frame, y) for y in labels]
    told, *none = [told_of_intersections(fit.interactions_) for fit in fits]
    return replace(told, noise=f"{', '.join(str(len(one.sets)) for one in none)} sets")


def by_graph(frame, labels: list[np.ndarray], **settings) -> Told:
    from tamis.selection import MonteCarloSelector

    graphs = [MonteCarloSelector(**GRAPH, **settings).fit(frame, y).graph_.frame() for y in labels]
    edges, none = graphs[0], [graph["weight"].max() for graph in graphs[1:]]
    heavy = edges[edges["weight"] > max(none)]
    pairs = zip(heavy["source"], heavy["target"], strict=True)
    top = edges.iloc[0]
    best = f"{top['source']} + {top['target']} ({top['weight']:.3f})"
    noise = f"heaviest {min(none):.3f} to {max(none):.3f}"
    return Told(list({tuple(sorted(pair)) for pair in pairs}), best, f"se {top['se']:.3f}", noise)


SEARCHES = {
    "intersection trees": by_trees,
    "the same, rare sets": partial(by_trees, **RARE),
    "all pairs by interaction": partial(by_pairs, by="interaction"),
    "all pairs by score": partial(by_pairs, by="score"),
    "iRF": by_forests,
    "MCFS graph": by_graph,
}


def searches(name: str, asked: list[str]) -> None:
    """What each search of a set finds on all rows, and where labels are permuted."""
    import pandas as pd

    data = real_set(name)
    names = list(map(str, data.feature_names))
    groups = useful(data.X) if name == "madelon" else []
    group = {names[j]: g for g, columns in enumerate(groups) for j in columns}
    frame = pd.DataFrame(data.X, columns=names)
    labels = [data.y, *(np.random.default_rng(k).permutation(data.y) for k in range(NULLS[name]))]
    header = ["search", "found", "best", "how sure", "labels permuted"]
    header += ["useful features", "with two, no copies", "and no others"] * bool(group)
    print(f"\n## {name}\n\n{markdown([*header, 'CPU s'], [])}")
    for search in asked:
        if search == "the same, rare sets" and not group:
            continue
        more = FEWER if search == "MCFS graph" and name == "madelon" else {}
        began = time.process_time()
        told = SEARCHES[search](frame, labels, **more)
        cells = [search, len(told.sets), told.best, told.sure, told.noise]
        if group:
            among = {f for one in told.sets for f in one}
            joint = [one for one in told.sets if len({group[f] for f in one if f in group}) > 1]
            alone = [one for one in joint if all(f in group for f in one)]
            cells += [f"{len(among & set(group))} of {len(among)}", len(joint), len(alone)]
        cells.append(f"{time.process_time() - began:.0f}")
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


def study(name: str) -> None:
    """Classifiers in one nested study of a set, with permuted labels, and their interactions."""
    from tamis.study import run_study

    outer, inner, permutations = DESIGN[name]
    plan = {
        "permutations": permutations,
        "parsimony": 0,
        "describe": False,
        "final": False,
        "outer": {"folds": outer},
        "inner": {"folds": inner, "repeats": 1},
        "method": METHODS,
    }
    data, began = real_set(name), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        content = run_study(data, plan, folder + "/study", n_jobs=1).to_dict()
    groups = useful(data.X) if name == "madelon" else []
    known = {str(data.feature_names[j]) for columns in groups for j in columns}
    rows = []
    for m in content["methods"]:
        bcr, chosen, chance = m["metrics"]["bcr"], m["stability"], m["chance"]["bcr"]["permuted"]
        told = m.get("interactions")
        rows.append(
            [
                m["name"],
                f"{bcr['mean']:.3f}",
                f"{bcr['low']:.2f} to {bcr['high']:.2f}",
                f"{chance['median']:.2f}, {chance['most']:.2f}" if chance else "–",
                f"{chosen['mean_size']:.1f}",
                number(chosen["asm"]),
                number(chosen["nogueira"]["mean"]),
                *(described(told, known) if told else ["–"] * 4),
            ]
        )
    header = ["method", "BCR", "95 % interval", "permuted: median, most", "features", "ASM"]
    header += ["Nogueira", "sets", "different", "Nogueira of sets", "most frequent"]
    spent = time.process_time() - began
    print(f"\n## {name}: {outer} outer, {inner} inner folds, {spent:.0f} CPU s\n")
    print(markdown(header, rows))
    again, head = content["permutation"], content["metrics"]["bcr"]
    ends = f"{head['mean']:.3f} ({head['low']:.2f} to {head['high']:.2f})"
    winners = ", ".join(f"{one} {n}" for one, n in content["headline"]["winners"].items())
    permuted = ", ".join(map(number, again["values"]))
    print(f"\nheadline {ends}; permuted {permuted}; chosen {winners}", flush=True)


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def described(told, known: set[str]) -> list[str]:
    """Interactions over the outer folds."""
    most = "–"
    if told["terms"]:
        best = told["terms"][0]
        named, more = best["features"][:4], len(best["features"]) - 4
        most = " + ".join(named) + f" and {more} more" * (more > 0) + f" ({best['frequency']:.1f})"
        if known:
            whole = sum(all(f in known for f in one["features"]) for one in told["terms"])
            most += f"; {whole} of {len(told['terms'])} pure"
    return [f"{told['mean_size']:.1f}", str(told["n_different"]), number(told["nogueira"]), most]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = ("structure", "searches", "studies")
    parser.add_argument("--parts", nargs="+", choices=parts, default=parts)
    parser.add_argument("--searches", nargs="+", choices=SEARCHES, default=list(SEARCHES))
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    args = parser.parse_args()
    if "structure" in args.parts:
        structure()
    for name in args.sets if "searches" in args.parts else ():
        searches(name, args.searches)
    for name in args.sets if "studies" in args.parts else ():
        study(name)
    print(versions("scikit-learn", "numpy", "numba"))


if __name__ == "__main__":
    main()
