"""What a procedure says of samples it has not seen, how it is kept in a file, and judged."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

SCORES = ("bcr", "auc", "brier", "size", "S")


@dataclass(frozen=True)
class Answer:
    """Of one training set.

    Attributes
    ----------
    codes : ndarray of shape (m,)
        The classes decided on.
    order : ndarray of shape (m, C)
        What the AUC is of: probabilities or margins.
    proba : ndarray of shape (m, C) or None
        Probabilities on the natural scale, if there are any.
    features : ndarray or None
        The features in use; None: all.
    cpu : float
        Seconds for all of it.
    repeat : int
    test : ndarray of shape (m,)
        The samples.
    """

    codes: np.ndarray
    order: np.ndarray
    proba: np.ndarray | None
    features: np.ndarray | None
    cpu: float = 0.0
    repeat: int = 0
    test: np.ndarray | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain numbers; probabilities that are also the order are written once."""
        known = self.proba is not None
        same = known and np.array_equal(self.proba, self.order)
        return {
            "repeat": self.repeat,
            "test": _listed(self.test),
            "codes": _listed(self.codes),
            "proba": _listed(self.proba),
            "order": None if same else _listed(self.order),
            "features": _listed(self.features),
            "cpu": round(self.cpu, 4),
        }

    @classmethod
    def of(cls, kept: dict[str, Any]) -> Answer:
        """From what `to_dict` gave."""
        proba = None if kept["proba"] is None else np.array(kept["proba"])
        order = proba if kept["order"] is None else np.array(kept["order"])
        features, test = (
            None if kept[name] is None else np.array(kept[name], dtype=np.int64)
            for name in ("features", "test")
        )
        codes = np.array(kept["codes"], dtype=np.int64)
        return cls(codes, order, proba, features, kept["cpu"], kept["repeat"], test)


def _listed(values: np.ndarray | None) -> list | None:
    return None if values is None else values.tolist()


def timed_answer(make: Callable[[], Answer]) -> Answer:
    """An answer, and the CPU seconds it took."""
    start = time.process_time()
    found = make()
    return replace(found, cpu=time.process_time() - start)


def kept(place: Path, make: Callable[[], Any]) -> Any:
    """What a JSON file holds, made first if there is none."""
    if place.exists():
        return json.loads(place.read_text(encoding="utf-8"))
    found = make()
    write_kept(place, found)
    return found


def write_kept(place: Path, found: Any) -> None:
    """Write a JSON file that is whole or not there."""
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = place.with_suffix(".part")
    beside.write_text(json.dumps(found), encoding="utf-8")
    os.replace(beside, place)


def judged(answers: Sequence[Answer], y: np.ndarray, p: int) -> dict[str, float]:
    """Scores, size and stability; pairs of the AUC are within training sets, stability is among
    those of one repeat, and the mean is over repeats."""
    repeats = sorted({a.repeat for a in answers})
    found = [_one_repeat([a for a in answers if a.repeat == r], y, p) for r in repeats]
    mean = {name: float(np.mean([one[name] for one in found])) for name in SCORES}
    mean["cpu"] = float(sum(a.cpu for a in answers))
    return mean


def _one_repeat(answers: Sequence[Answer], y: np.ndarray, p: int) -> dict[str, float]:
    from tamis.metrics import METRICS, nogueira_stability
    from tamis.metrics.ranks import areas_of, pairs_of

    truth = np.concatenate([y[a.test] for a in answers])
    codes = np.concatenate([a.codes for a in answers])
    pairs = np.sum([pairs_of(y[a.test], a.order) for a in answers], axis=0)
    brier, S = float("nan"), float("nan")
    if all(a.proba is not None for a in answers):
        proba = np.concatenate([a.proba for a in answers])
        own = truth[:, None] == np.arange(proba.shape[1])
        brier = float(((proba - own) ** 2).sum(axis=1).mean())
    chosen = [a.features for a in answers]
    if all(features is not None for features in chosen) and len(chosen) > 1:
        S = float(nogueira_stability(chosen, p))
    return {
        "bcr": METRICS["bcr"](truth, codes, None),
        "auc": float(areas_of(pairs).mean()),
        "brier": brier,
        "size": float(np.median([p if f is None else len(f) for f in chosen])),
        "S": S,
    }
