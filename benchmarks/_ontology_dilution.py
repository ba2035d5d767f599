"""Figures 3.2 and 3.3 of Shahri (2015): useless similarities beside good ones.

All pairs of classes of two ontologies are rows; 0 to 5 columns of uniform random numbers are added.
Ten stratified folds, of pairs (as in the source) or of source classes (no class in two folds).
Area under the precision-recall curve (average precision), and precision and recall at probability
1/2, of each pair of ontologies; means over these, with intervals by a bootstrap of them.
"""

from __future__ import annotations

import numpy as np

from _harness import markdown
from _ontology_sets import (
    REAL,
    bibliography,
    bibliography_reference,
    conference,
    conference_references,
    folder,
)
from tamis._core.registry import find_row
from tamis._core.rows import SimilarityRow
from tamis.ontology.learners import learner_of
from tamis.ontology.pairs import Pairs, Side
from tamis.ontology.similarities.rows import DEFAULT_SIMILARITIES

SOURCE = ("name", "path", "instances")
LEARNERS = ("aode", "logistic", "c45")
ADDED = range(6)
FOLDS = 10
DRAWS = 2000
METRICS = ("AUPRC", "precision", "recall")


def sets() -> dict[str, tuple]:
    """Two ontologies and their reference, by name; those with ten matches or more."""
    o, found = conference(), {}
    for (a, b), reference in conference_references().items():
        found[f"{a}-{b}"] = o[a], o[b], reference
    for n in REAL:
        found[f"101-{n}"] = bibliography("101"), bibliography(n), bibliography_reference(n)
    table = (folder() / "derived/303-304.tsv").read_text().splitlines()
    rows = [dict(zip(table[0].split("\t"), line.split("\t"), strict=False)) for line in table[1:]]
    a, b = bibliography("303"), bibliography("304")
    same = {(r["source_303"], r["target_304"]) for r in rows if r["kind"] == "class"}
    found["303-304"] = a, b, frozenset(p for p in same if p[0] in a and p[1] in b)
    return {name: one for name, one in found.items() if len(one[2]) >= FOLDS}


def similarities(source, target, reference, names) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Similarities of all pairs, whether they match, and the source class of each."""
    a, b = (k.ravel() for k in np.indices((len(source), len(target))))
    pairs = Pairs(Side(source), Side(target), np.column_stack([a, b]).astype(np.int32))
    X = np.column_stack([find_row(name, SimilarityRow).load()(pairs) for name in names])
    matches = {(source.position[x], target.position[y]) for x, y in reference}
    y = np.array([pair in matches for pair in zip(a.tolist(), b.tolist(), strict=True)])
    return X, y, a


def held_out(X: np.ndarray, y: np.ndarray, group: np.ndarray | None, learner: str, seed: int):
    """Probability of each pair by a model of the other folds."""
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    kind = StratifiedKFold if group is None else StratifiedGroupKFold
    folds = kind(FOLDS, shuffle=True, random_state=seed)
    found = np.zeros(len(y))
    for train, test in folds.split(X, y, group):
        if y[train].any():
            model = learner_of(learner).fit(X[train], y[train])
            found[test] = model.predict_proba(X[test])[:, 1]
    return found


def scores(y: np.ndarray, p: np.ndarray) -> list[float]:
    """AUPRC, and precision and recall where a match is what is likelier than not."""
    from sklearn.metrics import average_precision_score

    said = p >= 0.5
    hits = np.count_nonzero(said & y)
    return [average_precision_score(y, p), hits / max(said.sum(), 1), hits / y.sum()]


def dilution(seeds: int) -> None:
    """The tables, and who is best how often."""
    for names, grouped in ((SOURCE, False), (SOURCE, True), (DEFAULT_SIMILARITIES[:-1], True)):
        kept = {}  # (learner, added) -> (sets, metrics)
        for name, (a, b, reference) in sets().items():
            X, y, group = similarities(a, b, reference, names)
            X = X[:, ~np.isnan(X).all(axis=0)]
            for learner in LEARNERS:
                for n in ADDED:
                    one = []
                    for seed in range(seeds):
                        rng = np.random.default_rng([seed, n])
                        Z = np.column_stack([X, rng.random((len(X), n), dtype=np.float32)])
                        p = held_out(Z, y, group if grouped else None, learner, seed)
                        one.append(scores(y, p))
                    kept.setdefault((learner, n), []).append(np.mean(one, axis=0))
            print(
                name,
                {k: np.round(v[-1], 3).tolist() for k, v in kept.items() if k[1] in (0, 5)},
                flush=True,
            )
        tell(
            kept,
            f"{'source three' if names == SOURCE else 'ours'}, folds of "
            f"{'source classes' if grouped else 'pairs'}",
        )


def tell(kept: dict, title: str) -> None:
    """Means with bootstrap intervals; differences of AODE from the best other."""
    values = {key: np.array(v) for key, v in kept.items()}
    m = len(next(iter(values.values())))
    draws = np.random.default_rng(0).integers(0, m, (DRAWS, m))

    def told(x: np.ndarray, sign: str = "") -> str:
        low, high = np.quantile(x[draws].mean(axis=1), [0.025, 0.975])
        return f"{x.mean():{sign}.3f} ({low:{sign}.3f} to {high:{sign}.3f})"

    print(f"\n{title}: {m} pairs of ontologies")
    for k, metric in enumerate(METRICS):
        rows = [
            [
                n,
                *(told(values[learner, n][:, k]) for learner in LEARNERS),
                *(
                    told(values["aode", n][:, k] - values[other, n][:, k], "+")
                    for other in LEARNERS[1:]
                ),
            ]
            for n in ADDED
        ]
        head = (f"{metric}: added", *LEARNERS, "aode - logistic", "aode - c45")
        print(markdown(head, rows), flush=True)
