"""What batch removal and normalisation of all samples do to cross-validation, and inside the folds.

Noise: 60 samples of 1,000 columns in two batches of 30, with classes 15:15, 24:6 and 6:24, or 29:1
and 1:29; nothing tells the class but, where batches differ, the batch. Batches are centred, or
adjusted by ComBat: before the folds with the class in the design (limma's removeBatchEffect and
sva's ComBat with `mod`), before the folds without it, and inside them; and left alone. Judged by
the balanced accuracy over all samples, by that inside batches, and by that of 300 new samples of
the same batches (the truth that cross-validation estimates). The same of bladderbatch; quantile
normalisation and RMA beforehand and inside; whole studies with the steps of these names.

    python benchmarks/batch_leaks.py [--tables 200] [--studies 40] [--n-jobs 2]
        [--parts noise formula study bladder quantile peers] [--figure FILE.svg]

bladderbatch's batches come from R's package of this name; `peers` compares the versions with the
class in the design to limma and sva.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import warnings
from pathlib import Path

from _harness import markdown, shared_set, versions  # before NumPy: sets one thread each

# isort: split
import numpy as np
from joblib import Parallel, delayed
from scipy.stats import norm
from sklearn.model_selection import StratifiedKFold

from _batch_removal import (
    cross_validated,
    fitted_and_adjusted,
    folds_with_batches,
    nearest_centroids,
    of_new_samples,
    rates,
    told,
)
from tamis.metrics import balanced_classification_rate

COLUMNS, ROWS = 1000, 30
TABLES = {
    "15:15": (15, 0.0),
    "24:6": (24, 0.0),
    "29:1": (29, 0.0),
    "24:6, batches differ": (24, 1.0),
}
WAYS = [
    (None, "inside"),
    ("center_by_batch", "before, class"),
    ("center_by_batch", "before"),
    ("center_by_batch", "inside, class"),
    ("center_by_batch", "inside"),
    ("combat", "before, class"),
    ("combat", "before"),
    ("combat", "inside"),
]
STEP_WORDS = {None: "nothing", "center_by_batch": "centred", "combat": "ComBat"}
SIZES = (None, 10)


def noise(seed: int, larger: int, spread: float, p: int = COLUMNS, copies: int = 0):
    """A table without signal, its classes and batches; and new samples with the same shares.

    `larger` of a batch's 30 rows are of the class it is richer in; `spread` is the standard
    deviation of what a batch adds to each column.
    """
    rng = np.random.default_rng([seed, larger, round(1000 * spread), p])
    y = np.repeat([0, 1, 0, 1], [larger, ROWS - larger, ROWS - larger, larger])
    batch = np.repeat([0, 1], ROWS)
    added = spread * rng.normal(size=(2, p))
    X = rng.normal(size=(2 * ROWS, p)) + added[batch]
    new_y, new_batch = np.tile(y, copies), np.tile(batch, copies)
    new = rng.normal(size=(len(new_y), p)) + added[new_batch]
    return X, y, batch, new, new_y, new_batch


def stratified(y, seed: int):
    """Five folds."""
    return list(StratifiedKFold(5, shuffle=True, random_state=seed).split(y[:, None], y))


def of_one_table(seed: int, larger: int, spread: float) -> dict:
    """(step, where, size) -> balanced accuracies: held out, inside batches, of new samples."""
    X, y, batch, new, new_y, new_batch = noise(seed, larger, spread, copies=5)
    folds, found = stratified(y, seed), {}
    for step, where in WAYS:
        for size in SIZES:
            own = cross_validated(X, y, batch, step, where, folds, size)
            later = of_new_samples(X, y, batch, step, where, new, new_batch, size)
            truth = rates(new_y, later, new_batch)[0]
            found[step, where, size] = (*rates(y, own, batch), truth)
    other = [(np.flatnonzero(batch != b), np.flatnonzero(batch == b)) for b in (0, 1)]
    for size in SIZES:
        own = cross_validated(X, y, batch, None, "inside", other, size)
        found["apart", "", size] = (*rates(y, own, batch), np.nan)
    return found


def interval(values) -> tuple[float, float]:
    """Mean, and 1.96 standard errors."""
    values = np.asarray(values, dtype=float)
    if np.isnan(values).all():
        return np.nan, np.nan
    return float(values.mean()), float(1.96 * values.std(ddof=1) / np.sqrt(len(values)))


def text_of(values) -> str:
    """``.502 +- .011``."""
    mean, half = interval(values)
    return "-" if np.isnan(mean) else f"{mean:.3f} ± {half:.3f}"


def way_words(step, where: str) -> str:
    """A row's name."""
    if step == "apart":
        return "nothing; the other batch held out"
    if step is None:
        return "nothing"
    place, _, design = where.partition(", ")
    place = "inside the folds" if place == "inside" else "before the folds"
    return f"{STEP_WORDS[step]}, {place}" + (", class in the design" if design else "")


def noise_part(tables: int, n_jobs: int) -> dict:
    """All tables of noise: (table, step, where, size) -> rates (tables, 3)."""
    every = {}
    for name, (larger, spread) in TABLES.items():
        runs = Parallel(n_jobs)(delayed(of_one_table)(s, larger, spread) for s in range(tables))
        for key in runs[0]:
            every[name, *key] = np.array([run[key] for run in runs])
    for size in SIZES:
        words = "all columns" if size is None else f"the {size} columns with the largest F"
        for k, what in enumerate(("held out", "held out, inside batches", "new samples")):
            print(f"\n{what}, {words}\n")
            rows = [
                [way_words(*way)] + [text_of(every[name, *way, size][:, k]) for name in TABLES]
                for way in (*WAYS, ("apart", ""))
            ]
            print(markdown(["batches", *TABLES], rows))
    return every


def predicted_rate(spread: float, p: int, n: int = 24, share: float = 0.6) -> float:
    """What the formula of docs/results/leaks.md says of ComBat inside the folds, of two batches
    with n training rows each whose shares of a class differ by `share`."""
    true, error = spread**2 / 2, 1 / (2 * n)
    kept = (1 / n) / (true + error + 1 / n)  # of a batch's estimated mean
    shift = 2 * share * kept * (kept * true - (1 - kept) * error) * p
    weight = (1 - share**2) * 2 / n + 4 * share**2 * kept**2 * (true + error)
    spread_of_score = np.sqrt(p * weight * (1 + kept**2 * true + (1 - kept) ** 2 * error))
    return float(0.5 + share * (norm.cdf(shift / spread_of_score) - 0.5))


def formula_part(tables: int, n_jobs: int) -> None:
    """ComBat and centring inside the folds by the size of batch effects and columns."""

    def rates_of(seed: int, spread: float, p: int) -> list[float]:
        X, y, batch, *_ = noise(seed, 24, spread, p)
        folds = stratified(y, seed)
        return [
            balanced_classification_rate(y, cross_validated(X, y, batch, step, "inside", folds))
            for step in ("combat", "center_by_batch", None)
        ]

    rows = []
    for p, spread in [(100, 0.0), *((1000, s) for s in (0.0, 0.1, 0.2, 0.5, 1.0, 2.0))]:
        runs = Parallel(n_jobs)(delayed(rates_of)(s, spread, p) for s in range(tables))
        cells = [text_of(column) for column in np.transpose(runs)]
        rows.append([p, spread, f"{predicted_rate(spread, p):.3f}", *cells])
    print("\nInside the folds, classes 24:6 and 6:24, by the spread of batch effects\n")
    head = ["columns", "spread", "ComBat, by the formula", "ComBat", "centred", "nothing"]
    print(markdown(head, rows))


def study_of(seed: int, step: str | None, permutations: int) -> tuple:
    """(rate of a study, quick path's rate, chance, p, rate of the batch alone is told)."""
    from tamis.data import Dataset
    from tamis.study import run_study

    X, y, batch, *_ = noise(seed, 24, 0.0)
    names = tuple(f"column {j}" for j in range(X.shape[1]))
    data = Dataset(
        X,
        np.array(["A", "B"])[y],
        names,
        classes=("A", "B"),
        batches=np.array(["first", "second"])[batch],
    )
    plan = {
        "seed": seed,
        "permutations": permutations,
        "final": False,
        "describe": False,
        "outer": {"folds": 5, "repeats": 1},
        "inner": {"folds": 3},
        "prepare": [step] if step else [],
        "method": [
            {"select": "all", "classify": "diagonal_discriminant", "grid": {"priors": ["equal"]}}
        ],
    }
    with tempfile.TemporaryDirectory() as folder:
        found = run_study(data, plan, folder + "/s", n_jobs=1)
    told_of = found.to_dict()
    quick = cross_validated(X, y, batch, step, "inside", stratified(y, seed))
    codes = [w["code"] for w in told_of["warnings"]]
    permuted = told_of["permutation"] or {}
    values = permuted.get("values") or [np.nan]
    return (
        found.metrics["bcr"]["mean"],
        balanced_classification_rate(y, quick),
        float(np.median(values)),
        permuted.get("p_value"),
        "batch-confounded" in codes,
    )


def study_part(studies: int, permuted: int, n_jobs: int) -> None:
    """Studies of noise with the steps, and what they say of chance."""
    rows = []
    for step in (None, "center_by_batch", "combat"):
        runs = Parallel(n_jobs)(
            delayed(study_of)(s, step, 19 if step == "combat" and s < permuted else 0)
            for s in range(studies)
        )
        rate, quick, chance, p, warned = zip(*runs, strict=True)
        own = [v for v in chance if v == v]
        rows.append(
            [
                f"`{step}`" if step else "nothing",
                text_of(rate),
                text_of(quick),
                text_of(own) if own else "-",
                ", ".join(f"{v:.2f}" for v in sorted(v for v in p if v is not None)) or "-",
                f"{sum(warned)} of {studies}",
            ]
        )
    print("\nStudies, classes 24:6 and 6:24\n")
    head = [
        "prepare",
        "study",
        "quick path",
        "chance (median of 19 permuted runs)",
        "p-values",
        "batch-confounded",
    ]
    print(markdown(head, rows))


def bladder():
    """Values, class codes and batches of bladderbatch; None without R's package."""
    from steps_inside_outside import bladder_batches

    data = shared_set("bladderbatch")
    names = bladder_batches(data)
    return None if names is None else (data.X, data.codes, np.unique(names, return_inverse=True)[1])


def permuted_inside(y, batch, seed: int) -> np.ndarray:
    """Labels exchanged inside batches."""
    rng, out = np.random.default_rng([seed, 7]), y.copy()
    for b in np.unique(batch):
        out[batch == b] = rng.permutation(y[batch == b])
    return out


def bladder_part(draws: int, n_jobs: int) -> None:
    """bladderbatch with its own labels and with labels permuted inside batches."""
    given = bladder()
    if given is None:
        return
    X, y, batch = given
    print(
        "\nbladderbatch: classes by batch\n",
        np.array(
            [[((y == c) & (batch == b)).sum() for b in np.unique(batch)] for c in np.unique(y)]
        ),
    )

    def rates_of(seed: int, permuted: bool) -> list[float]:
        own = permuted_inside(y, batch, seed) if permuted else y
        folds = folds_with_batches(own, batch, seed)
        return [rates(own, cross_validated(X, own, batch, *way, folds), batch)[0] for way in WAYS]

    true, null = (
        np.array(Parallel(n_jobs)(delayed(rates_of)(s, permuted) for s in range(n)))
        for permuted, n in ((False, 20), (True, draws))
    )
    rows = [
        [
            way_words(*way),
            f"{true[:, k].mean():.3f} ({true[:, k].min():.3f} to {true[:, k].max():.3f})",
            text_of(null[:, k]),
        ]
        for k, way in enumerate(WAYS)
    ]
    print(f"\nbladderbatch, chance .333: 20 sets of folds; {draws} permutations\n")
    print(markdown(["batches", "own labels (range)", "labels permuted inside batches"], rows))


def three_places(X, y, folds, build, before) -> list[float]:
    """Balanced accuracys: nothing done, done with all rows beforehand, fitted inside the folds."""
    predicted = np.empty((3, len(y)), dtype=y.dtype)
    table = before(X) if before else build().fit_transform(X)
    plain = X if before is None else np.log2(X).reshape(len(X), -1, PROBES).mean(axis=2)
    for train, test in folds:
        model = build().fit(X[train])
        for k, (own, held) in enumerate(
            (
                (plain[train], plain[test]),
                (table[train], table[test]),
                (model.transform(X[train]), model.transform(X[test])),
            )
        ):
            predicted[k, test] = told(nearest_centroids(own, y[train], None), held)
    return [balanced_classification_rate(y, row) for row in predicted]


PROBES = 11


def quantile_part(tables: int, n_jobs: int) -> None:
    """Quantile normalisation and RMA, of noise whose arrays differ, and of real sets."""
    from tamis.expression import RMA, rma
    from tamis.preparation import QuantileNormalizer

    def arrays(seed: int, p: int):
        X, y, batch, *_ = noise(seed, 24, 0.0, p)
        rng = np.random.default_rng([seed, 11])
        level = 0.3 * batch + rng.normal(scale=0.3, size=len(y))
        stretch = np.exp(0.2 * batch + rng.normal(scale=0.2, size=len(y)))
        return level[:, None] + stretch[:, None] * X, y, rng

    def of_quantile(seed: int) -> list[float]:
        X, y, _ = arrays(seed, COLUMNS)
        return three_places(X, y, stratified(y, seed), QuantileNormalizer, None)

    def of_rma(seed: int) -> list[float]:
        X, y, rng = arrays(seed, 200)
        logs = np.repeat(X, PROBES, axis=1) + rng.normal(size=200 * PROBES)
        logs = 8 + logs + rng.normal(scale=0.3, size=logs.shape)
        sets = np.repeat([f"set {j:03d}" for j in range(200)], PROBES)
        intensities = 2.0**logs + rng.normal(100, 10, logs.shape).clip(min=1)
        return three_places(
            intensities,
            y,
            stratified(y, seed),
            lambda: RMA(sets, n_jobs=1),
            lambda table: rma(table, sets, n_jobs=1).values,
        )

    def of_set(X, y, seed: int, permuted: bool) -> list[float]:
        own = np.random.default_rng(seed).permutation(y) if permuted else y
        return three_places(X, own, stratified(own, seed), QuantileNormalizer, None)

    rows = []

    def add(name: str, runs) -> None:
        runs = np.array(runs)
        rows.append([name, *map(text_of, runs.T), text_of(runs[:, 1] - runs[:, 2])])

    add("noise, quantile", Parallel(n_jobs)(delayed(of_quantile)(s) for s in range(tables)))
    add("noise, RMA", Parallel(n_jobs)(delayed(of_rma)(s) for s in range(tables)))
    for name in ("alon", "golub", "bladderbatch"):
        data = shared_set(name)
        for permuted, runs in ((False, 20), (True, min(tables, 50))):
            add(
                f"{name}, quantile, {'labels permuted' if permuted else 'own labels'}",
                Parallel(n_jobs)(
                    delayed(of_set)(data.X, data.codes, s, permuted) for s in range(runs)
                ),
            )
    print("\nNormalisation\n")
    head = ["table", "nothing", "before the folds", "inside the folds", "before less inside"]
    print(markdown(head, rows))


ASK = """
suppressMessages({{library(limma); library(sva)}})
X <- t(as.matrix(read.csv("{0}/X.csv", header = FALSE))); d <- read.csv("{0}/d.csv")
mod <- model.matrix(~factor(d$y))
a <- removeBatchEffect(X, batch = factor(d$batch), design = mod)
b <- suppressMessages(ComBat(X, d$batch, mod = mod))
write.table(t(a), "{0}/center_by_batch.csv", sep = ",", row.names = FALSE, col.names = FALSE)
write.table(t(b), "{0}/combat.csv", sep = ",", row.names = FALSE, col.names = FALSE)
"""


def peers_part() -> None:
    """The versions with the class in the design against R's."""
    for larger in (15, 24, 29):
        X, y, batch, *_ = noise(0, larger, 1.0, 200)
        with tempfile.TemporaryDirectory() as folder:
            np.savetxt(f"{folder}/X.csv", X, delimiter=",", fmt="%.17g")
            np.savetxt(
                f"{folder}/d.csv",
                np.column_stack([y, batch]),
                "%d",
                ",",
                header="y,batch",
                comments="",
            )
            subprocess.run(["Rscript", "-e", ASK.format(folder)], check=True, capture_output=True)
            for step in ("center_by_batch", "combat"):
                theirs = np.loadtxt(f"{folder}/{step}.csv", delimiter=",")
                ours = fitted_and_adjusted(step, X, y, batch, True)[1]
                print(
                    f"{larger}:{ROWS - larger} {step}: largest difference from R "
                    f"{np.abs(ours - theirs).max():.1e}"
                )


def draw_figure(every: dict, path: Path) -> None:
    """A panel a table: held out (with intervals) and new samples, all columns."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "tamis"
    matplotlib.rcParams["svg.fonttype"] = "none"
    matplotlib.rcParams["font.family"] = "sans-serif"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(TABLES), figsize=(10.5, 3.6), sharey=True)
    for axis, name in zip(axes, TABLES, strict=True):
        axis.axvline(0.5, color="#999999", linewidth=1, linestyle=":")
        for row, way in enumerate(WAYS):
            values = every[name, *way, None]
            mean, half = interval(values[:, 0])
            colour = "#b2182b" if way[1].startswith("before") else "#1f5fa8"
            axis.plot([mean - half, mean + half], [row, row], color=colour, linewidth=1.5)
            axis.plot(mean, row, "o", color=colour, markersize=5)
            axis.plot(values[:, 2].mean(), row, "D", color="black", markersize=8, mfc="none")
        axis.set_title(f"classes {name}", fontsize=9)
        axis.set_xlim(0, 1.03)
        axis.set_xlabel("balanced accuracy", fontsize=9)
        axis.tick_params(labelsize=8)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    axes[0].set_yticks(range(len(WAYS)))
    axes[0].set_yticklabels([way_words(*way) for way in WAYS], fontsize=8.5)
    axes[0].invert_yaxis()
    looks = (
        ("o", "#b2182b", "held out, step fitted to all samples"),
        ("o", "#1f5fa8", "held out, step fitted inside the folds"),
        ("D", "black", "new samples of these batches"),
    )
    marks = [
        plt.Line2D([], [], marker=m, color=c, mfc="none" if m == "D" else c, ls="", label=text)
        for m, c, text in looks
    ]
    figure.legend(handles=marks, loc="lower center", ncol=3, fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parts = ("noise", "formula", "study", "bladder", "quantile", "peers")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--studies", type=int, default=40)
    parser.add_argument("--permuted", type=int, default=8, help="studies with permuted runs")
    parser.add_argument("--n-jobs", type=int, default=2)
    parser.add_argument("--parts", nargs="+", choices=parts, default=list(parts))
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    if "noise" in options.parts:
        every = noise_part(options.tables, options.n_jobs)
        if options.figure:
            draw_figure(every, options.figure)
    if "formula" in options.parts:
        formula_part(options.tables, options.n_jobs)
    if "study" in options.parts:
        study_part(options.studies, options.permuted, options.n_jobs)
    if "bladder" in options.parts:
        bladder_part(options.tables, options.n_jobs)
    if "quantile" in options.parts:
        quantile_part(options.tables, options.n_jobs)
    if "peers" in options.parts:
        peers_part()
    print("\n" + versions("scikit-learn", "numba"))


if __name__ == "__main__":
    main()
