"""Valid models of every classifier, path method, decision, rule and step, small ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np

from common.saved import DECISIONS, KEYS, RULED, decided, ruled, saved
from tamis._core.column_ids import ColumnIds
from tamis._core.interfaces import Arrays
from tamis._core.registry import find_row, row_names
from tamis._core.rows import StepRow
from tamis.classifiers.classifier_labels import takes_raw
from tamis.classifiers.decisions.arg_max import ArgMax
from tamis.classifiers.lda import DiscriminantAnalysis
from tamis.data.dataset import Dataset
from tamis.model.model import Model
from tamis.model.named_method import NamedMethod
from tamis.model.training import Training
from tamis.preparation.chain import Chain, Link, NamedStep, created_by, fit_chain

N = 24
CLASSES = ("a", "b", "c", "d")
WHOLE = (0, 2, 4)  # of the first columns: those of whole numbers, which can be codes
NO_ARRAYS: Arrays = {}


@cache
def fixed_table() -> Dataset:
    """What every model is asked about: all columns that one may have, with gaps."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(N, 6))
    X[:, WHOLE] = rng.integers(0, 3, (N, len(WHOLE)))
    X[::5, 1] = X[1::7, 2] = np.nan
    y = np.array([CLASSES[i % 2] for i in range(N)])
    batches = np.array(["ab"[i % 2] for i in range(N)])
    names = tuple(f"g{j}" for j in range(6))
    return Dataset(X, y, names, classes=CLASSES[:2], batches=batches)


def of_predictor(key: tuple[str, int], at: int) -> Model:
    """A predictor with a decision, and in some a rule, costs, a covariate and ids of columns."""
    name, C = key
    named, fitted, _, new = saved(key)
    k = new.shape[1]
    raw = named.role == "classify" and takes_raw(named.name)
    known = {0: 3, 2: 5} if name.endswith("levels") else {}
    levels = {f"g{j}": tuple(str(v) for v in range(n)) for j, n in known.items()}
    names = tuple(f"g{j}" for j in range(k))
    q = 1 if k and at % 3 == 0 and not levels else 0
    decisions = [d for d in DECISIONS if d[1] == C]
    decided_by, decision, *_ = decided(decisions[at % len(decisions)])
    costs = rejected_by = None
    if at % 2:
        rules = [r for r in RULED if r[1] == C and r[:2] in DECISIONS]
        decided_by, rejected_by, decision, _, _, costs = ruled(rules[at % len(rules)])
    texts = {"alleles": tuple(f"A{j}" for j in range(k - q))}
    column_ids = ColumnIds("variants", texts, {"position": np.arange(k - q, dtype=float)})
    training = Training.of(new, np.arange(len(new)) % C, C, np.isin(np.arange(k), list(known)))
    medians = np.zeros(0 if raw else k)
    return Model(
        fitted,
        decision,
        names[:q],
        names[q:],
        levels,
        medians,
        CLASSES[:C],
        training,
        {"known": "proba", "blocks": [], "target": "class"},
        named,
        decided_by,
        view="raw" if raw else "filled",
        costs=costs,
        rejected_by=rejected_by,
        column_ids=column_ids if at % 4 == 0 else None,
    )


def of_step(name: str) -> Model:
    """A step, and linear discriminant analysis behind it."""
    categories = name == "level_presence"
    at = WHOLE if name in OF_CALLS or categories else (0, 1, 3)
    X = np.nan_to_num(fixed_table().X[:, at])
    y = np.arange(N) % 2
    if at != WHOLE:
        X += 3.0 * y[:, None]  # so that there is something to cut
    row = find_row(name, StepRow)
    if row.enter == "counts":
        X = np.floor(np.exp2(X + 6.0))
    if row.enter == "intensities":  # of which ranks alone are left
        X[:, 0] += 9.0 * y
    names = tuple(f"g{j}" for j in at)
    small = {"pca": 2, "random_projection": 4, "genotype_components": 2}
    given = {"n_components": small[name]} if name in small else {}
    step = NamedStep(name, given)
    levels: dict[str, tuple[str, ...]] = {}
    if name in OF_CALLS:
        fitted = row.build(given).from_arrays(OF_CALLS[name], 3)
        every = np.arange(3)
        chain = Chain((Link(step, fitted, 3, every, np.arange(len(fitted.columns))),))
        columns = fitted.columns
    else:
        if categories:
            levels = dict.fromkeys(names, ("0", "1", "2"))
            X = (X[:, :, None] == np.arange(3.0)).reshape(N, 9).astype(float)
        batch, numeric = np.arange(N) % 2, np.full(X.shape[1], not categories)
        found = fit_chain(
            [step],
            X,
            y,
            numeric,
            batch,
            created=created_by(step),
            names=[f"c{j}" for j in range(X.shape[1])],
        )
        chain, columns = found.chain, found.columns
    out = chain.transform(X, np.arange(N) % 2)
    shown = [*names, *created_by(step)]
    features = names if categories else tuple(shown[j] for j in columns)
    predictor = DiscriminantAnalysis().fit(out, y, 2, 0)
    return Model(
        predictor,
        ArgMax(),
        (),
        features,
        levels,
        np.zeros(out.shape[1]),
        CLASSES[:2],
        Training.of(X[:, :3], y, 2, np.full(3, categories)),
        {"known": "proba"},
        NamedMethod("classify", "lda", {}),
        NamedMethod("decide", "arg_max", {}),
        names,
        chain,
        ("a", "b"),
        widths=tuple(np.bincount(columns // 3)) if categories else (1,) * len(features),
    )


OF_CALLS: dict[str, Arrays] = {  # steps that do not learn from so small a matrix
    "rma": {
        "target": np.array([1.0, 2.0, 4.0]),
        "pm": np.arange(3.0),
        "background": np.zeros(1),
        "probes": np.arange(3.0),
        "starts": np.array([0.0, 2.0, 3.0]),
        "effects": np.array([0.5, -0.5, 0.0]),
    },
    "genotype_quality": {"columns": np.array([0.0, 2.0])},
    "linkage_pruning": {"columns": np.array([0.0, 1.0])},
    "genotype_components": {
        "used": np.array([0.0, 2.0]),
        "frequencies": np.array([0.3, 0.4]),
        "loadings": np.array([[0.6, 0.8], [0.8, -0.6]]),
        "outputs": np.array([0.0, 1.0]),
    },
}
MODELS: dict[str, Callable[[], Model]] = {
    **{f"{name} of {C}": partial(of_predictor, (name, C), at) for at, (name, C) in enumerate(KEYS)},
    **{f"step {name}": partial(of_step, name) for name in row_names(StepRow)},
}
