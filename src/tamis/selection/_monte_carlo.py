"""Monte Carlo feature selection (MCFS): features that many small trees find useful."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from .._core.errors import PlanError, nearest
from .._core.interfaces import Part, Seeds
from .._core.progress import Progress
from ..data.categories import categorical_mask, is_frame, read_text
from ..data.class_codes import class_codes
from ..kernels.units import magnified_columns
from ..metrics.permuted_maxima import number_of_permutations
from ._base import RankerSelector
from ._cutoff_rules import (
    CONTRAST_SHARE,
    RULES,
    PermutedRuns,
    angle_size,
    contrast_threshold,
    kmeans_size,
)
from ._cutoffs import benjamini_hochberg
from ._halves import child_seed
from ._monte_carlo_checkpoint import Checkpoint
from ._monte_carlo_graph import build_graph, second_stage, stage_size
from ._monte_carlo_parameters import (
    balance_of,
    checked_exponent,
    coded_categories,
    features_of_projection,
    training_sizes,
    weights_of,
    whole_number,
)
from ._monte_carlo_ranking import MonteCarloRanking
from ._monte_carlo_rules import find_rules
from ._monte_carlo_runs import Convergence, Forest, Run, run_all
from ._orders import cut_order, order_of

FEATURE_FREQUENCY = 100  # projections that offer a feature, on average, by default
UPDATES = 2 * FEATURE_FREQUENCY  # of the convergence curves by default


class MonteCarloSelector(RankerSelector):
    """Rank features by their relative importance (RI) in thousands of small decision trees.

    `s` times, `m` features are drawn at random; for each draw (projection) `t` times, 66 % of
    every class train a pruned C4.5 tree and the other rows test it. A feature's RI is ::

        sum over trees wAcc^u * sum over nodes that split on it GR * (n in node / n in tree)^v

    divided by the trees that were offered it; wAcc is the mean over classes of the recall on
    the test rows, GR the gain ratio. RI depends on `m`: compare it at equal `m` only.

    By the default cut-off a feature passes if its RI exceeds the largest RI of **every one** of
    k runs with permuted classes. Without any effect, a feature is then reported with a
    probability of 1/(k + 1): 5 % for the default, 19 runs.

    Parameters
    ----------
    m : "sqrt", float or int, default="sqrt"
        Features of a projection: the rounded root of their number, at most 1000; a share of
        them; or a number.
    s : "auto" or int, default="auto"
        Projections; "auto" offers every feature 100 times on average.
    t : int, default=5
        Splits of each projection.
    u, v : float, default=1.0
    projections : {"all", "auto"}, default="all"
        "auto" ends before `s` where successive rankings level off (`convergence_`); permuted
        runs then have as many projections, and the level of the cut-off is approximate.
    cutoff : {"permutations", "kmeans", "angle", "mean", "contrast"}, default="permutations"
        What is kept if `size` is None. Only "permutations" is a test. "kmeans": the upper of
        two clusters of RI; "angle": down to where the slope of the best RI settles; "mean":
        the mean of these three sizes; "contrast": RI above that of the best 5 % of uniform
        noise columns, of which a tenth of the features are added.
    level : float, default=0.05
        Of the permutation cut-off: k = ceil(1/level) - 1 runs.
    n_permutations : int, default=None
        More runs than that: p-values on a finer scale, and a feature passes if at most
        floor(level (k + 1)) - 1 runs reach its RI. If given, there are p-values by any cut-off.
    balance : "auto", float or None, default="auto"
        Training takes no more rows of any class than `balance` times those of the smallest (1:
        equally many). None: 66 % of each; "auto": 2 if the largest class is more than 5 times
        the smallest, else None.
    feature_weights : array-like of shape (n_features,), default=None
        Relative probabilities of being drawn; 0 leaves a feature out.
    categorical_features : None, "from_dtype", mask, column numbers or names, default=None
        A split on them has a branch for each category that `fit` sees. Numbers are codes;
        in a data frame they may be text. "from_dtype": those of a data frame that are not
        numbers, and pandas categoricals.
    size : int, default=None
        Keep so many of the best instead; then there are no permuted runs unless asked for.
    interactions : bool, default=True
        Whether to build `graph_` and `rules_`.
    second_stage : int, default=30
        The graph is of so many of the best features, drawn again and again together; 0: of all
        features, from the projections of the ranking, where a pair rarely meets.
    meetings : int, default=500
        How often each pair of them meets, on average.
    max_ancestors : int, default=None
        Ancestors of a node that count as antecedents; None is all.
    random_state : int, default=None
    n_jobs : int, default=None
        Threads. Results do not depend on it, to the bit.
    progress : bool, default=False
        Tell trees done and time left on stderr when it takes more than two seconds.
    checkpoint : path, default=None
        Folder in which finished runs are kept: the same fit, killed and started again, goes on
        after the last of them and gives the same result. It needs a `random_state`.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        RI; -inf for a feature that was never offered.
    ranking_, support_ : ndarray of shape (n_features,)
    p_values_ : ndarray of shape (n_features,) or None
        (1 + #{RI of any feature in any permuted run >= the feature's}) / (1 + #{RI of any feature
        in any permuted run}): right as far as the features' RI have one distribution without
        effect. NaN for a feature that was never offered.
    family_p_values_ : ndarray of shape (n_features,) or None
        (1 + #{permuted runs whose largest RI >= the feature's}) / (1 + k): adjusted for all
        features. The cut-off keeps those of at most `level`.
    fdr_ : ndarray of shape (n_features,) or None
        `p_values_` adjusted by Benjamini and Hochberg.
    cutoff_ : dict
        ``rule``, ``threshold``, ``size``, ``level``.
    is_categorical_ : ndarray of shape (n_features,), bool
    categories_ : list of n_features ndarrays or None
        Of a column of text its categories, in the order of their codes; of all others None.
    accuracy_ : float
        Mean wAcc.
    recalls_ : ndarray of shape (n_classes,)
        Mean recall of each class of ``classes_``.
    offered_ : ndarray of shape (n_features,)
    convergence_ : list of dict
        ``projections``; ``distance``: places that the best 30 have moved since the last update,
        on average (30 if new among them); ``common``: share of them that were among them.
    graph_ : InteractionGraph or None
    rules_ : RuleSet or None
        Rules on the features of the graph, from a further small forest; and a rule list on those
        kept. None without `interactions`, or with fewer than two features.
    result_ : MonteCarloRanking
        All of this, with ``frame()``, ``to_dict()`` and ``summary()``.

    Raises
    ------
    PlanError
        A parameter out of range.
    DataError
        Fewer than two classes; a category that is not a code; text in a column that is not
        categorical.
    StoreError
        `checkpoint` holds runs of another fit, or cannot be written.

    Notes
    -----
    Trees have the rules of `tamis.classifiers.C45Classifier`, without subtree raising. C4.5 does
    not tell values nearer than 1e-5 apart; columns with such values are magnified, until only
    values nearer than 1e-11 of the column's largest are alike, so that units do not matter.
    Columns are put in a new order for every tree, so that equal features share what they are
    worth. NaN is missing.

    References
    ----------
    Draminski, Rada-Iglesias, Enroth, Wadelius, Koronacki & Komorowski (2008), Monte Carlo
    feature selection for supervised classification, Bioinformatics 24, 110-117. Draminski &
    Koronacki (2018), J. Stat. Softw. 85(12).

    Examples
    --------
    >>> from tamis.data import make_mcfs_toy
    >>> from tamis.selection import MonteCarloSelector
    >>> toy = make_mcfs_toy(n_noise=50)
    >>> selector = MonteCarloSelector(categorical_features=sorted(toy.levels), random_state=0)
    >>> selector = selector.fit(toy.X, toy.y)
    >>> [toy.feature_names[j] for j in selector.get_support(indices=True)]
    ['A1', 'A2', 'B1', 'B2', 'C1', 'C2']
    """

    def __init__(
        self,
        m: str | float = "sqrt",
        s: str | int = "auto",
        t: int = 5,
        u: float = 1.0,
        v: float = 1.0,
        projections: str = "all",
        cutoff: str = "permutations",
        level: float = 0.05,
        n_permutations: int | None = None,
        balance: str | float | None = "auto",
        feature_weights: Any = None,
        categorical_features: Any = None,
        size: int | None = None,
        interactions: bool = True,
        second_stage: int = 30,
        meetings: int = 500,
        max_ancestors: int | None = None,
        random_state: int | None = None,
        n_jobs: int | None = None,
        progress: bool = False,
        checkpoint: str | os.PathLike[str] | None = None,
    ):
        self.m = m
        self.s = s
        self.t = t
        self.u = u
        self.v = v
        self.projections = projections
        self.cutoff = cutoff
        self.level = level
        self.n_permutations = n_permutations
        self.balance = balance
        self.feature_weights = feature_weights
        self.categorical_features = categorical_features
        self.size = size
        self.interactions = interactions
        self.second_stage = second_stage
        self.meetings = meetings
        self.max_ancestors = max_ancestors
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.checkpoint = checkpoint

    def fit(self, X, y):
        """Rank the features of X and keep the best.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels, two or more classes.

        Returns
        -------
        self
        """
        frame = is_frame(X)
        if frame:
            X, mask, categories = read_text(X, self.categorical_features)
        X, y = validate_data(self, X, y, dtype=np.float64, order="C", ensure_all_finite="allow-nan")
        if not frame:
            _, mask, categories = read_text(X, self.categorical_features)
        self.is_categorical_, self.categories_ = mask, categories
        self.classes_, codes = class_codes(y, type(self).__name__)
        p = X.shape[1]
        size = None if self.size is None else min(whole_number(self.size, "size", 1), p)
        stream = self._seed()
        found = self._found(
            X, codes, mask, stream, by_cutoff=size is None, interactions=bool(self.interactions),
        )  # fmt: skip
        self._select(found.scores, order_of(found.scores, found.chosen if size is None else size))
        self.support_ &= found.scores > -np.inf  # never offered
        self.p_values_, self.fdr_ = found.p_values, found.fdr
        self.family_p_values_ = found.family_p_values
        self.cutoff_ = dict(found.cutoff)
        self.accuracy_, self.recalls_ = found.accuracy, found.recalls
        self.offered_ = found.offered
        self.convergence_, self.graph_ = list(found.convergence), found.graph
        self.result_ = replace(found, names=tuple(getattr(self, "feature_names_in_", ())))
        self.rules_ = None
        if self.interactions:
            names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(p)])
            self.rules_ = find_rules(
                X, codes, found.scores, self.support_, found.settings["train"],
                int(self.second_stage), mask, categories, names, self.classes_,
                child_seed(stream, 3),
            )  # fmt: skip
        return self

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> MonteCarloRanking:
        """Rank the columns of one training part; its categories are those of `Part.levels`, or
        of `categorical_features` where it has none.

        Without sizes, or where the part wants the method's own, the cut-off decides
        (``chosen``); else there are no permuted runs. A graph only on outer parts.
        """
        by_cutoff, graph = part.own or not len(sizes), part.outer and bool(self.interactions)
        mask = np.isin(np.arange(part.X.shape[1]), list(part.levels))
        if not part.levels:
            mask = categorical_mask(part.X, self.categorical_features)
        found = self._found(part.X, part.y, mask, stream, by_cutoff, graph)
        extra = [] if found.chosen is None else [found.chosen]
        return replace(found, path=cut_order(order_of(found.scores), [*sizes, *extra]))

    def _found(
        self, X: np.ndarray, y: np.ndarray, categorical: np.ndarray,
        stream: np.random.SeedSequence, by_cutoff: bool, interactions: bool,
    ) -> MonteCarloRanking:  # fmt: skip
        """The observed run, the permuted ones where wanted, the cut-off, the graph."""
        rule = self.cutoff
        if rule not in RULES:
            raise PlanError(f"cutoff={rule!r}: {nearest(rule, RULES)}")
        columns = X.shape[1]
        k = number_of_permutations(self.level, self.n_permutations)
        if not (by_cutoff and rule in ("permutations", "mean")) and self.n_permutations is None:
            k = 0
        contrasts = 0
        if by_cutoff and rule == "contrast":
            contrasts = math.ceil(CONTRAST_SHARE * columns)
            noise = np.random.default_rng(child_seed(stream, 2)).uniform(size=(len(X), contrasts))
            X = np.hstack([X, noise])
        stage = whole_number(self.second_stage, "second_stage", 0)
        forest, weights = self._forest(X, y, categorical, stream)
        first = self._first_run(forest, y, weights, interactions)
        meetings = whole_number(self.meetings, "meetings", 2)
        convergence = Convergence(self._step(forest), self._ends())

        able = columns if weights is None else int((weights[:columns] > 0).sum())
        _, later = stage_size(min(stage, able), stage, meetings) if interactions else (0, 0)
        trees = (first.s * (1 + k) + later) * forest.t
        with Progress(trees, "trees", quiet=not self.progress) as progress:
            (totals,) = run_all(forest, [first], progress, convergence)
            scores = totals.scores()
            permuted = PermutedRuns(scores[:columns])
            if k:
                runs = self._permuted_runs(first, totals.projections, y, k, stream)
                for null in run_all(forest, runs, progress):
                    permuted.add(null.scores()[:columns])
            cutoff = self._cut(rule, scores, columns, permuted) if by_cutoff else {}
            chosen = cutoff.get("size")
            settings = {
                "m": forest.m, "s": totals.projections, "t": forest.t, "u": forest.u,
                "v": forest.v, "max_ancestors": self.max_ancestors,
                "balance": balance_of(self.balance, np.bincount(y)), "n_permutations": k,
                "train": forest.sizes.tolist(),
            }  # fmt: skip
            p_values = permuted.p_values if k else None
            fdr = None if p_values is None else benjamini_hochberg(p_values)
            accuracy, n_trees = totals.accuracy, totals.projections * forest.t
            graph = None
            if interactions:
                grown, run = forest, None
                if stage:
                    oversampled = np.where(np.arange(forest.p) < columns, scores, -np.inf)
                    grown, run = second_stage(
                        forest, y, oversampled, stage, meetings, first.max_ancestors, weights
                    )
                selected = np.zeros(columns, dtype=bool)
                kept = chosen if self.size is None else min(int(self.size), columns)
                selected[order_of(scores[:columns], kept)] = True
                selected &= scores[:columns] > -np.inf
                names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(columns)])
                more = {}
                if run is not None:
                    more = {
                        "second_stage": stage, "second_m": grown.m, "projections": run.s,
                        "second_top": run.offer.n_top,
                    }  # fmt: skip
                    progress.total += (run.s - later) * forest.t  # fewer may have been offered
                graph = build_graph(
                    grown, run, totals, columns, progress, names=names, p_values=p_values,
                    fdr=fdr, selected=selected, cutoff=cutoff, settings={**settings, **more},
                    n_trees=n_trees, accuracy=accuracy, convergence=convergence.updates,
                )  # fmt: skip
        return MonteCarloRanking(
            scores[:columns], {}, chosen, p_values, totals.offered[:columns], accuracy,
            totals.recalls, n_trees,
            convergence.updates, cutoff, permuted.family_p_values if k else None, fdr,
            np.array(permuted.maxima), settings, (), graph,
        )  # fmt: skip

    def _forest(
        self, X: np.ndarray, y: np.ndarray, categorical: np.ndarray, stream: np.random.SeedSequence
    ) -> tuple[Forest, np.ndarray | None]:
        from ..kernels.c45 import prepare_table

        p, columns = X.shape[1], len(categorical)
        X, levels = coded_categories(X, categorical)
        X, _ = magnified_columns(X, levels)
        weights = weights_of(self.feature_weights, columns, p)
        able = p if weights is None else int((weights > 0).sum())
        counts = np.bincount(y)
        sizes = training_sizes(counts, balance_of(self.balance, counts))
        forest = Forest(
            prepare_table(X, levels), len(counts), sizes,
            min(features_of_projection(self.m, p), able),
            whole_number(self.t, "t", 1),
            checked_exponent(self.u, "u"), checked_exponent(self.v, "v"),
            int(child_seed(stream, 0).generate_state(1, np.uint64)[0]), self.n_jobs,
        )  # fmt: skip
        if self.checkpoint is not None:
            if self.random_state is None:
                raise PlanError("checkpoint needs a random_state: give a whole number")
            forest = replace(forest, checkpoint=Checkpoint(self.checkpoint, forest.table))
        return forest, weights

    def _first_run(
        self, forest: Forest, y: np.ndarray, weights: np.ndarray | None, interactions: bool
    ) -> Run:
        """The observed run; it records pairs only if there is no second stage."""
        from ..kernels.mcfs import make_offer

        if self.s == "auto":
            s = max(1, round(forest.p / forest.m * FEATURE_FREQUENCY))
        else:
            s = whole_number(self.s, "s", 1, '"auto"')
        ancestors = 0
        if self.max_ancestors is not None:
            ancestors = whole_number(self.max_ancestors, "max_ancestors", 1, "None")
        record = interactions and self.second_stage < 2
        among = np.ones(forest.p, dtype=bool) if record else None
        return Run(0, y, s, make_offer(forest.p, weights=weights), among, ancestors)

    @staticmethod
    def _permuted_runs(
        first: Run, s: int, y: np.ndarray, k: int, stream: np.random.SeedSequence
    ) -> Any:
        for number in range(1, k + 1):
            labels = np.random.default_rng(child_seed(stream, 1, number)).permutation(y)
            yield Run(number, labels, s, first.offer)

    def _cut(
        self, rule: str, scores: np.ndarray, columns: int, permuted: PermutedRuns
    ) -> dict[str, Any]:
        """The cut-off as a dictionary; its size counts features from the best on."""
        own, threshold, level = scores[:columns], None, None
        sizes = {"kmeans": lambda: kmeans_size(own), "angle": lambda: angle_size(own)}
        if rule in ("permutations", "mean"):
            threshold, level = permuted.threshold(self.level), float(self.level)
            size = int((own > threshold).sum())
            if rule == "mean":
                three = [size, sizes["kmeans"](), sizes["angle"]()]
                size, threshold, level = round(sum(three) / 3), None, None
        elif rule == "contrast":
            threshold = contrast_threshold(scores[columns:])
            size = int((own > threshold).sum())
        else:
            size = sizes[rule]()
        size = min(size, int((own > -np.inf).sum()))
        return {"rule": rule, "threshold": threshold, "size": size, "level": level}

    def _step(self, forest: Forest) -> int:
        """Projections between two updates: each feature offered about once in two."""
        return max(1, round(forest.p / forest.m * FEATURE_FREQUENCY / UPDATES))

    def _ends(self) -> bool:
        if self.projections not in ("all", "auto"):
            raise PlanError(
                f"projections={self.projections!r}: {nearest(self.projections, ('all', 'auto'))}"
            )
        return self.projections == "auto"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
