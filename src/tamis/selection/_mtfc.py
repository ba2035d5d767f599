"""mtfc: a moderated-t gate, then fold change; the winner of the Improver challenge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .._core.interfaces import Part, Ranking, Seeds
from ..kernels.lda_path import lda_path
from ..metrics import METRICS
from ._base import RankerSelector
from ._fold_change import fold_change_score
from ._moderated import moderated_p_values
from ._moments import ClassMoments, class_moments
from ._orders import cut_order, order_of
from ._parts import TrainingParts

CANDIDATE_SIZES = range(2, 21)
N_FOLDS = 5


def mtfc_scores(m: ClassMoments, gate: float) -> np.ndarray:
    """Fold change of the features with moderated p below `gate`; the rest follow by p.

    At least the best two by p always pass. Features that fail score ``-p``, below every
    fold change.
    """
    p = moderated_p_values(m)
    passed = p < gate
    if passed.sum() < 2:
        passed[order_of(-p, 2)] = True
    return np.where(passed, fold_change_score(m), -p)


class ModeratedFoldChangeSelector(RankerSelector):
    """Keep features with moderated p below a gate, sorted by absolute fold change.

    With ``size=None`` the number of features is the N of 2..20 with the best
    ``mean(AUC) / (sd(AUC) + 0.01)`` of linear discriminant analysis with equal priors over
    5 folds of the training data, ties to the smaller N (Tarca et al. 2013, Bioinformatics
    29:2892). N never exceeds the number of features that pass the gate.

    Parameters
    ----------
    size : int or None, default=None
    gate : float, default=0.005
        Features need a moderated p-value below this; the best two always pass.
    random_state : int, default=None
        Shuffles the folds that choose N.

    Attributes
    ----------
    scores_, ranking_, support_ : ndarray of shape (n_features,)

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection import ModeratedFoldChangeSelector
    >>> golub = load_golub()
    >>> int(ModeratedFoldChangeSelector(size=5).fit(golub.X, golub.y).support_.sum())
    5
    """

    by_parts, walks = True, True

    def __init__(
        self, size: int | None = None, gate: float = 0.005, random_state: int | None = None
    ):
        self.size = size
        self.gate = gate
        self.random_state = random_state

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        """Rank one training set and choose N by cross-validation inside it."""
        X, y = part.X, part.y
        ranking = self._cut(class_moments(X, y), sizes)
        if self.size is None:
            most = min(max(2, int((ranking.scores >= 0).sum())), X.shape[1])
            sizes = [k for k in CANDIDATE_SIZES if k <= most] or [1]
            ranking = replace(ranking, chosen=self._choose(X, y, sizes, stream))
        return ranking

    def rank_parts(
        self,
        parts: TrainingParts,
        sizes: Sequence[int],
        streams: Sequence[np.random.SeedSequence],
    ) -> list[Ranking]:
        """Rank every training set. N is left to the caller's inner folds (plan: ``tune``)."""
        return [self._cut(m, sizes) for m in parts.moments]

    def _choose(
        self, X: np.ndarray, y: np.ndarray, sizes: list[int], stream: np.random.SeedSequence
    ) -> int:
        """The N with the best mean(AUC) / (sd(AUC) + 0.01) over folds, ties to the smaller."""
        from sklearn.model_selection import StratifiedKFold

        folds = min(N_FOLDS, int(np.bincount(y).min()))
        if folds < 2:
            return sizes[0]
        n_classes = int(y.max()) + 1
        priors = np.full(n_classes, 1 / n_classes)
        seed = int(stream.generate_state(1)[0])
        splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
        areas = np.full((folds, len(sizes)), np.nan)
        for fold, (train, test) in enumerate(splitter.split(X, y)):
            m = class_moments(X[train], y[train])
            order = order_of(mtfc_scores(m, self.gate), sizes[-1])
            proba, sound = lda_path(
                X[np.ix_(train, order)], y[train], X[np.ix_(test, order)], sizes, priors
            )
            for k in range(sound):
                areas[fold, k] = METRICS["auc"](y[test], proba[k].argmax(axis=1), proba[k])
        sound_in_all = ~np.isnan(areas).any(axis=0)
        ratio = np.where(sound_in_all, areas.mean(axis=0) / (areas.std(axis=0, ddof=1) + 0.01), -1)
        return sizes[int(np.round(ratio, 12).argmax())]

    def _cut(self, m: ClassMoments, sizes: Sequence[int]) -> Ranking:
        scores = mtfc_scores(m, self.gate)
        passed = max(2, int((scores >= 0).sum()))
        most = min(max(sizes, default=0), passed)
        return Ranking(scores, cut_order(order_of(scores, most), sizes))
