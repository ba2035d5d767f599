"""A similarity that learns, as it will be for pairs that did not teach it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .examples import Examples, Similarity


class OutOfFold:
    """Values of labelled pairs by what other folds teach.

    The value of a pair of fold j is that of a similarity fitted without fold j, so that a
    classifier sees it as it will be for new pairs. Where fold k is held out, what the classifier
    learns from must not have seen the labels of k either: values of pairs of fold j are without j
    and k.

    Parameters
    ----------
    kind : class
        With ``fit(known)``; its instances are functions of `Pairs`.
    examples : sequence of Examples
    folds : sequence of ndarray of int
        The fold of each labelled pair of each of the examples.
    """

    def __init__(
        self, kind: Any, examples: Sequence[Examples], folds: Sequence[np.ndarray]
    ) -> None:
        self.kind = kind
        self.flat = np.concatenate(folds)
        self.parts = {
            fold: [
                (one.pairs.subset(at), one.label[at] == 1)
                for one, of in zip(examples, folds, strict=True)
                if len(at := np.flatnonzero(one.label >= 0)[of == fold])
            ]
            for fold in np.unique(self.flat).tolist()
        }
        self._fitted: dict[frozenset[int], Similarity] = {}

    def fitted(self, without: frozenset[int]) -> Similarity:
        """Fitted to the labels of all folds but these."""
        if without not in self._fitted:
            known = [part for fold, of in self.parts.items() if fold not in without for part in of]
            self._fitted[without] = self.kind().fit(known)
        return self._fitted[without]

    def column(self, held: int | None = None) -> np.ndarray:
        """A value for each labelled pair, (n,); of fold `held` no label was seen."""
        found = np.empty(len(self.flat), dtype=np.float32)
        for fold, parts in self.parts.items():
            function = self.fitted(frozenset({fold} if held is None else {fold, held}))
            found[self.flat == fold] = np.concatenate([function(pairs) for pairs, _ in parts])
        return found
