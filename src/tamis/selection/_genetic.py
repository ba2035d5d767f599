"""Genetic search for a subset of features."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._core.errors import PlanError
from .._core.interfaces import Part, Ranking, Seeds
from .._core.progress import Progress
from .._core.settings import checked_count, checked_share
from ..classifiers.base.folds import Splits
from ._filters import find_filter
from ._genetic_search import Generation, GeneticSettings, evolved_generations, migrated_islands
from ._halves import child_seed
from ._orders import cut_order, order_of
from ._subset_ranking import SearchFacts, Subset, SubsetRanking, SubsetSelector
from .subset_scores import Learner, SubsetScores, find_learner, refuse_undefined
from .subset_scores.candidates import candidate_columns, inner_splits, searched_table
from .subset_scores.criteria import Criterion, find_criterion

DEFAULT_MAX_FEATURES = 20  # features of a subset, if nothing else is said


@dataclass(frozen=True)
class Epoch:
    """An island between two migrations.

    Attributes
    ----------
    last : Generation
    course : list of (float, float)
        The best fitness and the mean fitness of every generation.
    best : dict of size to Subset
        Of candidates' places, the best that was evaluated of each size.
    n_evaluated, n_fits : int
    """

    last: Generation
    course: list[tuple[float, float]]
    best: dict[int, Subset]
    n_evaluated: int
    n_fits: int


class GeneticSelector(SubsetSelector):
    """Breed subsets of features by how well they classify in cross-validation.

    A population of random subsets is bred for some generations: the best of a few drawn at random
    become parents (tournament selection), pairs of them are mixed bit by bit (uniform crossover),
    bits are flipped (mutation), and the best subsets go on as they are (elitism). The fitness is
    the score in inner folds less a penalty for each feature. The fittest subset that was ever
    evaluated is returned.

    Subsets of the learners that `SequentialSelector` updates are evaluated from products that the
    folds compute once; any other classifier is fitted to every subset.

    The score of the subset returned is the best of thousands: it is optimistic and estimates
    nothing. Estimate by a study, which repeats the search in every training set.

    Parameters
    ----------
    estimator : str or object with ``fit``, default="diagonal_discriminant"
        As of `SequentialSelector`.
    size : int or None, default=None
        Exactly so many features in every subset; None: 1 to `max_size`.
    max_size : int, default=20
    population : int, default=50
        Subsets of an island.
    generations : int, default=50
    tournament : int, default=3
        Subsets that a parent is the best of.
    crossover : float, default=0.9
        Probability that two parents are mixed, each bit from either with equal probability.
    mutation : float, default=0.3
        Probability that a chosen feature is dropped; in expectation as many come in.
    elite : int, default=2
        The best subsets that go on unchanged.
    size_penalty : float, default=0.002
        Taken from the score for each feature.
    islands : int, default=1
        Populations that evolve apart.
    migration : int, default=10
        After so many generations the best of each island replaces the worst of the next.
    scoring, cv, candidates, ranking
        As of `SequentialSelector`; `candidates` are 200 by default, None takes all that vary.
    random_state : int, default=None
    n_jobs : int, default=None
        Processes that islands evolve in. Results do not depend on it.
    progress : bool, default=True
        Tell of progress on stderr if `fit` takes longer than two seconds.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Share of the last populations that hold the feature; 0 of what was no candidate.
    ranking_, support_ : ndarray of shape (n_features,)
    subsets_ : dict
        From each size to the columns of the best subset evaluated of that size, rising.
    score_ : float
        Of the subset returned, without the penalty.
    result_ : SubsetRanking
        With ``frame()``, ``plot()`` (the history), ``to_dict()`` and ``summary()``.

    Raises
    ------
    PlanError
        A parameter that does not fit.

    References
    ----------
    Goldberg (1989), Genetic Algorithms in Search, Optimization and Machine Learning. Siedlecki &
    Sklansky (1989), A note on genetic algorithms for large-scale feature selection, Pattern
    Recognition Letters 10, 335-347.

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection import GeneticSelector
    >>> golub = load_golub()
    >>> selector = GeneticSelector(size=5, generations=5, random_state=0).fit(golub.X, golub.y)
    >>> int(selector.get_support().sum())
    5
    """

    def __init__(
        self,
        estimator: Any = "diagonal_discriminant",
        size: int | None = None,
        max_size: int = DEFAULT_MAX_FEATURES,
        population: int = 50,
        generations: int = 50,
        tournament: int = 3,
        crossover: float = 0.9,
        mutation: float = 0.3,
        elite: int = 2,
        size_penalty: float = 0.002,
        islands: int = 1,
        migration: int = 10,
        scoring: Any = None,
        cv: Any = 5,
        candidates: int | None = 200,
        ranking: str = "moderated_t",
        random_state: int | None = None,
        n_jobs: int | None = None,
        progress: bool = True,
    ):
        self.estimator = estimator
        self.size = size
        self.max_size = max_size
        self.population = population
        self.generations = generations
        self.tournament = tournament
        self.crossover = crossover
        self.mutation = mutation
        self.elite = elite
        self.size_penalty = size_penalty
        self.islands = islands
        self.migration = migration
        self.scoring = scoring
        self.cv = cv
        self.candidates = candidates
        self.ranking = ranking
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> SubsetRanking:
        """Columns by the share of the last populations that hold them; ``chosen`` and its place in
        the path are the fittest subset's."""
        return self._search(part, sizes, stream, None, quiet=True)

    def check_columns(self, p: int) -> None:
        """Refuse a learner, score or filter that there is not, or settings that do not fit."""
        self._criterion(find_learner(self.estimator, 2, Seeds(0)))
        find_filter(self.ranking)
        self._settings(p, p, None)

    def _ranking_to_keep(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        return self._search(part, sizes, stream, self.size, quiet=not self.progress)

    def _search(
        self, part: Part, sizes: Sequence[int], stream: Seeds, size: int | None, quiet: bool
    ) -> SubsetRanking:
        from joblib import delayed

        from .._core.workers import joblib_parallel

        p = part.X.shape[1]
        columns = candidate_columns(part, self._candidates(), self.ranking)
        q = len(columns)
        if not q:
            nothing = SearchFacts("genetic search", n_columns=p)
            return SubsetRanking(np.zeros(p), cut_order(columns, [*sizes, 0]), 0, facts=nothing)
        generations, every = self._course()
        splits = inner_splits(self.cv, part, child_seed(stream, 1))
        table = searched_table(part.X, columns, self.estimator)
        learner = find_learner(self.estimator, part.n_classes, child_seed(stream, 0))
        most = learner.most(min(len(train) for train, _ in splits), part.n_classes)
        how = self._settings(min(q, max(most, size or 0)), q, size)
        shared = (table, part.y, splits, learner, self._criterion(learner), self.size_penalty)
        islands: list[Generation | None] = [None] * checked_count(self.islands, "islands", 1)
        epochs: list[list[Epoch]] = []
        run = joblib_parallel(n_jobs=self.n_jobs)
        with Progress(generations, "generations", quiet=quiet) as progress:
            for start in range(0, generations, every):
                some = range(start, min(start + every, generations))
                epochs.append(
                    run(
                        delayed(island_epoch)(*shared, island, how, child_seed(stream, 2, i), some)
                        for i, island in enumerate(islands)
                    )
                )
                islands = list(migrated_islands([epoch.last for epoch in epochs[-1]]))
                progress.advance(len(some))
        return self._ranked(p, columns, epochs, sizes, learner)

    def _criterion(self, learner: Learner) -> Criterion:
        return find_criterion(self.scoring, learner.values, learner.regresses)

    def _ranked(
        self,
        p: int,
        columns: np.ndarray,
        epochs: list[list[Epoch]],
        sizes: Sequence[int],
        learner: Learner,
    ) -> SubsetRanking:
        flat = [one for some in epochs for one in some]
        best: dict[int, Subset] = {}
        for epoch in flat:
            keep_best(best, epoch.best.values())
        best = {k: replace(best[k], columns=columns[best[k].columns]) for k in sorted(best)}
        fittest = max(best, key=lambda k: (best[k].score - self.size_penalty * k, -k))
        refuse_undefined(best[fittest].score, self._criterion(learner).name)
        last = np.vstack([one.last.masks for one in epochs[-1]])
        scores = np.zeros(p)
        scores[columns] = last.mean(axis=0)
        order = columns[order_of(scores[columns])]
        chosen = best[fittest].columns
        chosen = chosen[np.argsort(-scores[chosen], kind="stable")]
        facts = SearchFacts(
            "genetic search",
            learner.name,
            self._criterion(learner).name,
            len(best[fittest].scores),
            len(columns),
            p,
            0,
            sum(one.n_evaluated for one in flat),
            sum(one.n_fits for one in flat),
        )
        return SubsetRanking(
            scores,
            {**cut_order(order, sizes), fittest: chosen},
            fittest,
            None,
            best,
            [
                {
                    "at": g,
                    "score": max(best for best, _ in here),
                    "mean": float(np.mean([mean for _, mean in here])),
                }
                for g, here in enumerate(_by_generation(epochs), 1)
            ],
            "generations",
            facts,
        )

    def _candidates(self) -> int | None:
        if self.candidates is None:
            return None
        return checked_count(self.candidates, "candidates", 1)

    def _course(self) -> tuple[int, int]:
        """Generations in all, and between two migrations."""
        generations = checked_count(self.generations, "generations", 1)
        every = checked_count(self.migration, "migration", 1)
        return generations, generations if self.islands == 1 else every

    def _settings(self, most: int, q: int, size: int | None) -> GeneticSettings:
        population = checked_count(self.population, "population", 2)
        elite = checked_count(self.elite, "elite", 0)
        if elite >= population:
            raise PlanError(
                f"elite={elite} of a population of {population} leaves no room for children: give "
                "fewer"
            )
        penalty = self.size_penalty
        if not isinstance(penalty, int | float) or isinstance(penalty, bool) or not penalty >= 0:
            raise PlanError(f"size_penalty={penalty!r}: give a number of at least 0")
        most = min(most, checked_count(self.max_size, "max_size", 1))
        least = 1
        if size is not None:
            least = most = min(q, size)
        return GeneticSettings(
            population,
            checked_count(self.tournament, "tournament", 1),
            checked_share(self.crossover, "crossover"),
            checked_share(self.mutation, "mutation"),
            elite,
            max(1, (least + most) // 2),
            least,
            most,
        )


def island_epoch(
    X: np.ndarray,
    y: np.ndarray,
    splits: Splits,
    learner: Learner,
    criterion: Criterion,
    penalty: float,
    island: Generation | None,
    how: GeneticSettings,
    stream: Seeds,
    generations: range,
) -> Epoch:
    """One island through some generations, in whatever process."""
    scores = SubsetScores(X, y, splits, learner, criterion)
    best: dict[int, Subset] = {}

    def penalised_score(columns: np.ndarray) -> float:
        one = Subset(columns, scores.of(columns))
        keep_best(best, [one])
        return one.score - penalty * len(columns)

    found = evolved_generations(island, X.shape[1], penalised_score, how, stream, generations)
    course = [(float(g.fitness[0]), float(g.fitness.mean())) for g in found]
    return Epoch(found[-1], course, best, scores.n_direct, scores.n_fits)


def keep_best(best: dict[int, Subset], more: Iterable[Subset]) -> None:
    """Put those that beat the best of their size in its place."""
    for one in more:
        known = best.get(len(one.columns))
        if known is None or one.score > known.score:
            best[len(one.columns)] = one


def _by_generation(epochs: list[list[Epoch]]) -> list[list[tuple[float, float]]]:
    """The best and mean fitness of every island, generation by generation."""
    return [
        list(here)
        for islands in epochs
        for here in zip(*(one.course for one in islands), strict=True)
    ]
