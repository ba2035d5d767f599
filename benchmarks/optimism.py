"""How optimistic each method looks when features are selected on all samples, outside the folds.

    python benchmarks/optimism.py [--tables 20] [--picture docs/results/optimism.svg]

Every ranker that a plan can name (of the filters those that differ in kind) selects 10 features:
once on all samples before five-fold cross-validation of ridge logistic regression ("outside"),
and inside every fold ("inside"). On null tables (60 samples, 1,000 columns, labels drawn) the
truth .5; on the bundled Golub set it is not known, but the gap is. Balanced accuracy, means over
tables or over ten random splits.
"""

from __future__ import annotations

import argparse
import sys
import warnings

from _harness import markdown, timed, versions  # first: sets threads

# isort: split
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tamis._core.interfaces import Part
from tamis._core.registry import rows_of
from tamis._core.rows import RankerRow
from tamis.data import load_golub
from tamis.metrics import balanced_classification_rate
from tamis.selection._filters import FILTERS

SIZE = 10
SHOWN = ("moderated_t", "wilcoxon", "mutual_information", "mtd")
FEWER = {"mcfs": {"s": 200}, "rfs": {"n_pairs": 20}}  # so that it ends today


def methods() -> dict[str, object]:
    """Rankers by their plan names."""
    rows = [row for row in rows_of(RankerRow) if row.sized]
    rows = [row for row in rows if row.name not in FILTERS or row.name in SHOWN]
    return {row.name: row.build(FEWER.get(row.name, {})) for row in rows}


def selected(ranker, X, y, seed: int) -> np.ndarray:
    """Columns of the best 10."""
    stream = np.random.SeedSequence(seed)
    return ranker.rank(Part.of(X, y), [SIZE], stream).path[SIZE]


def rates(ranker, X, y, seed: int) -> tuple[float, float]:
    """Balanced accuracy with features selected outside and inside the folds."""
    folds = StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y)
    everywhere = selected(ranker, X, y, seed)
    told = np.empty((2, len(y)), dtype=int)
    for train, test in folds:
        for k, columns in enumerate((everywhere, selected(ranker, X[train], y[train], seed))):
            model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=2000))
            if not len(columns):
                told[k, test] = np.bincount(y[train]).argmax()
                continue
            told[k, test] = model.fit(X[train][:, columns], y[train]).predict(X[test][:, columns])
    return tuple(balanced_classification_rate(y, one) for one in told)


def draw(rows: list[tuple[str, np.ndarray, np.ndarray]], path: str) -> None:
    """Outside and inside, a line a method, for the null tables and for Golub."""
    from matplotlib.figure import Figure

    canvas = Figure(figsize=(8.4, 0.32 * len(rows) + 1.4), layout="constrained")
    panels = canvas.subplots(1, 2, sharey=True)
    for axes, place, title in zip(panels, (1, 2), ("null tables: truth .5", "Golub"), strict=True):
        for at, row in enumerate(rows):
            outside, inside = row[place]
            axes.plot([inside, outside], [at, at], color="0.7", linewidth=2, zorder=1)
            axes.scatter([inside], [at], color="C0", s=28, zorder=2, label="" if at else "inside")
            axes.scatter([outside], [at], color="C3", s=28, zorder=2, label="" if at else "outside")
        axes.set_title(title, fontsize="medium")
        axes.set_xlabel("balanced accuracy")
        axes.grid(axis="x", alpha=0.3)
    panels[0].axvline(0.5, color="0.3", linestyle="--", linewidth=1)
    panels[0].set_yticks(range(len(rows)), [name for name, *_ in rows])
    panels[0].invert_yaxis()
    shown, words = panels[0].get_legend_handles_labels()
    words = [f"features selected {word} the folds" for word in words]
    canvas.legend(shown, words, frameon=False, loc="outside lower center", ncols=2)
    canvas.savefig(path, metadata={"Date": None})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--picture")
    args = parser.parse_args()
    warnings.filterwarnings("ignore")
    golub = load_golub()
    codes = np.unique(golub.y, return_inverse=True)[1]
    found = []
    for name, ranker in methods().items():
        null = []
        for t in range(args.tables):
            rng = np.random.default_rng(t)
            X, y = rng.normal(size=(60, 1000)), rng.permutation(np.arange(60) % 2)
            null.append(rates(ranker, X, y, t))
        real = timed(lambda r=ranker: [rates(r, golub.X, codes, s) for s in range(args.splits)])
        found.append((name, np.array(null), np.array(real.value)))
        means = [one.mean(axis=0).round(3) for one in found[-1][1:]]
        print(name, *means, f"{real.cpu:.0f} s", file=sys.stderr, flush=True)
    rows = []
    for name, null, real in found:
        error = null[:, 1].std(ddof=1) / np.sqrt(len(null))
        rows.append(
            [
                f"`{name}`",
                f"{null[:, 0].mean():.3f}",
                f"{null[:, 1].mean():.3f} ({error:.3f})",
                f"{real[:, 0].mean():.3f}",
                f"{real[:, 1].mean():.3f}",
            ]
        )
    head = ["selection", "null, outside", "null, inside (SE)", "Golub, outside", "Golub, inside"]
    print(markdown(head, rows))
    print(
        f"\n{args.tables} null tables, {args.splits} splits of Golub; {versions('scikit-learn')}."
    )
    if args.picture:
        draw([(name, a.mean(axis=0), b.mean(axis=0)) for name, a, b in found], args.picture)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
