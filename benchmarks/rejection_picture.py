"""The picture of docs/methods/rejection.md: who is declined, and how the threshold is found.

python benchmarks/rejection_picture.py docs/methods/rejection.svg
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.svm import SVC

from tamis.classifiers import RejectingClassifier
from tamis.data import make_twonorm


def main(path: Path) -> None:
    """Two overlapping normal classes, as in the source's figure 4.4."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "rejection"
    from matplotlib import pyplot as plt

    data = make_twonorm(500, 1.5, random_state=1)
    models = {
        name: RejectingClassifier(SVC(), criterion=name, random_state=0).fit(data.X, data.y)
        for name in ("f_beta", "fisher")
    }
    model = models["f_beta"]
    figure, (plane, curves) = plt.subplots(1, 2, figsize=(9.6, 4.1), layout="constrained")
    low, high = data.X.min(axis=0) - 0.3, data.X.max(axis=0) + 0.3
    x, y = (np.linspace(a, b, 160) for a, b in zip(low, high, strict=True))
    grid = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])
    certainty = model.certainty(grid).reshape(160, 160)
    plane.contourf(x, y, certainty, [-1e9, model.threshold_], colors=["#e3e3e3"])
    plane.contour(
        x,
        y,
        certainty,
        [models["fisher"].threshold_],
        colors="#777777",
        linestyles="dashed",
        linewidths=1,
    )
    for label, colour in (("a", "#0072b2"), ("b", "#d55e00")):
        own = data.X[data.y == label]
        plane.scatter(*own.T, s=7, color=colour, label=label)
    plane.set(title="declined: grey by F, dashed by Fisher", xlabel="x1", ylabel="x2")
    plane.legend(frameon=False, loc="upper left", title="class")
    found = model.rejections_
    share = 100 * found.declined / found.n
    curves.plot(share, found.f(1.0), color="#0072b2", label="F of catching errors")
    curves.plot(share, found.error, color="#000000", label="error of those decided on")
    curves.plot(share, found.declined_error, color="#009e73", label="error of those declined")
    curves.set(
        xlabel="declined of the rows held out, %",
        ylabel="share",
        ylim=(0, 1),
        title="every threshold",
    )
    tails = curves.twinx()
    least = -found.log_tails / np.log(10)
    tails.plot(share, least, color="#d55e00", label="-log10 of Fisher's tail")
    tails.set_ylabel("-log10 tail")
    for name, one in models.items():
        at = share[found.thresholds == one.threshold_][0]
        curves.axvline(at, color="#777777", lw=1, ls="-" if name == "f_beta" else "--")
    handles = [*curves.get_lines()[:3], *tails.get_lines()]
    curves.legend(handles, [one.get_label() for one in handles], frameon=False, fontsize=8)
    for axes in (plane, curves, tails):
        axes.spines["top"].set_visible(False)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
