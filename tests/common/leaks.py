"""Made-up tables, honest ones and ones with a leak (`benchmarks/leak_detection.py` counts more)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tamis.data import Dataset

Columns = dict[str, np.ndarray]  # what is added to a table, by name


def base_table(kind: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Measurements (n, p) and two classes (n,): without signal, with much of it, or few columns."""
    n, p = {"noise": (120, 300), "signal": (160, 2000), "clinic": (150, 12)}[kind]
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, p)) + 0.5 * rng.normal(size=(n, 1))
    if kind == "signal":
        X[:, :60] += rng.uniform(0.5, 2.0, 60) * y[:, None]
    if kind == "clinic":
        X[:, :4] += np.array([0.3, 0.5, 0.8, 1.2]) * y[:, None]
        X[:, 6:9] = X[:, 6:9] > 0.3
    return X, y


def censored_time(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """Who dies is followed for less long."""
    death, end = rng.exponential(3.0, len(y)), rng.uniform(2.0, 8.0, len(y))
    return {"time": np.where(y == 1, np.minimum(death, end), end)}


def overall_months(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """The same in months, as cBioPortal calls it."""
    return {"OS_MONTHS": 12 * censored_time(y, rng)["time"]}


def days_to_death(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """Missing for the living, as in TCGA."""
    return {"days_to_death": np.where(y == 1, rng.exponential(900, len(y)).round(), np.nan)}


def near_copy(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """The class with a little noise."""
    return {"score": y + rng.normal(0, 0.15, len(y))}


def flipped_copy(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """The class of a second reader, who agrees in 99 of 100."""
    return {"second_reading": np.where(rng.random(len(y)) < 0.01, 1 - y, y)}


def coded_copy(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """Finer codes, of which each belongs to one class, in no order."""
    return {"icd": np.where(y == 1, rng.choice([1, 4, 5], len(y)), rng.choice([2, 3, 6], len(y)))}


def two_copies(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """The class twice, once the other way round."""
    return {"status_code": y, "healthy": 1 - y}


def stand_in(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """-9 for what was not asked in one class."""
    return {"smoking": np.where(y == 1, rng.integers(0, 40, len(y)), -9)}


def some_stand_in(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """999 in a third of one class."""
    lost = (y == 1) & (rng.random(len(y)) < 0.35)
    return {"bmi": np.where(lost, 999, rng.normal(26, 4, len(y)))}


def filled_in(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """-1 in a third of one class, where nothing else is below 50."""
    lost = (y == 0) & (rng.random(len(y)) < 0.35)
    return {"pulse": np.where(lost, -1, rng.uniform(50, 100, len(y)).round())}


def not_measured(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """A measurement that half of one class did not get."""
    lost = (y == 0) & (rng.random(len(y)) < 0.5)
    return {"biopsy_depth": np.where(lost, np.nan, rng.normal(size=len(y)))}


def difference(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """Two measurements of which the greater tells the class."""
    before = rng.normal(70, 10, len(y))
    return {"before": before, "after": before + np.where(y == 1, 1, -1) * rng.uniform(2, 8, len(y))}


def exclusive_or(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """Two codes that are equal in one class alone."""
    arm = rng.integers(0, 2, len(y))
    return {"arm": arm, "arm_given": arm ^ y}


def plates(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """Cases on three plates, controls on three others, but for one in ten."""
    moved = np.where(rng.random(len(y)) < 0.1, 1 - y, y)
    return {"plate": 3 * moved + rng.integers(0, 3, len(y))}


def runs(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """Numbers of runs, in which the classes take turns of about fifteen samples."""
    turn = np.empty(len(y))
    for c in (0, 1):
        of_class = rng.permutation(np.flatnonzero(y == c))
        turn[of_class] = 2 * (np.arange(len(of_class)) // 15) + c
    return {"run_no": np.argsort(np.argsort(turn + rng.uniform(0, 0.5, len(y))))}


def dates(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """Days since the first sample; controls came later."""
    return {"scan_day": rng.integers(0, 200, len(y)) + 150 * y}


def row_number(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """A number a row, in a table that is sorted by class."""
    place = np.empty(len(y))
    place[np.argsort(y, kind="stable")] = np.arange(len(y))
    return {"Unnamed": place}


def risk_score(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """What a model says that was fitted to these samples."""
    return {"risk_score": 1 / (1 + np.exp(-6 * (y - 0.5) - rng.normal(0, 1.0, len(y))))}


def class_mean(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """The mean of the class for each centre, out of a step that encoded a category."""
    centre = rng.integers(0, 40, len(y)) + 100 * y
    means = {c: y[centre == c].mean() + rng.normal(0, 0.01) for c in set(centre.tolist())}
    return {"centre_encoded": np.array([means[c] for c in centre.tolist()])}


def treatment(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """A drug that cases get and two in a hundred of the others."""
    return {"tamoxifen": np.where(y == 1, rng.random(len(y)) > 0.01, rng.random(len(y)) < 0.02)}


def last_contact(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """The year in which somebody was last seen."""
    return {"last_contact_year": 2012 - 3 * y + rng.integers(0, 6, len(y))}


def vital_status(y: np.ndarray, rng: np.random.Generator) -> Columns:
    """Dead or alive at the end, beside a class that foretells it."""
    return {"vital_status": np.where(rng.random(len(y)) < 0.8, y, rng.integers(0, 2, len(y)))}


LEAKS: tuple[Callable[[np.ndarray, np.random.Generator], Columns], ...] = (
    censored_time,
    overall_months,
    days_to_death,
    near_copy,
    flipped_copy,
    coded_copy,
    two_copies,
    stand_in,
    some_stand_in,
    filled_in,
    not_measured,
    difference,
    exclusive_or,
    plates,
    runs,
    dates,
    row_number,
    risk_score,
    class_mean,
    treatment,
    last_contact,
    vital_status,
)


def class_filled(X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One value in ten missing, and filled in with the mean of its class."""
    X = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    for c in (0, 1):
        X[y == c] = np.where(np.isnan(X[y == c]), np.nanmean(X[y == c], axis=0), X[y == c])
    return X


def class_centred(X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Values standardised within each class."""
    for c in (0, 1):
        X[y == c] = (X[y == c] - X[y == c].mean(axis=0)) / X[y == c].std(axis=0)
    return X


def preselected(X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Of ten times as many columns, those whose class means differ most."""
    wide = np.hstack([X, rng.normal(size=(len(X), 9 * X.shape[1]))])
    gap = np.abs(wide[y == 1].mean(axis=0) - wide[y == 0].mean(axis=0)) / wide.std(axis=0)
    return wide[:, np.sort(np.argsort(-gap)[: X.shape[1]])]


def gaps(X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A panel of a tenth of the columns that most of one class did not get, and few of the other;
    and some values missing anywhere."""
    without = rng.random(len(y)) < np.where(y == 1, 0.6, 0.1)
    panel = rng.choice(X.shape[1], X.shape[1] // 10, replace=False)
    X[np.ix_(without, panel)] = np.nan
    X[rng.random(X.shape) < 0.01] = np.nan
    return X


# What is wrong with a table as it was made, by the kind of what is told.
TABLE_LEAKS: dict[str, Callable[[np.ndarray, np.ndarray, np.random.Generator], np.ndarray]] = {
    "class-filled": class_filled,
    "class-centred": class_centred,
    "preselected": preselected,
    "gaps": gaps,
}


def prepared_table(kind: str, base: str, seed: int) -> Dataset:
    """A table that was made with the classes."""
    rng = np.random.default_rng([seed, 4403])
    X, y = base_table(base, rng)
    X = TABLE_LEAKS[kind](X, y, rng)
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    return Dataset(X, np.array(["control", "patient"])[y], names, target="arm")


def lone_marker(seed: int) -> Dataset:
    """One column of four standard deviations, and noise."""
    rng = np.random.default_rng([seed, 4404])
    X, y = base_table("noise", rng)
    X[:, 7] += 4 * y
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    return Dataset(X, np.array(["control", "patient"])[y], names, target="arm")


def code_among_gamma(seed: int) -> Dataset:
    """-9 for four in five of one class, in one of 200 columns of skewed values."""
    rng = np.random.default_rng([seed, 4405])
    y = rng.integers(0, 2, 120)
    X = rng.gamma(2.0, 3.0, size=(120, 200))
    X[(y == 1) & (rng.random(120) < 0.8), 7] = -9
    names = tuple(f"x{j}" for j in range(200))
    return Dataset(X, np.array(["control", "patient"])[y], names, target="arm")


def leaky_table(
    leak: Callable[[np.ndarray, np.random.Generator], Columns], kind: str, seed: int
) -> tuple[Dataset, set[str]]:
    """A table with a leak, and the names of its columns."""
    rng = np.random.default_rng([seed, 4401])
    X, y = base_table(kind, rng)
    added = leak(y, rng)
    order = np.argsort(y, kind="stable") if leak is row_number else np.arange(len(y))
    names = (*(f"x{j}" for j in range(X.shape[1])), *added)
    event = leak in (censored_time, overall_months)
    words = np.array(["alive", "dead"]) if event else np.array(["control", "patient"])
    table = np.column_stack([X, *(np.asarray(v, dtype=float) for v in added.values())])
    return Dataset(table[order], words[y[order]], names, target="status"), set(added)


def honest_table(seed: int) -> tuple[Dataset, str]:
    """A table without a leak, and what it is like: sizes, signal, gaps, floors, codes, plates."""
    rng = np.random.default_rng([seed, 4402])
    n = int(rng.choice([40, 80, 160, 400]))
    p = int(rng.choice([8, 30, 400, 4000]))
    classes = int(rng.choice([2, 2, 2, 3, 4]))
    shares = rng.dirichlet(np.full(classes, 8.0))
    y = np.sort(rng.choice(classes, n, p=shares)) if seed % 2 else rng.choice(classes, n, p=shares)
    y[: 3 * classes] = np.repeat(np.arange(classes), 3)
    k = min(int(rng.choice([0, 1, 2, 5, 40])), p)
    strength = float(rng.choice([0.5, 1.0, 2.0, 3.0]))
    blocks = rng.normal(size=(n, p // 10 + 1))[:, rng.integers(0, p // 10 + 1, p)]
    tail = rng.standard_t(4, size=(n, p)) if rng.random() < 0.3 else rng.normal(size=(n, p))
    X = np.sqrt(0.5) * blocks + np.sqrt(0.5) * tail
    effects = rng.normal(0, 1, (classes, k)) if classes > 2 else np.array([[-0.5], [0.5]])
    X[:, :k] += strength * rng.uniform(0.5, 1, k) * effects[y]
    what = rng.choice(["plain", "gaps", "floor", "codes", "genotypes"])
    if what == "gaps":
        X[rng.random(X.shape) < rng.choice([0.02, 0.3])] = np.nan
    if what == "floor":  # what is low is not detected, whatever the class
        X = np.maximum(X, np.quantile(X, 0.3))
    if what == "codes":
        X = np.digitize(X, [-0.7, 0.7]).astype(float)
    if what == "genotypes":
        X = np.digitize(X, [0.3, 1.3]).astype(float)
    beside = {
        "age": rng.normal(60, 10, n).round() + 3 * y,
        "sex": rng.integers(0, 2, n),
        "plate": rng.permutation(n) % 6,
        "run": rng.permutation(n),
        "stage": np.clip(rng.integers(1, 5, n) + (y > 0) * rng.integers(0, 2, n), 1, 4),
    }
    names = (*(f"x{j}" for j in range(p)), *beside)
    table = np.column_stack([X, *beside.values()])
    labels = np.array([f"class {c}" for c in y])
    told = f"{n} x {p}, {classes} classes, {k} columns of strength {strength:g}, {what}"
    return Dataset(table, labels, names), told
