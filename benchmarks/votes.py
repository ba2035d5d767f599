"""Votes of several selectors beside their members: stability and balanced accuracy, nested.

Twelve shared expression sets, by a rule written before any figure: the first in alphabetical order
with two classes, at least 1,000 features and at least 15 samples in the smaller class; a
discretised copy of another set is left out. Five outer folds drawn three times, 20 features, ridge
logistic regression. A method has one candidate, so nothing is chosen inside: all but the first are
references, which need no inner folds. SVM-RFE drops half of what is left in a round, to save time.

Which rule of those that rank all features is the default was to follow from this, too: the one of
the best mean balanced accuracy; among rules within .01 of it the most stable; within .01 of that
the first of mean rank, Borda, Kemeny.

    python benchmarks/votes.py [--sets alon golub] [--n-jobs 2] [--picture docs/methods/vote.svg]
    python benchmarks/votes.py --null 40
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from _harness import markdown, shared_set, timed, versions  # before NumPy: sets one thread each

# isort: split
import numpy as np

SETS = (
    "alon",
    "apcolon",
    "arcene",
    "beer",
    "breast_tumors",
    "chowdary",
    "golub",
    "gordon",
    "gse2191",
    "lung_ontario",
    "pomeroy",
    "shipp",
)
SIZE = 20
SELECTORS: list[Any] = ["moderated_t", "mtd", {"name": "svm_rfe", "step": 0.5}]
MEMBERS = ["moderated_t", "mtd", "svm_rfe"]  # their names in tables
VOTES: dict[str, dict[str, Any]] = {
    "mean rank": {"rule": "mean_rank"},
    "Borda": {"rule": "borda"},
    "Kemeny": {"rule": "kemeny"},
    "majority": {"rule": "majority"},
    "Borda, best 20": {"rule": "borda", "top": 20},
    "Borda by stability": {"rule": "borda", "weights": "stability"},
    "Borda of five": {"rule": "borda", "selectors": [*SELECTORS, "wilcoxon", "hhsvm"]},
}
PLAN = {
    "inner": {"folds": 2, "repeats": 1},
    "decide": "balanced",  # learns nothing inside
    "permutations": 0,
    "final": False,
    "describe": False,
    "method": [
        *(
            {
                "name": one,
                "select": one,
                "sizes": [SIZE],
                "reference": one != MEMBERS[0],
                "parameters": {"step": 0.5} if one == "svm_rfe" else {},
            }
            for one in MEMBERS
        ),
        *(
            {
                "name": name,
                "select": "vote",
                "sizes": [SIZE],
                "reference": True,
                "parameters": {"selectors": SELECTORS, **given},
            }
            for name, given in VOTES.items()
        ),
    ],
}
NAMES = [*MEMBERS, *VOTES]
LABELS = {  # where they stand in the picture, in points from the dot, so that none is on another
    "mean rank": (7, -9),
    "mtd": (7, -9),
    "majority": (-7, -3),
    "Borda of five": (-7, -3),
    "Borda by stability": (-7, -13),
}


def studied(data: Any, n_jobs: int, repeats: int = 3) -> dict[str, tuple[float, float]]:
    """Balanced accuracy and Nogueira's stability of every method on a table."""
    from tamis.study import run_study

    plan = {**PLAN, "outer": {"folds": 5, "repeats": repeats}}
    with tempfile.TemporaryDirectory() as folder:
        content = run_study(data, plan, f"{folder}/study", n_jobs=n_jobs).to_dict()
    return {
        m["name"]: (m["metrics"]["bcr"]["mean"], m["stability"]["nogueira"]["mean"])
        for m in content["methods"]
    }


def table(found: dict[str, dict[str, tuple[float, float]]], at: int) -> str:
    """One number of every set and method, and the means over the sets."""
    digits = 3 if at == 0 else 2
    rows = [
        [name, *(f"{of_set[one][at]:.{digits}f}" for one in NAMES)]
        for name, of_set in found.items()
    ]
    means = [np.mean([of_set[one][at] for of_set in found.values()]) for one in NAMES]
    return markdown(["set", *NAMES], [*rows, ["mean", *(f"{mean:.3f}" for mean in means)]])


def beside_members(found: dict[str, dict[str, tuple[float, float]]]) -> str:
    """Each vote beside the first, the mean and the best member, set by set."""
    rows = []
    for name in VOTES:
        cells = [name]
        for at in (0, 1):
            own = np.array([of_set[name][at] for of_set in found.values()])
            members = np.array([[of_set[m][at] for m in MEMBERS] for of_set in found.values()])
            for other in (members[:, 0], members.mean(axis=1), members.max(axis=1)):
                gain = own - other
                error = gain.std(ddof=1) / np.sqrt(len(gain)) if len(gain) > 1 else np.nan
                cells.append(f"{gain.mean():+.3f} ± {error:.3f} ({(gain > 0).sum()})")
        rows.append(cells)
    others = (MEMBERS[0], "the mean member", "the best member")
    header = ["vote", *(f"{what} less {one}" for what in ("rate", "stability") for one in others)]
    return markdown(header, rows)


def draw(found: dict[str, dict[str, tuple[float, float]]], path: Path) -> None:
    """Mean stability and mean balanced accuracy of every method."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "vote"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7.2, 4.4), layout="constrained")
    for one in NAMES:
        rate, stable = (np.mean([s[one][at] for s in found.values()]) for at in (0, 1))
        member = one in MEMBERS
        axes.plot(stable, rate, "s" if member else "o", color="#777777" if member else "#0072b2")
        at = LABELS.get(one, (7, 3))
        side = "left" if at[0] > 0 else "right"
        axes.annotate(
            one, (stable, rate), xytext=at, textcoords="offset points", fontsize=9, ha=side
        )
    axes.set(
        xlabel="Nogueira's stability, mean of the sets",
        ylabel="balanced accuracy, mean of the sets",
        title="members (squares) and votes (circles), 20 features",
    )
    axes.margins(0.16)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})


def noise(tables: int, n_jobs: int) -> str:
    """Balanced accuracys where no feature has to do with the class: all should be at .5."""
    from tamis.data import Dataset

    rates: dict[str, list[float]] = {name: [] for name in NAMES}
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        y = np.array(["a", "b"])[rng.permutation(np.arange(60) % 2)]
        names = [f"g{j}" for j in range(1000)]
        data = Dataset(rng.normal(size=(60, 1000)), y, names, name=f"noise {seed}")
        for name, (rate, _) in studied(data, n_jobs, repeats=1).items():
            rates[name].append(rate)
    rows = [
        [name, f"{np.mean(own):.3f}", f"{np.std(own, ddof=1) / np.sqrt(len(own)):.3f}"]
        for name, own in rates.items()
    ]
    return markdown(["method", "mean balanced accuracy", "standard error"], rows)


def costs() -> str:
    """Seconds of processor time for one ranking of 100 x 22,000 values, made up."""
    from tamis.selection import EliminationSelector, FilterSelector, VotingSelector

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 22_000)), np.arange(100) % 2
    X[y == 1, :200] += 1.0
    each = {
        "moderated_t": FilterSelector(),
        "mtd": FilterSelector("mtd"),
        "svm_rfe": EliminationSelector(),
    } | {f"vote, {name}": VotingSelector(**given) for name, given in VOTES.items()}
    rows = []
    for name, one in each.items():
        one.fit(X[:, :500], y)  # compiled before the clock starts
        rows.append([name, f"{timed(lambda one=one: one.fit(X, y), 3).cpu:.2f}"])
    return markdown(["ranking", "s"], rows)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sets", nargs="+", default=SETS)
    options.add_argument("--null", type=int, default=0, help="tables of noise, and nothing else")
    options.add_argument("--n-jobs", type=int, default=2)
    options.add_argument("--picture", type=Path)
    given = options.parse_args()
    if given.null:
        print(noise(given.null, given.n_jobs))
        return
    found = {}
    for name in given.sets:
        found[name] = studied(shared_set(name), given.n_jobs)
        print(name, *(f"{one} {r:.3f}/{s:.2f}" for one, (r, s) in found[name].items()), flush=True)
    print("\nBalanced accuracy\n", table(found, 0), sep="\n")
    print("\nNogueira's stability\n", table(found, 1), sep="\n")
    print("\nVotes beside their members\n", beside_members(found), "\nCost\n", costs(), sep="\n")
    print(f"\n{versions('scikit-learn', 'numpy')}")
    if given.picture:
        draw(found, given.picture)


if __name__ == "__main__":
    main()
