"""Monte Carlo feature selection (MCFS): features that many small trees find useful; no
scikit-learn, which a search does not load."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._core.errors import PlanError, nearest_hint
from .._core.interfaces import Part, Ranker, Seeds
from .._core.progress import Progress
from ..data.categories import categorical_mask
from ..interactions.rules.rule_set import RuleSet
from ..kernels.units import magnified_columns
from ..metrics.permuted_maxima import number_of_permutations
from ._cutoff_rules import (
    CONTRAST_SHARE,
    CUTOFF_RULES,
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
    checked_integer,
    coded_categories,
    features_of_projection,
    training_sizes,
    weights_of,
)
from ._monte_carlo_ranking import Cutoff, Growth, MonteCarloRanking
from ._monte_carlo_rules import find_rules
from ._monte_carlo_runs import Convergence, Forest, Run, run_all
from ._orders import cut_order, order_of

FEATURE_FREQUENCY = 100  # projections that offer a feature, on average, by default
DEFAULT_UPDATES = 2 * FEATURE_FREQUENCY  # of the convergence curves by default


def numbered_columns(p: int) -> list[str]:
    """Names of columns that have none."""
    return [f"x{j}" for j in range(p)]


@dataclass(eq=False, repr=False)
class MonteCarloRanker(Ranker):
    """Ranks by relative importance in small trees; parameters are those of `MonteCarloSelector`."""

    m: str | float = "sqrt"
    s: str | int = "auto"
    t: int = 5
    u: float = 1.0
    v: float = 1.0
    projections: str = "all"
    cutoff: str = "permutations"
    level: float = 0.05
    n_permutations: int | None = None
    balance: str | float | None = "auto"
    feature_weights: Any = None
    categorical_features: Any = None
    size: int | None = None
    interactions: bool = True
    second_stage: int = 30
    meetings: int = 500
    max_ancestors: int | None = None
    random_state: int | None = None
    n_jobs: int | None = None
    progress: bool = False
    checkpoint: str | os.PathLike[str] | None = None

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> MonteCarloRanking:
        """Rank the columns of one training set; its categories are those of `Part.levels`, or
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

    def search(
        self,
        X: np.ndarray,
        y: np.ndarray,
        categorical: np.ndarray,
        text: Sequence[np.ndarray | None],
        names: Sequence[str],
        labels: np.ndarray,
        stream: np.random.SeedSequence,
    ) -> tuple[MonteCarloRanking, np.ndarray, RuleSet | None]:
        """The ranking of all columns, which of them are kept (p,), and rules where wanted; from
        what `find_rules` takes."""
        size = None if self.size is None else checked_integer(self.size, "size", 1)
        interactions = bool(self.interactions)
        found = self._found(X, y, categorical, stream, size is None, interactions, names)
        kept = np.zeros(X.shape[1], dtype=bool)
        kept[order_of(found.scores, found.chosen if size is None else size)] = True
        kept &= found.scores > -np.inf  # never offered
        rules = None
        if interactions:
            rules = find_rules(
                X,
                y,
                found.scores,
                kept,
                found.settings["train"],
                int(self.second_stage),
                categorical,
                text,
                names,
                labels,
                child_seed(stream, 3),
            )
        return found, kept, rules

    def _found(
        self,
        X: np.ndarray,
        y: np.ndarray,
        categorical: np.ndarray,
        stream: np.random.SeedSequence,
        by_cutoff: bool,
        interactions: bool,
        names: Sequence[str] = (),
    ) -> MonteCarloRanking:
        """The observed run, the permuted ones where wanted, the cut-off, the graph."""
        rule = self.cutoff
        if rule not in CUTOFF_RULES:
            raise PlanError(f"cutoff={rule!r}: {nearest_hint(rule, CUTOFF_RULES)}")
        columns = X.shape[1]
        k = number_of_permutations(self.level, self.n_permutations)
        if not (by_cutoff and rule in ("permutations", "mean")) and self.n_permutations is None:
            k = 0
        contrasts = 0
        if by_cutoff and rule == "contrast":
            contrasts = math.ceil(CONTRAST_SHARE * columns)
            noise = np.random.default_rng(child_seed(stream, 2)).uniform(size=(len(X), contrasts))
            X = np.hstack([X, noise])
        stage = checked_integer(self.second_stage, "second_stage", 0)
        forest, weights = self._forest(X, y, categorical, stream)
        first = self._first_run(forest, y, weights, interactions)
        meetings = checked_integer(self.meetings, "meetings", 2)
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
            cutoff = self._cut(rule, scores, columns, permuted) if by_cutoff else Cutoff()
            chosen = cutoff.get("size")
            settings: Growth = {
                "m": forest.m,
                "s": totals.projections,
                "t": forest.t,
                "u": forest.u,
                "v": forest.v,
                "max_ancestors": self.max_ancestors,
                "balance": balance_of(self.balance, np.bincount(y)),
                "n_permutations": k,
                "train": forest.sizes.tolist(),
            }
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
                more = {}
                if run is not None:
                    more = {
                        "second_stage": stage,
                        "second_m": grown.m,
                        "projections": run.s,
                        "second_top": run.offer.n_top,
                    }
                    progress.total += (run.s - later) * forest.t  # fewer may have been offered
                graph = build_graph(
                    grown,
                    run,
                    totals,
                    columns,
                    progress,
                    names=names or numbered_columns(columns),
                    p_values=p_values,
                    fdr=fdr,
                    selected=selected,
                    cutoff=cutoff,
                    settings={**settings, **more},
                    n_trees=n_trees,
                    accuracy=accuracy,
                    convergence=convergence.updates,
                )
        return MonteCarloRanking(
            scores[:columns],
            {},
            chosen,
            p_values,
            totals.offered[:columns],
            accuracy,
            totals.recalls,
            n_trees,
            convergence.updates,
            cutoff,
            permuted.family_p_values if k else None,
            fdr,
            np.array(permuted.maxima),
            settings,
            (),
            graph,
        )

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
            prepare_table(X, levels),
            len(counts),
            sizes,
            min(features_of_projection(self.m, p), able),
            checked_integer(self.t, "t", 1),
            checked_exponent(self.u, "u"),
            checked_exponent(self.v, "v"),
            int(child_seed(stream, 0).generate_state(1, np.uint64)[0]),
            self.n_jobs,
        )
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
            s = checked_integer(self.s, "s", 1, '"auto"')
        ancestors = 0
        if self.max_ancestors is not None:
            ancestors = checked_integer(self.max_ancestors, "max_ancestors", 1, "None")
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

    def _cut(self, rule: str, scores: np.ndarray, columns: int, permuted: PermutedRuns) -> Cutoff:
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
        return max(1, round(forest.p / forest.m * FEATURE_FREQUENCY / DEFAULT_UPDATES))

    def _ends(self) -> bool:
        if self.projections not in ("all", "auto"):
            raise PlanError(
                f"projections={self.projections!r}: "
                f"{nearest_hint(self.projections, ('all', 'auto'))}"
            )
        return self.projections == "auto"
