"""Simulated truths, sparse and dense: what a procedure learns of them, and what it finds.

Two equal classes and 1,500 normal columns, of unit variance inside the classes, in 150 blocks of
ten; two columns of a block have a correlation of .3. `sparse`: ten columns, each the first of a
block, differ between the classes by 1.0. `dense`: 150 columns, the first of every block, differ by
1/sqrt(15), so that the classes are as far apart. Signs are drawn. The best rule of the true columns
alone is right in .943, that of all columns, which knows their correlations, in .965. Each procedure
is fitted once on the n training samples and judged on 300 new ones, 150 of each class; all
procedures get the same draws.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from _default_answers import Answer, write_kept
from _default_rivals import RIVALS, TUNED, Part, answer_of
from _default_studies import STUDIES, mark_of, plan_of, studied
from _harness import markdown

COLUMNS, BLOCK, CORRELATION, FRESH = 1500, 10, 0.3, 300
TRUTHS = {"sparse": (10, 1.0), "dense": (150, 1 / np.sqrt(15))}  # true columns, difference
SIZES = (60, 120)
WITHIN = 0.015  # of the best of the rivals that tune themselves


def drawn(truth: str, n: int, draw: int):
    """A table of n training and then 300 new samples, their classes, and the true columns."""
    many, size = TRUTHS[truth]
    rng = np.random.default_rng([draw, n, many])
    y = np.concatenate([np.arange(n) % 2, np.arange(FRESH) % 2])
    shared = np.repeat(rng.normal(size=(len(y), COLUMNS // BLOCK)), BLOCK, axis=1)
    own = rng.normal(size=(len(y), COLUMNS))
    X = np.sqrt(CORRELATION) * shared + np.sqrt(1 - CORRELATION) * own
    true = np.arange(many) * BLOCK
    X[:, true] += size * rng.choice([-1, 1], many) * (y[:, None] - 0.5)
    return X, y, true


def answered(procedure: str, X: np.ndarray, y: np.ndarray, n: int, plan) -> Answer:
    """What a procedure fitted on the first n samples says of the others."""
    from tamis.data import Dataset

    test = np.arange(n, len(y))
    if procedure in RIVALS:
        return answer_of(procedure, Part.of(X, y, np.arange(COLUMNS), test))
    data = Dataset(
        X,
        np.array(["a", "b"])[y],
        tuple(f"g{j}" for j in range(COLUMNS)),
        name="drawn",
        split=np.where(np.arange(len(y)) < n, "train", "test"),
    )
    (found,) = studied(data, plan)["answers"]
    return Answer.of(found)


def one_draw(procedure: str, truth: str, n: int, draw: int, plan) -> dict[str, float | None]:
    """Balanced accuracy on new samples, and features found."""
    X, y, true = drawn(truth, n, draw)
    found = answered(procedure, X, y, n, plan)
    right = found.codes == y[n:]
    rate = float(np.mean([right[y[n:] == c].mean() for c in (0, 1)]))
    if found.features is None:
        return {"rate": rate, "true": None, "false": None, "cpu": found.cpu}
    hits = int(np.isin(found.features, true).sum())
    return {"rate": rate, "true": hits, "false": len(found.features) - hits, "cpu": found.cpu}


def all_draws(procedure: str, truth: str, n: int, draws: int, folder: Path) -> list[dict]:
    """Those of a procedure; what the folder has is not made again."""
    plan, name = None, procedure
    if procedure in STUDIES:
        plan = plan_of(procedure, outer={"kind": "predefined"}, permutations=0)
        name = f"{procedure}-{mark_of(plan)}"
    place = folder / "truths" / f"{truth}-{n}" / f"{name}.json"
    found = read_draws(place)
    while len(found) < draws:
        found.append(one_draw(procedure, truth, n, len(found), plan))
        write_kept(place, found)
    return found[:draws]


def read_draws(place: Path) -> list[dict]:
    """Those that are there."""
    import json

    return json.loads(place.read_text(encoding="utf-8")) if place.exists() else []


def mean_error(values) -> tuple[float, float]:
    """Mean and its standard error."""
    values = np.asarray(values, dtype=float)
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return float(values.mean()), float(error)


def report_truths(folder: Path, options) -> None:
    """Make what is missing, and print a table; whether the new default is near enough."""
    rows, verdicts = [], []
    for truth in options.truths:
        for n in options.sizes:
            found = {}
            for procedure in options.procedures or (*STUDIES, *RIVALS):
                found[procedure] = all_draws(procedure, truth, n, options.draws, folder)
                print(f"{truth}, {n}, {procedure}: done", file=sys.stderr, flush=True)
            rates = {who: np.array([one["rate"] for one in all_]) for who, all_ in found.items()}
            tuned = [who for who in TUNED if who in found]
            best = max(tuned, key=lambda who: rates[who].mean()) if tuned else None
            for who, all_ in found.items():
                rate, error = mean_error(rates[who])
                gap = ""
                if best and who != best:
                    gap = "{:+.3f} ± {:.3f}".format(*mean_error(rates[who] - rates[best]))
                counts = ["all", ""]
                if all_[0]["true"] is not None:
                    counts = [
                        f"{np.mean([one[key] for one in all_]):.1f}" for key in ("true", "false")
                    ]
                cpu = np.mean([one["cpu"] for one in all_])
                rows.append(
                    [
                        truth,
                        n,
                        who,
                        f"{rate:.3f} ± {error:.3f}",
                        gap or "best",
                        *counts,
                        f"{cpu:.2f}",
                    ]
                )
            if best and "new" in found:
                gap, error = mean_error(rates["new"] - rates[best])
                word = "met" if gap >= -WITHIN else "**not met**"
                verdicts.append([truth, n, best, f"{gap:+.3f} ± {error:.3f}", word])
    head = [
        "truth",
        "n",
        "procedure",
        "balanced accuracy",
        "less the best that tunes itself",
        "true found",
        "false found",
        "CPU s",
    ]
    print(
        f"\n{options.draws} paired draws, 300 new samples each; the rivals that tune themselves: "
        f"{', '.join(TUNED)}.\n"
    )
    print(markdown(head, rows))
    if verdicts:
        head = [
            "truth",
            "n",
            "best that tunes itself",
            "the new default less it",
            f"within {WITHIN:g}",
        ]
        print("\n" + markdown(head, verdicts))
