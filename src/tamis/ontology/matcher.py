"""A model that learns which classes of two ontologies mean the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Mapping as Dict
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from .._core.errors import (
    DataError,
    PlanError,
    counted_noun,
    listed_names,
    nearest_hint,
    shorten_text,
    value_text,
)
from .._core.registry import find_row, row_names
from .._core.rows import SimilarityRow
from .._core.settings import checked_share
from .assignment import ASSIGNMENTS
from .correspondence import Correspondence
from .examples import Examples, Known, Similarity
from .explanation import Explanation, explanation_of
from .learners import learner_of
from .learning import Model, learn_model
from .mapping import Mapping
from .mapping_of import mapping_of, teaching_remarks
from .named_classes import resolve
from .ontology import Ontology
from .pair_decision import PairDecision
from .pairs import Pairs
from .relaxation import relax_probabilities
from .seeds import seed_labels
from .similarities.rows import DEFAULT_SIMILARITIES

SEEDS_CHOICES = ("auto", "never", "always")
MIN_KNOWN_MATCHES = 20  # known matches below which seeds teach as well: docs/results/ontology.md


class OntologyMatcher(BaseEstimator):
    """Learns from labelled pairs which classes of two ontologies mean the same.

    Candidate pairs are compared by many similarities; a classifier learns from labelled pairs what
    these indicate. Without enough labels, pairs of nearly equal names teach it (`seeds`), and the
    mapping says so. All labels are kept: learning one by one gives the model of all at once.

    Parameters
    ----------
    similarities : sequence of str or (str, function), optional
        Names of similarities, or functions of `Pairs` of one's own with a name; by default those
        of `tamis.ontology.similarities.rows.DEFAULT`.
    learner : {"aode", "logistic", "c45", "forest"} or classifier, default="aode"
        With ``predict_proba``; features may be missing.
    threshold : float, optional
        Probability from which a pair is a match. By default that of `costs`, else that of the
        greatest F1 over held-out folds of the labelled pairs; at least .5 unless all labels are of
        complete references, for else every labelled class has a match.
    costs : CostMatrix, or what `CostMatrix.of` takes, for the classes (False, True), optional
        What a wrong match and a missed one cost: ``{False: 1, True: 10}`` for ten times as much
        where a match is missed.
    reject : float, optional
        Pairs on which deciding is expected to cost more are "uncertain" (Chow's rule, in units of
        `costs`; errors cost 1 each without); by default none is.
    assignment : {"optimal", "greedy", "none"}, default="optimal"
        How a class is kept from being mapped twice.
    relaxation : float, default=0.0
        Weight of what is believed of parents and children (`relax_probabilities`).
    seeds : {"auto", "never", "always"}, default="auto"
        Whether pairs of nearly equal names teach; "auto" with fewer than twenty known matches.
    random_state : int, default=0
        Of learners that draw random numbers.

    Attributes
    ----------
    model_ : Model
    known_ : list of Known
        All labels, a record for each pair of ontologies.
    n_labels_ : (int, int)
        Pairs that taught as matches, seeds with them, and as none.
    n_seeds_ : int
        Those of the matches that were taken for such by their names alone.

    References
    ----------
    Shahri and Jamil (2009), An extendable meta-learning algorithm for ontology mapping.

    Examples
    --------
    >>> from tamis.ontology.made_up import make_vocabularies
    >>> made = make_vocabularies(120, 120, 90, random_state=1)
    >>> matcher = OntologyMatcher().fit(made.source, made.target)
    >>> mapping = matcher.match(made.source, made.target)
    >>> found, true = set(mapping.pairs), set(made.reference.pairs)
    >>> len(found & true) > 0.75 * len(found)
    True
    """

    def __init__(
        self,
        similarities=None,
        learner="aode",
        *,
        threshold=None,
        costs=None,
        reject=None,
        assignment="optimal",
        relaxation=0.0,
        seeds="auto",
        random_state=0,
    ):
        self.similarities = similarities
        self.learner = learner
        self.threshold = threshold
        self.costs = costs
        self.reject = reject
        self.assignment = assignment
        self.relaxation = relaxation
        self.seeds = seeds
        self.random_state = random_state

    def fit(self, source, target, known=None, *, complete=False, also=()) -> OntologyMatcher:
        """Forget what was learned before, and learn from these labels.

        Parameters
        ----------
        source, target : Ontology
        known : Mapping, or iterable of (source, target) or (source, target, bool), optional
            Pairs of classes that mean the same, or do not: IRIs, CURIEs, local names or labels. Of
            a mapping what stands as ``=`` is a match, what is refused as ``=`` or stands as
            narrower or broader is none; the rest says nothing.
        complete : bool, default=False
            Whether `known` has every match, so that all other pairs are known not to match.
        also : iterable of (source, target, known), optional
            Other pairs of ontologies, with all their matches: they teach as well.

        Returns
        -------
        self

        Raises
        ------
        DataError
            A name is of no class, or a pair is known to match and not to; nothing is known and no
            names are alike.
        PlanError
            A parameter cannot be used.
        """
        self.known_: list[Known] = []
        self._examples: dict[tuple[str, ...], Examples] = {}
        return self.partial_fit(source, target, known, complete=complete, also=also)

    def partial_fit(
        self, source, target, known=None, *, complete=False, also=()
    ) -> OntologyMatcher:
        """Learn from more labels, of these or of other ontologies, with all from before.

        Parameters and errors are those of `fit`. What is said last of a pair holds.
        """
        self._check()
        functions, learning = self._similarities()
        before = {one.key: one for one in getattr(self, "known_", [])}
        for a, b, pairs, is_complete in [
            (source, target, known, complete),
            *((*t, True) for t in also),
        ]:
            more = _known_positions(a, b, pairs, is_complete)
            before[more.key] = before[more.key].with_more(more) if more.key in before else more
        self.known_ = [before[key] for key in sorted(before)]
        kept = {key: one.pairs for key, one in getattr(self, "_examples", {}).items()}
        self._examples = {
            one.key: Examples(one, self._one_to_one, kept.get(one.key)) for one in self.known_
        }
        self._learn(functions, learning)
        return self

    def _check(self) -> None:
        for name, known in (("assignment", ASSIGNMENTS), ("seeds", SEEDS_CHOICES)):
            value = getattr(self, name)
            if value not in list(known):
                raise PlanError(f"{name} = {value_text(value)}: give one of {listed_names(known)}")
        if self.threshold is not None:
            checked_share(self.threshold, "threshold")
        for name in ("relaxation", "reject"):
            if getattr(self, name) is not None:
                checked_share(getattr(self, name), name, most=np.finfo(float).max)

    @property
    def _one_to_one(self) -> bool:
        return self.assignment != "none"

    def _learn(self, functions: Dict[str, Similarity], learning: Dict[str, type]) -> None:
        examples = [self._examples[one.key] for one in self.known_]
        matches = sum(int((one.label == 1).sum()) for one in examples)
        self.n_seeds_ = 0
        seeded = self.seeds == "always" or (self.seeds == "auto" and matches < MIN_KNOWN_MATCHES)
        if seeded:
            for one in examples:
                known = one.label
                one.label = seed_labels(one.pairs, known)
                self.n_seeds_ += int(((one.label == 1) & (known != 1)).sum())
        counts = [sum(int((one.label == k).sum()) for one in examples) for k in (1, 0)]
        if not all(counts):
            raise DataError(_nothing_to_learn(examples, counts, seeded))
        self.n_labels_ = counts[0], counts[1]
        threshold = self.threshold
        if threshold is None and self.costs is not None:
            threshold = self._costs().threshold
        self.model_ = learn_model(
            examples,
            functions,
            learning,
            [*functions, *learning],
            learner_of(self.learner, self.random_state),
            self.assignment,
            threshold,
        )

    def match(self, source: Ontology, target: Ontology) -> Mapping:
        """The mapping of two ontologies: those of the labels, or others.

        Parameters
        ----------
        source, target : Ontology

        Returns
        -------
        Mapping
            What is known stands as it was said; the rest is the model's.
        """
        one, X, probability = self._judged(source, target)
        return mapping_of(
            one,
            X,
            probability,
            self._pair_decision,
            names=self.model_.names,
            settings=self._reported_settings(),
            remarks=teaching_remarks(self.n_labels_[0], self.n_seeds_),
        )

    def explain(self, source: Ontology, target: Ontology, pair: tuple[str, str]) -> Explanation:
        """Why a pair is, or is not, a match.

        Parameters
        ----------
        source, target : Ontology
        pair : (str, str)
            Two classes: IRIs, CURIEs, local names or labels.

        Returns
        -------
        Explanation

        Raises
        ------
        DataError
            A name is of no class, or the pair is no candidate.
        """
        one, X, probability = self._judged(source, target)
        (at,) = _known_positions(source, target, [pair]).said
        evidence = self.model_.evidence
        return explanation_of(one, X, probability, self._pair_decision, evidence, at)

    @property
    def _pair_decision(self) -> PairDecision:
        """How the fitted matcher decides which pairs stand."""
        costs = None if self.costs is None else self._costs().values
        return PairDecision(self.assignment, self.model_.threshold, self.reject, costs)

    def _reported_settings(self) -> dict[str, str]:
        """How a mapping is made, as it says itself."""
        matches, others = self.n_labels_
        by_names = f" ({self.n_seeds_:,} of them by nearly equal names)" if self.n_seeds_ else ""
        by = self.learner if isinstance(self.learner, str) else type(self.learner).__name__
        return {
            "learner": by,
            "similarities": ", ".join(self.model_.names),
            "threshold": f"{self.model_.threshold:.3g}",
            "assignment": ASSIGNMENTS[self.assignment],
            "relaxation": f"{self.relaxation:g}",
            "learned from": f"{matches:,} matches{by_names} and {others:,} other pairs",
        }

    def _judged(
        self, source: Ontology, target: Ontology
    ) -> tuple[Examples, np.ndarray, np.ndarray]:
        """Candidates, their similarities, and the probability of each."""
        if not hasattr(self, "model_"):
            raise NotFittedError("call fit with what is known before match: fit(source, target)")
        queried = Known(source, target, {})
        one = self._examples.get(queried.key) or Examples(queried, self._one_to_one)
        model: Model = self.model_
        X = model.table(one)
        probability = model.probability(X)
        if self.relaxation:
            probability = relax_probabilities(one.pairs, probability, self.relaxation)
        return one, X, probability

    def _costs(self):
        from ..metrics import CostMatrix

        return CostMatrix.of(self.costs, [False, True])

    def _similarities(self) -> tuple[dict[str, Similarity], dict[str, type]]:
        """Functions by name, and classes of those that learn."""
        given = DEFAULT_SIMILARITIES if self.similarities is None else self.similarities
        if isinstance(given, str) or not len(given):
            raise PlanError(
                f"similarities = {value_text(given)}: give a list of names, such as "
                f"{DEFAULT_SIMILARITIES[:2]}"
            )
        plain: dict[str, Similarity] = {}
        learning: dict[str, type] = {}
        for one in given:
            name, function = one if isinstance(one, tuple) else (one, None)
            if name in plain or name in learning:
                raise PlanError(f"similarities: {value_text(name)} is given twice")
            if function is not None:
                plain[name] = _Own(name, function)
            elif name not in row_names(SimilarityRow):
                hint = nearest_hint(str(name), row_names(SimilarityRow))
                raise PlanError(f"unknown similarity {value_text(name)}: {hint}")
            else:
                row = find_row(name, SimilarityRow)
                if row.learns:
                    learning[name] = row.load()
                else:
                    plain[name] = row.load()
        return plain, learning


@dataclass(frozen=True)
class _Own:
    """A user's own similarity, whose results are looked at."""

    name: str
    function: Callable

    def __call__(self, pairs: Pairs) -> np.ndarray:
        found = np.asarray(self.function(pairs), dtype=np.float32)
        if found.shape != (len(pairs),):
            raise DataError(
                f"the similarity {self.name!r} gives shape {found.shape} of {len(pairs):,} pairs: "
                "give one number a pair"
            )
        if np.isinf(found).any():
            raise DataError(
                f"the similarity {self.name!r} gives an infinite number: give finite ones, or NaN "
                "where it is undefined"
            )
        return found


def _nothing_to_learn(examples: Sequence[Examples], counts: Sequence[int], seeded: bool) -> str:
    """Why there is no pair of one of the two kinds."""
    for one in examples:
        for side in (one.known.source, one.known.target):
            if len(side) and side.obsolete.all():
                return f"all classes of {side.name!r} are obsolete: no obsolete class is matched"
    if counts[0]:
        return (
            f"{counted_noun(counts[0], 'pair')} of classes known to match and none known not to: "
            "give some that do not"
        )
    alike = ", and no class of one has nearly the name of a class of the other" if seeded else ""
    return f"no pair of classes is known to match{alike}: give some known pairs"


def _known_positions(
    source: Ontology, target: Ontology, known: Any, complete: bool = False
) -> Known:
    """What is said, by positions of classes."""
    said: dict[tuple[int, int], bool] = {}
    beside: dict[tuple[int, int], str] = {}
    if known is None:
        return Known(source, target, said, complete)
    if not isinstance(known, Mapping):
        known = Mapping(tuple(_known_correspondence(row) for row in known))
    for c in resolve(known, source, target, name="known").correspondences:
        pair = source.position[c.source], target.position[c.target]
        if (yes := c.means_same) is not None:
            if said.setdefault(pair, yes) != yes:
                raise DataError(
                    f"known: {shorten_text(c.source_label)!r} and "
                    f"{shorten_text(c.target_label)!r} mean the same in one row and not in "
                    "another: keep one of the two"
                )
            if c.relation != "=":
                beside[pair] = c.relation
        elif c.status == "uncertain" and c.relation == "=":
            beside.setdefault(pair, "?")
    return Known(source, target, said, complete, beside)


def _known_correspondence(row: Sequence[Any]) -> Correspondence:
    if isinstance(row, Correspondence):
        return row
    if isinstance(row, str) or len(row) not in (2, 3):
        raise DataError(
            f"known: {value_text(row)}: give (source, target) or (source, target, bool)"
        )
    yes = len(row) == 2 or bool(row[2])
    return Correspondence(str(row[0]), str(row[1]), status="accepted" if yes else "refused")
