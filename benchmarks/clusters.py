"""Representatives of clusters beside the best features of the same filter, with and without a cut.

Each set is studied in five outer folds drawn twice, ridge logistic regression on 10 and on 20
features, nothing tuned. The cut goes down the order of the filter and leaves out what correlates
with a feature that it has taken.

    python benchmarks/clusters.py [--sets alon golub] [--folder STUDIES]
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from _harness import markdown, shared_set, timed, versions
from tamis._core.interfaces import Part, Ranker, Ranking, Seeds
from tamis._core.rows import RankerRow
from tamis.selection import ClusterSelector, FilterSelector
from tamis.selection._orders import order_of

SETS = (
    "alon",
    "armstrong2194",
    "golub",
    "hnsc_hpv",
    "lapointe",
    "pomeroy",
    "shipp",
    "su",
    "west_er",
)
SIZES = (10, 20)
MOST_R = 0.7  # absolute correlation
CLUSTERS = {
    f"{title}, {which}": {"algorithm": algorithm, "representative": representative}
    for algorithm, title in (("kmeans", "k-means"), ("som", "map"))
    for representative, which in (("best", "best score"), ("medoid", "medoid"))
}
FILTER, CUT = "moderated t", f"moderated t, r up to {MOST_R:g}"
METHODS = (FILTER, CUT, *CLUSTERS)


class Uncorrelated(Ranker):
    """The order of moderated t without what correlates with a feature further up."""

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        """The nested path of the features taken, and of the others behind them."""
        scores = FilterSelector("moderated_t").rank(part, [], stream).scores
        order = order_of(scores)
        Z = part.X - part.X.mean(axis=0)
        Z = Z / np.maximum(np.sqrt((Z**2).sum(axis=0)), 1e-300)
        taken: list[int] = []
        for j in order:
            if len(taken) == max(sizes, default=0):
                break
            if not len(taken) or np.abs(Z[:, taken].T @ Z[:, j]).max() <= MOST_R:
                taken.append(int(j))
        whole = np.concatenate([taken, order[~np.isin(order, taken)]]).astype(np.int64)
        return Ranking(scores, {int(k): whole[:k] for k in sizes})


ROW = RankerRow(
    "uncorrelated", f"{__name__}:Uncorrelated", "moderated t after a cut", CUT, page="filters.md"
)


def method(title: str, size: int) -> dict:
    """As a plan has it."""
    chosen = (
        {"select": "cluster", "parameters": CLUSTERS[title]}
        if title in CLUSTERS
        else {"select": "moderated_t" if title == FILTER else ROW.name}
    )
    return {**chosen, "name": f"{title} {size}", "sizes": [size], "classify": ["logistic"]}


def studied(name: str, folder: Path) -> dict[tuple[str, int], tuple[float, float]]:
    """Balanced accuracy and Nogueira's measure of each method at each size."""
    from tamis._core.registry import with_rows
    from tamis.study import run_study

    plan = {
        "permutations": 0,
        "final": False,
        "describe": False,
        "outer": {"folds": 5, "repeats": 2},
        "inner": {"folds": 2},
        "method": [method(title, k) for title in METHODS for k in SIZES],
    }
    place = folder / name
    with with_rows([ROW]):
        found = run_study(shared_set(name), plan, place, if_exists="resume", n_jobs=1).to_dict()
    by_name = {one["name"]: one for one in found["methods"]}
    return {
        (title, k): (one["metrics"]["bcr"]["mean"], one["stability"]["nogueira"]["mean"])
        for title in METHODS
        for k in SIZES
        for one in [by_name[f"{title} {k}"]]
    }


def table(by_set: dict, size: int, at: int) -> str:
    """A row a set, and the mean difference from the filter alone with its standard error."""
    values = np.array([[by_set[name][m, size][at] for m in METHODS] for name in by_set])
    rows = [[name, *(f"{v:.3f}" for v in row)] for name, row in zip(by_set, values, strict=True)]
    rows.append(["**mean**", *(f"**{v:.3f}**" for v in values.mean(axis=0))])
    gaps = values - values[:, :1]
    error = gaps.std(axis=0, ddof=1) / np.sqrt(len(gaps)) if len(gaps) > 1 else gaps[0] * np.nan
    told = [f"{g:+.3f} ± {e:.3f}" for g, e in zip(gaps.mean(axis=0)[1:], error[1:], strict=True)]
    return markdown(["set", *METHODS], [*rows, ["difference", "", *told]])


def own_sizes(names: Sequence[str]) -> str:
    """The number of clusters that the silhouette chooses on all samples."""
    rows = []
    for name in names:
        data = shared_set(name)
        X = np.where(np.isnan(data.X), np.nanmedian(data.X, axis=0), data.X)
        rows.append(
            [name]
            + [
                int(ClusterSelector(None, a, random_state=0).fit(X, data.codes).support_.sum())
                for a in ("kmeans", "som")
            ]
        )
    return markdown(["set", "k-means", "map"], rows)


def clock() -> str:
    """Seconds of the processor for 20 clusters of 20,000 features, 100 samples."""
    rng = np.random.default_rng(0)
    y, noise = np.arange(100) % 2, rng.normal(size=(100, 20_000))
    factors = rng.normal(size=(100, 15)) @ rng.normal(size=(15, 20_000))
    rows = []
    for title, settings in CLUSTERS.items():
        one = ClusterSelector(20, random_state=0, **settings)
        tables = (noise, noise + factors)
        found = [timed(lambda one=one, X=X: one.fit(X, y), repeats=2).cpu for X in tables]
        rows.append([title, *(f"{seconds:.1f}" for seconds in found)])
    return markdown(["", "noise", "15 factors"], rows)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--folder", help="keep the studies there, and go on with those it has")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments.folder or temporary)
        by_set = {name: studied(name, folder) for name in arguments.sets}
    for at, what in enumerate(("Balanced accuracy", "Nogueira's measure")):
        for size in SIZES:
            print(f"## {what}, {size} features\n\n{table(by_set, size, at)}\n")
    print(f"## Own size\n\n{own_sizes(arguments.sets)}\n\n## Seconds\n\n{clock()}\n")
    print(versions("numpy", "scikit-learn"))


if __name__ == "__main__":
    main()
