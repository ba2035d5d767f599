"""Rejection beside MAPIE's conformal sets and risk control, and what it costs."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from _harness import markdown, timed
from _rejection_sets import Tally, filled_and_scaled, percent, read_set
from tamis.data import make_twonorm

SETS = ("pima", "german", "sonar", "breast_w", "golub")
LEVEL, CONFIDENCE, STEPS = 0.1, 0.9, 20
REPEATS, FOLDS = 4, 5
PROMISES, TRUTH_ROWS, APART = 300, 20_000, 1.5
OURS: dict[str, dict[str, Any]] = {
    "f_beta": {},
    "fisher": {"criterion": "fisher"},
    "coverage .8": {"criterion": "coverage", "at": 0.8},
    "conformal .1": {"criterion": "conformal", "at": LEVEL},
    "risk .1/.9": {"criterion": "risk", "at": LEVEL, "confidence": CONFIDENCE},
}
Declines = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]  # rows -> predicted, declined


def drawn(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two normal classes, `APART` standard deviations in each of two columns."""
    data = make_twonorm(n, APART, random_state=seed)
    return data.X, (data.y == "b").astype(int)


def has_mapie() -> bool:
    """Whether MAPIE can be imported, in a version with control of several classes' risks."""
    try:
        from mapie.risk_control import MultiClassificationLTTController  # noqa: F401
    except ImportError:
        return False
    return True


def linear() -> Any:
    """Logistic regression of filled and scaled columns."""
    from sklearn.linear_model import LogisticRegression

    return filled_and_scaled(LogisticRegression(max_iter=2000))


def ours(settings: dict[str, Any], X: np.ndarray, y: np.ndarray, seed: int) -> Declines:
    """A RejectingClassifier of training rows."""
    from tamis.classifiers import RejectingClassifier

    model = RejectingClassifier(linear(), random_state=seed, **settings).fit(X, y)
    return lambda rows: (model.predict_all(rows), model.predict_mask(rows))


def halves(X: np.ndarray, y: np.ndarray, seed: int):
    """A model of 70 % of the rows, and the rest for calibration."""
    from sklearn.model_selection import train_test_split

    train, rest = train_test_split(np.arange(len(y)), test_size=0.3, stratify=y, random_state=seed)
    return linear().fit(X[train], y[train]), X[rest], y[rest]


def split_sets(X: np.ndarray, y: np.ndarray, seed: int) -> Declines:
    """MAPIE's split conformal sets; declined but where a set has one class."""
    from mapie.classification import SplitConformalClassifier

    model, rows, truth = halves(X, y, seed)
    found = SplitConformalClassifier(model, 1 - LEVEL, "lac", prefit=True).conformalize(rows, truth)
    return lambda rows: by_sets(found.predict_set(rows))


def cross_sets(X: np.ndarray, y: np.ndarray, seed: int) -> Declines:
    """MAPIE's cross-conformal sets; declined but where a set has one class."""
    from mapie.classification import CrossConformalClassifier
    from sklearn.model_selection import StratifiedKFold

    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    found = CrossConformalClassifier(linear(), 1 - LEVEL, "lac", cv=folds).fit_conformalize(X, y)
    return lambda rows: by_sets(found.predict_set(rows))


def by_sets(found: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Labels, and where the set is not of one class."""
    labels, sets = found
    return labels, sets[:, :, 0].sum(axis=1) != 1


def controller(model: Any, thresholds: np.ndarray, method: str = "bonferroni_holm") -> Any:
    """MAPIE's Learn then Test: at most a share LEVEL of those decided on is wrong; of thresholds
    that hold the one that declines the fewest."""
    from mapie.risk_control import BinaryRisk, MultiClassificationLTTController, abstention_rate

    wrong = BinaryRisk(lambda y, told: told != y, lambda y, told: told == told, False)
    return MultiClassificationLTTController(
        model.predict_proba,
        [wrong],
        [LEVEL],
        CONFIDENCE,
        abstention_rate,
        thresholds,
        model.classes_,
        method,
    )


def controlled(X: np.ndarray, y: np.ndarray, seed: int) -> Declines:
    """MAPIE's risk control over 20 thresholds of the largest probability."""
    model, rows, truth = halves(X, y, seed)
    found = controller(model, np.linspace(0.5, 0.975, STEPS)).calibrate(rows, truth)

    def declines(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if found.best_predict_param is None:
            return model.predict(rows), np.ones(len(rows), dtype=bool)
        return model.predict(rows), np.isnan(found.predict(rows))

    return declines


def every_way() -> dict[str, Callable[..., Declines]]:
    """Ours, and MAPIE's if it is there."""
    ways: dict[str, Callable[..., Declines]] = {
        f"tamis, {name}": lambda X, y, seed, s=settings: ours(s, X, y, seed)
        for name, settings in OURS.items()
    }
    if has_mapie():
        ways |= {
            "MAPIE, split conformal .1": split_sets,
            "MAPIE, cross-conformal .1": cross_sets,
            "MAPIE, risk control .1/.9": controlled,
        }
    return ways


def mapie_part() -> str:
    """Real sets, whether promises hold, and whether equal questions have equal answers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # MAPIE's, of thresholds that decline everybody
        told = [f"### Five sets\n\n{real_sets()}", f"### Promises\n\n{promises()}"]
        if has_mapie():
            from importlib.metadata import version

            told.append(f"### The same question\n\n{same_answers()}")
            told.append(f"MAPIE {version('mapie')}")
        else:
            told.append("MAPIE is not installed (or older than 1.6): its rows are missing.")
    return "\n\n".join(told)


def real_sets() -> str:
    """Repeated stratified folds of every set."""
    from sklearn.model_selection import RepeatedStratifiedKFold

    rows = []
    for name in SETS:
        X, labels = read_set(name)
        y = np.unique(labels, return_inverse=True)[1]
        folds = list(
            RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=0).split(X, y)
        )
        for way, fit in every_way().items():
            found, everybody = Tally(), 0
            for fold, (train, test) in enumerate(folds):
                predicted, declined = fit(X[train], y[train], fold)(X[test])
                found += Tally.of(predicted != y[test], declined)
                everybody += bool(declined.all())
            rows.append(
                [
                    name,
                    way,
                    percent(1 - found.rejected),
                    percent(found.rejected),
                    percent(found.error),
                    percent(found.accepted_error),
                    percent(found.accepted_and_wrong),
                    everybody,
                ]
            )
    header = [
        "set",
        "way",
        "accepted %",
        "rejected %",
        "error of all %",
        "error of accepted %",
        "accepted and wrong %",
        f"folds of {len(folds)} that decline everybody",
    ]
    return markdown(header, rows)


def promises() -> str:
    """Draws of two normal classes, where the true rates are known from many new rows."""
    fresh, truth = drawn(TRUTH_ROWS, 0)
    rows = []
    for way, fit in every_way().items():
        rates = []
        for seed in range(PROMISES):
            X, y = drawn(500, 1 + seed)
            predicted, declined = fit(X, y, seed)(fresh)
            rates.append(Tally.of(predicted != truth, declined))
        risks = np.array([t.accepted_error for t in rates])
        both = np.mean([t.accepted_and_wrong for t in rates])
        rows.append(
            [
                way,
                percent(1 - np.mean([t.rejected for t in rates])),
                percent(float(np.nanmean(risks))),
                percent(np.mean(risks > LEVEL)),
                percent(both),
            ]
        )
    header = [
        "way",
        "accepted %",
        "error of accepted %",
        f"draws with that above {LEVEL:g}, %",
        "accepted and wrong %",
    ]
    return markdown(header, rows)


def same_answers() -> str:
    """One model and one calibration set a split: how many rows are told otherwise."""
    rows = []
    for name in SETS:
        X, labels = read_set(name)
        y = np.unique(labels, return_inverse=True)[1]
        total = 0
        otherwise, accepted = np.zeros(2, dtype=int), np.zeros(2, dtype=int)
        for seed in range(REPEATS * FOLDS):
            apart = np.random.default_rng(seed).permutation(len(y))
            test, rest = np.split(apart, [len(y) // 5])
            model, cal, truth = halves(X[rest], y[rest], seed)
            mine = our_masks(model, cal, truth, X[test])
            theirs = [ask(model, cal, truth, X[test]) for ask in (prefit_sets, same_thresholds)]
            total += len(test)
            otherwise += [(a != b).sum() for a, b in zip(mine, theirs, strict=True)]
            accepted += [(~a).sum() for a in mine]
        rows.append([name, total, accepted[0], otherwise[0], accepted[1], otherwise[1]])
    header = [
        "set",
        "rows asked about",
        "conformal: accepted",
        "of all rows told otherwise",
        "risk: accepted",
        "of all rows told otherwise",
    ]
    return markdown(header, rows)


def told_of(model: Any, X: np.ndarray) -> Any:
    """What the rules look at, the certainty being the largest probability."""
    from tamis._core.interfaces import RuleInput

    proba = model.predict_proba(X)
    return RuleInput(proba.max(axis=1), proba.argmax(axis=1), proba)


def our_masks(model: Any, cal: np.ndarray, truth: np.ndarray, X: np.ndarray) -> list[np.ndarray]:
    """Who is declined by our conformal rule and by our risk rule."""
    from tamis.classifiers.rejection.conformal import Conformal
    from tamis.classifiers.rejection.risk import Risk

    rules = Conformal(LEVEL), Risk(at=LEVEL, confidence=CONFIDENCE)
    return [~rule.fit(told_of(model, cal), truth).accepts(told_of(model, X)) for rule in rules]


def prefit_sets(model: Any, cal: np.ndarray, truth: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Who is declined by MAPIE's sets."""
    from mapie.classification import SplitConformalClassifier

    found = SplitConformalClassifier(model, 1 - LEVEL, "lac", prefit=True).conformalize(cal, truth)
    return by_sets(found.predict_set(X))[1]


def same_thresholds(model: Any, cal: np.ndarray, truth: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Who is declined by MAPIE's control over our 20 coverages, by Bonferroni's correction."""
    from tamis.metrics.rejection import Rejections

    told = told_of(model, cal)
    every = Rejections.of(told.certainty, told.codes != truth)
    wished = len(truth) - np.ceil(np.arange(STEPS, 0, -1) / STEPS * len(truth) - 1e-9)
    places = np.searchsorted(every.declined, wished, side="right") - 1
    thresholds = np.maximum(every.thresholds[places], 0.0)  # minus infinity declines nobody
    found = controller(model, thresholds, "bonferroni").calibrate(cal, truth)
    if found.best_predict_param is None:
        return np.ones(len(X), dtype=bool)
    return np.isnan(found.predict(X))


def cost_part() -> str:
    """CPU seconds of `fit` beside one cross-validation and one fit."""
    from sklearn.decomposition import PCA
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.svm import SVC

    from tamis.classifiers import RejectingClassifier

    pima, ctg, digits, golub = (read_set(name) for name in ("pima", "ctg", "mnist10k", "golub"))
    sure = ctg[1] != "2"
    some = slice(0, 5000)
    cases = [
        ("pima", *pima, "LogisticRegression", linear()),
        ("pima", *pima, "SVC", filled_and_scaled(SVC())),
        ("CTG, two classes", ctg[0][sure], ctg[1][sure], "SVC", filled_and_scaled(SVC())),
        ("golub", *golub, "LogisticRegression", linear()),
        (
            "MNIST 8, 5,000 rows",
            digits[0][some],
            digits[1][some] == "8",
            "PCA 50, SVC",
            filled_and_scaled(PCA(50, random_state=0), SVC()),
        ),
    ]
    rows = []
    for name, X, y, kind, estimator in cases:
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        repeats = 1 if len(y) == 5000 else 5

        def plain(X=X, y=y, estimator=estimator, folds=folds) -> None:
            cross_val_predict(estimator, X, y, cv=folds, method="decision_function")
            estimator.fit(X, y)

        base = timed(plain, repeats).cpu
        row = [name, f"{len(y):,} x {X.shape[1]:,}", kind, f"{base:.3f}"]
        for settings in ({}, {"criterion": "fisher"}, {"novelty": 0.05}):
            model = RejectingClassifier(estimator, cv=folds, **settings)
            own = timed(lambda model=model, X=X, y=y: model.fit(X, y), repeats).cpu
            row.append(f"{own:.3f} ({own / base:.2f})")
        rows.append(row)
    header = [
        "set",
        "table",
        "estimator",
        "cross_val_predict and fit",
        "f_beta",
        "fisher",
        "f_beta, novelty",
    ]
    return markdown(header, rows)
