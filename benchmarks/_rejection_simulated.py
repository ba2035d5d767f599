"""Rejection where the truth is known: normal classes at distances, random labels, no overlap."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from _harness import markdown
from _rejection_sets import percent
from tamis.data import make_ringnorm, make_twonorm

ROWS, NEW_ROWS, REPEATS = 500, 1000, 50
DISTANCES = tuple(float(d) for d in np.linspace(0.5, 3.0, 11))
WAYS = tuple((c, s) for c in ("f_beta", "fisher") for s in ("margin", "posterior"))
NULL_SETS = (200, 1000)  # what is asked for, and enough to see the level


def measured(draw: Any, seed: int) -> np.ndarray:
    """Of one data set (4 ways, 4): share of the training rows declined when held out; of new rows
    those predicted wrong, those accepted, and those both."""
    from sklearn.svm import SVC

    from tamis.classifiers import RejectingClassifier

    data, new = draw(ROWS, 2 * seed), draw(NEW_ROWS, 2 * seed + 1)
    X, y, fresh, truth = data.X, data.y, new.X, new.y
    found = np.empty((len(WAYS), 4))
    for k, (criterion, score) in enumerate(WAYS):
        model = RejectingClassifier(SVC(), criterion=criterion, score=score, random_state=0)
        model.fit(X, y)
        every = model.rejections_
        declined = every.declined[every.thresholds == model.threshold_][0] / every.n
        wrong, kept = model.predict_all(fresh) != truth, ~model.predict_mask(fresh)
        found[k] = declined, wrong.sum(), kept.sum(), (wrong & kept).sum()
    return found


def twonorm_part(figure: Path | None) -> str:
    """Tables over the distances and of ringnorm, and what holds of the source's claims."""
    draws: dict[str, Any] = {
        f"{d:.2f}": lambda n, seed, d=d: make_twonorm(n, d, random_state=seed) for d in DISTANCES
    }
    draws["ringnorm"] = lambda n, seed: make_ringnorm(n, random_state=seed)
    found = {
        name: np.stack([measured(draw, 1000 * k + r) for r in range(REPEATS)])
        for k, (name, draw) in enumerate(draws.items())
    }
    ways = [f"{c}, {s}" for c, s in WAYS]
    rows = [
        [name, *(mean_and_range(values[:, k, 0]) for k in range(len(WAYS)))]
        for name, values in found.items()
    ]
    shares = markdown(["distance", *(f"{way} %" for way in ways)], rows)
    rows = []
    for name, values in found.items():
        _, wrong, accepted, both = values.sum(axis=0).T
        rows.append([name, *map(percent, (wrong[0] / (REPEATS * NEW_ROWS), *(both / accepted)))])
    errors = markdown(["distance", "error, all %", *(f"{way} %" for way in ways)], rows)
    if figure:
        draw_shares(found, figure)
    return (
        f"### Share rejected: mean of {REPEATS} data sets (2.5 to 97.5 % of them)\n\n{shares}\n\n"
        f"### Errors of {NEW_ROWS} new rows a data set: of all, and of those accepted\n\n{errors}"
        f"\n\n### Differences on the same data sets, in points\n\n{pairs(found)}\n\n{falls(found)}"
    )


def mean_and_range(values: np.ndarray) -> str:
    """In percent."""
    low, high = np.quantile(values, [0.025, 0.975])
    return f"{100 * values.mean():.1f} ({100 * low:.1f} to {100 * high:.1f})"


def pairs(found: dict[str, np.ndarray]) -> str:
    """Differences in the share rejected, with 95 % intervals of their means."""
    from scipy.stats import t

    at = {way: k for k, way in enumerate(WAYS)}
    compared = {
        "fisher - f_beta, margin": (at["fisher", "margin"], at["f_beta", "margin"]),
        "fisher - f_beta, posterior": (at["fisher", "posterior"], at["f_beta", "posterior"]),
        "posterior - margin, f_beta": (at["f_beta", "posterior"], at["f_beta", "margin"]),
        "posterior - margin, fisher": (at["fisher", "posterior"], at["fisher", "margin"]),
    }
    rows = []
    for name, values in found.items():
        row = [name]
        for one, other in compared.values():
            apart = 100 * (values[:, one, 0] - values[:, other, 0])
            half = t.ppf(0.975, len(apart) - 1) * apart.std(ddof=1) / np.sqrt(len(apart))
            row.append(f"{apart.mean():.1f} ± {half:.1f}")
        rows.append(row)
    return markdown(["distance", *compared], rows)


def falls(found: dict[str, np.ndarray]) -> str:
    """Whether the mean share falls with the distance, and where no threshold was set."""
    twonorm = np.stack([v for name, v in found.items() if name != "ringnorm"])  # (11, 50, 4, 4)
    rows = []
    for k, (criterion, score) in enumerate(WAYS):
        shares = twonorm[:, :, k, 0]
        up = np.flatnonzero(np.diff(shares.mean(axis=1)) > 0)
        rises = [f"{DISTANCES[i]:.2f} to {DISTANCES[i + 1]:.2f}" for i in up]
        none = [
            f"{n} at {d:.2f}"
            for n, d in zip((shares == 0).sum(axis=1), DISTANCES, strict=True)
            if n
        ]
        rows.append(
            [f"{criterion}, {score}", ", ".join(rises) or "nowhere", ", ".join(none) or "none"]
        )
    header = ["", "the mean rises from", f"of {REPEATS} data sets, without a threshold"]
    return markdown(header, rows)


def draw_shares(found: dict[str, np.ndarray], path: Path) -> None:
    """A panel a criterion: means and bands over the distances, ringnorm beside them."""
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "tamis", "svg.fonttype": "none", "font.size": 9})
    figure, panels = plt.subplots(1, 2, figsize=(8.4, 3.6), sharey=True, layout="constrained")
    colours = {"margin": "#1f5f99", "posterior": "#d1662a"}
    for panel, criterion, title in zip(
        panels, ("f_beta", "fisher"), ("largest F1", "Fisher's exact test"), strict=True
    ):
        for shift, score in ((-0.03, "margin"), (0.03, "posterior")):
            k = WAYS.index((criterion, score))
            shares = 100 * np.stack([values[:, k, 0] for values in found.values()])
            low, high = np.quantile(shares, [0.025, 0.975], axis=1)
            mean, at = shares.mean(axis=1), np.array([*DISTANCES, 3.6])
            panel.fill_between(at[:-1], low[:-1], high[:-1], color=colours[score], alpha=0.13, lw=0)
            panel.plot(at[:-1], mean[:-1], "o-", ms=3.5, lw=1.4, color=colours[score], label=score)
            panel.plot(at[-1:] + 2 * shift, mean[-1:], "s", ms=4.5, color=colours[score])
            panel.vlines(at[-1] + 2 * shift, low[-1], high[-1], color=colours[score], lw=1.2)
        panel.axvline(3.3, color="#bbbbbb", lw=0.8)
        panel.set_xticks([0.5, 1, 1.5, 2, 2.5, 3, 3.6])
        panel.set_xticklabels(["0.5", "1", "1.5", "2", "2.5", "3", "ringnorm"])
        panel.set(title=title, xlabel="distance between the means in each column, sd")
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("rows rejected, %")
    panels[0].set_ylim(0, None)
    panels[1].legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


def null_threshold(estimator: Any, n: int, share: float, seed: int, folds: int = 5) -> bool:
    """Whether a threshold is set of n rows of five columns that know nothing of the labels, a share
    of them 1, held out in folds or, with one, half of them once."""
    from sklearn.model_selection import StratifiedShuffleSplit

    from tamis.classifiers import RejectingClassifier

    rng = np.random.default_rng([n, seed])
    X, y = rng.normal(size=(n, 5)), (rng.permutation(n) < share * n).astype(int)
    once = StratifiedShuffleSplit(1, test_size=0.5, random_state=seed)
    cv = folds if folds > 1 else once
    model = RejectingClassifier(estimator, cv=cv, random_state=seed)
    return bool(model.fit(X, y).threshold_ > -np.inf)


def random_part() -> str:
    """How often a threshold is set where nothing is to be found."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    from tamis.classifiers import RejectingClassifier

    few, many = NULL_SETS
    rows = []
    for kind, estimator in (("LogisticRegression", LogisticRegression()), ("SVC", SVC())):
        for share, n in product((0.5, 0.3), (60, 200)):
            row = [kind, f"{share:.0%}", n]
            for folds, sets in ((5, few), (5, many), (1, many)):
                told = [null_threshold(estimator, n, share, k, folds) for k in range(sets)]
                row.append(f"{sum(told)} ({percent(sum(told) / sets)})")
            rows.append(row)
    counted = [
        f"of {few} (%)",
        f"of {many:,} (%)",
        f"half of the rows held out once, of {many:,} (%)",
    ]
    labels = markdown(["classifier", "rarer class", "rows", *counted], rows)
    rows = []
    for kind, estimator in (("LogisticRegression", LogisticRegression()), ("SVC", SVC())):
        for criterion in ("f_beta", "fisher"):
            thresholds = declined = 0
            for seed in range(REPEATS):
                data = make_twonorm(200, 20.0, random_state=2 * seed)
                new = make_twonorm(NEW_ROWS, 20.0, random_state=2 * seed + 1)
                model = RejectingClassifier(estimator, criterion=criterion, random_state=seed)
                thresholds += model.fit(data.X, data.y).threshold_ > -np.inf
                declined += int(model.predict_mask(new.X).sum())
            rows.append(
                [
                    kind,
                    criterion,
                    f"{thresholds} of {REPEATS}",
                    f"{declined} of {REPEATS * NEW_ROWS:,}",
                ]
            )
    apart = markdown(["classifier", "criterion", "thresholds set", "new rows declined"], rows)
    return (
        f"### Labels at random: data sets in which a threshold is set\n\n{labels}\n\n"
        f"### Classes 20 standard deviations apart\n\n{apart}"
    )
