"""Declining as a decision of studies: any decision, and a rule about whom it is not made for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from ..._core.arrays import bounded_array, fitting_arrays, unbounded_number, unfit_part_error
from ..._core.interfaces import Arrays, Beliefs, Decided, Decision, Rule, RuleInput
from ..._core.registry import find_row
from ..._core.rows import RuleRow
from ..base.scaling import inner_arrays, of_inside
from ..recalibrations.layer import averaged_rows
from .certainty import SCORE_MEANINGS, Score, decision_certainty, resolved_score
from .novelty import highest_usual

RULE_PREFIX = "rule."  # of names of its arrays


@dataclass(frozen=True)
class NamedRule:
    """A rule by the name of its row, and what stands beside it.

    Attributes
    ----------
    name : str
    parameters : mapping
        Of the rule.
    score : {"auto", "margin", "posterior"}
    novelty : float or None
        As of `Rejecting`.
    """

    name: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    score: Score = "auto"
    novelty: float | None = None


def rejecting_decision(decision: Decision, named: NamedRule, costs: np.ndarray | None) -> Any:
    """A decision with a rule, neither yet fitted; `costs` (C, C) for rules that look at them."""
    row = find_row(named.name, RuleRow)
    rule = row.build(row.validated(named.parameters))
    return Rejecting(decision, rule, named.score, costs if rule.by_sample else None, named.novelty)


@dataclass(frozen=True)
class Rejecting(Decision):
    """A decision at full coverage, and a rule that takes some of its labels back.

    Both are fitted to inner beliefs; the rule to one row a sample, the mean of its repeats. That is
    milder than what the one model to come says, so that rules which promise a rate, and novelty,
    take the first repeat alone. Candidates are tuned at full coverage, by `decision`.

    Attributes
    ----------
    decision : Decision
        At full coverage.
    rule : Rule
    score : {"auto", "margin", "posterior"}
    costs : ndarray of shape (C, C), or None
    novelty : float or None
        Samples that are stranger than this share of those held out are declined too.
    strange : float
        The novelty above which they are.
    inside : ndarray or None
        Certainties of the samples held out, rising; not of a model that was read back.
    """

    decision: Decision
    rule: Rule
    score: Score = "auto"
    costs: np.ndarray | None = None
    novelty: float | None = None
    strange: float = math.inf
    inside: np.ndarray | None = None

    learns: ClassVar[bool] = True
    pools: ClassVar[bool] = True  # each part of it takes of the repeats what it wants

    @property
    def full(self) -> Decision:
        """Without the rule."""
        return self.decision.full

    @property
    def by_sample(self) -> bool:
        """If either looks at costs that samples bring."""
        return self.decision.by_sample or self.rule.by_sample

    @property
    def probability(self) -> float | None:
        """As the decision at full coverage."""
        return self.decision.probability

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """Fit the decision at full coverage, then the rule to what comes of it."""
        decision, every, single = self.decision, (beliefs, y), beliefs
        if beliefs.samples is not None:
            single = beliefs.take(np.unique(beliefs.samples, return_index=True)[1])
        mean, y = averaged_rows(beliefs, y)
        if decision.learns:
            decision = decision.fit(*every) if decision.pools else decision.fit(mean, y)
        fitted = replace(self, decision=decision)
        inputs, _ = fitted._rule_input(single if self.rule.promises else mean)
        strange = math.inf
        if self.novelty is not None and single.novelty is not None:
            strange = highest_usual(single.novelty, self.novelty)
        rule, inside = self.rule.fit(inputs, y), np.sort(inputs.certainty)
        return replace(fitted, rule=rule, strange=strange, inside=inside)

    def standing(self, certainty: np.ndarray) -> np.ndarray:
        """The share of the samples held out inside that were less certain (m,); of equally
        certain ones half."""
        assert self.inside is not None
        ends = [np.searchsorted(self.inside, certainty, side) for side in ("left", "right")]
        return (ends[0] + ends[1]) / (2 * len(self.inside))

    @property
    def share(self) -> float | None:
        """The share of those that a threshold of certainty declines; None of other rules."""
        threshold = self.rule.threshold
        if threshold is None or self.inside is None:
            return None
        return float(np.mean(self.inside < threshold))

    def _rule_input(self, beliefs: Beliefs) -> tuple[RuleInput, Decided]:
        decided = self.decision.decide(beliefs)
        sure = decision_certainty(self.decision, beliefs, decided, self.score)
        costs = self.costs if beliefs.costs is None else beliefs.costs
        return RuleInput(sure, decided.codes, decided.beliefs.proba, costs), decided

    def decide(self, beliefs: Beliefs) -> Decided:
        """Labels at full coverage, and who keeps them."""
        inputs, decided = self._rule_input(beliefs)
        accepted = decided.accepted & self.rule.accepts(inputs)
        if beliefs.novelty is not None:
            accepted &= beliefs.novelty <= self.strange
        standing = None if self.inside is None else self.standing(inputs.certainty)
        return replace(decided, accepted=accepted, certainty=inputs.certainty, standing=standing)

    def scale(self, beliefs: Beliefs) -> str:
        """Of `score`."""
        return SCORE_MEANINGS[resolved_score(self.decision, beliefs, self.score)]

    def idle(self) -> str:
        """Why somebody, or everybody, is declined or not in spite of the settings."""
        parts = [self.rule.doubt()]
        if self.novelty is not None and self.inside is not None and math.isinf(self.strange):
            need = math.ceil(1 / self.novelty - 1e-9) - 1
            parts.append(
                f"{len(self.inside)} samples held out inside are too few to decline the "
                f"{self.novelty:g} strangest ({need} are needed): no sample is declined for novelty"
            )
        return "; ".join(filter(None, parts))

    def recalibrated(self) -> str:
        """As the decision at full coverage."""
        return self.decision.recalibrated()

    def report_text(self, names: Sequence[str]) -> str:
        """What the decision and the rule learnt."""
        parts = [self.decision.report_text(names), self.rule.report_text()]
        if math.isfinite(self.strange):
            parts.append(f"declines samples of a novelty above {self.strange:.3g}")
        return "; ".join(filter(None, parts))

    def to_arrays(self) -> Arrays:
        """Those of both."""
        parts = {**inner_arrays(self.decision), **inner_arrays(self.rule, RULE_PREFIX)}
        return {**parts, "strange": bounded_array(self.strange)}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """From those of both."""
        (strange,) = fitting_arrays(arrays, strange=(1,))
        value = float(strange[0])
        if value < 0:
            raise unfit_part_error("strange")
        return replace(
            self,
            decision=self.decision.from_arrays(of_inside(arrays), n_classes),
            rule=self.rule.from_arrays(of_inside(arrays, RULE_PREFIX)),
            strange=unbounded_number(value),
        )
