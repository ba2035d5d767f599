"""Methods that see beliefs alone: recalibrations, decisions, and rules by which some samples are
declined."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._core.errors import PlanError
from .._core.interfaces import Beliefs, Decision
from .._core.rows import PlanRow
from ..classifiers.recalibrations.layer import recalibrated_decision
from ..classifiers.rejection.decision import NamedRule, rejecting_decision
from ..model.file import float_arrays, revived_decision
from ..model.named_method import NamedMethod
from . import roles
from .procedure import Arrays, Fitted, Run, Say, Settings, global_state
from .verdict import Inapplicable, error_words

N_SAMPLES = 60  # samples in a training set
NOVELTY_SHARE = 0.1  # share of the strangest samples that rules are to decline


@dataclass
class OnBeliefs:
    """See `Procedure`. Tables are of two and, where a decision may be among more classes, of four
    classes."""

    row: PlanRow
    settings: Settings
    kinds: list[str] = field(default_factory=list)
    _kept: dict[str, Run] = field(default_factory=dict)

    def start(self) -> dict[str, str]:
        """See `Procedure`."""
        self.kinds = ["plain"] if roles.of_two_classes(self.row) else ["plain", "mixed"]
        try:
            for kind in self.kinds:
                self.kept_run(kind)
        except (MemoryError, KeyboardInterrupt):
            raise
        except Exception as error:  # whatever the method raises
            raise PlanError(
                f"{self.row.name!r} cannot be fitted to made-up probabilities "
                f"({error_words(error)}): check that first"
            ) from error
        return {}

    def run(self, kind: str, seed: int = 0) -> Run:
        """See `Procedure`."""
        return self._run(*self._beliefs(kind), kind, seed)

    def kept_run(self, kind: str) -> Run:
        """See `Procedure`."""
        if kind not in self._kept:
            self._kept[kind] = self.run(kind)
        return self._kept[kind]

    def run_changed(self, kind: str, part: int, values: bool = True) -> Run:
        """See `Procedure`."""
        if part:
            raise Inapplicable("it has no inner parts")
        beliefs, y = self._beliefs(kind)
        rng = np.random.default_rng(1)
        wild = rng.dirichlet(np.ones(beliefs.proba.shape[1]), size=len(y))
        held = np.arange(len(y)) >= N_SAMPLES
        proba = np.where(held[:, None], wild, beliefs.proba)
        margin = np.where(held[:, None], np.log(wild), beliefs.scores)
        labels = np.where(held, (y + 1) % proba.shape[1], y)
        return self._run(replace(beliefs, proba=proba, margin=margin), labels, kind, 0)

    def run_for_one(self, kind: str) -> Run:
        """See `Procedure`."""
        beliefs, y = self._beliefs(kind)
        return self._run(beliefs.take(np.arange(N_SAMPLES + 1)), y[: N_SAMPLES + 1], kind, 0)

    def fits_of_one_object(self) -> list[Arrays]:
        """See `Procedure`."""
        beliefs, y = self._beliefs("plain")
        first, second = np.arange(N_SAMPLES // 2), np.arange(N_SAMPLES // 2, N_SAMPLES)
        one, found = self._made(2), []
        for rows in (first, second, first):
            with global_state(0):
                fitted = one.fit(beliefs.take(rows), y[rows])
                found.append(decided_arrays(fitted.decide(beliefs)))
        return found

    def _beliefs(self, kind: str) -> tuple[Beliefs, np.ndarray]:
        """Of the samples of a training set, then of those held out; and their classes."""
        C = 4 if kind == "mixed" else 2
        rng = np.random.default_rng(C + 10 * (kind == "other"))
        n = N_SAMPLES + 24
        y = np.arange(n) % C
        margin = rng.normal(size=(n, C)) + 1.5 * (y[:, None] == np.arange(C))
        proba = np.exp(margin) / np.exp(margin).sum(axis=1, keepdims=True)
        return Beliefs(proba, margin, rng.gamma(2.0, size=n)), y

    def _made(self, C: int) -> Any:
        costs, given = _error_costs(C), dict(self.settings.parameters)
        rule = self._rule()
        if roles.is_recalibration(self.row):
            return recalibrated_decision(roles.plain_decision().build({}), self.row.name, given)
        if rule is None:
            return self.row.build(
                {**given, "costs": costs} if roles.looks_at_costs(self.row) else given
            )
        decision = roles.plain_decision().build({})
        return rejecting_decision(decision, rule, costs)

    def _rule(self) -> NamedRule | None:
        if not roles.is_rule(self.row):
            return None
        return NamedRule(self.row.name, dict(self.settings.parameters), "auto", NOVELTY_SHARE)

    def _run(self, beliefs: Beliefs, y: np.ndarray, kind: str, seed: int) -> Run:
        C = beliefs.proba.shape[1]
        train, held = np.arange(N_SAMPLES), np.arange(N_SAMPLES, len(y))
        with global_state(seed) as moved:
            made = self._made(C)
            fitted: Decision = made.fit(beliefs.take(train), y[train])
            rows = beliefs.take(held)
            rule, given = self._rule(), dict(self.settings.parameters)
            layer = roles.is_recalibration(self.row)
            plain = rule is not None or layer
            decision = roles.plain_decision() if plain else self.row
            named = NamedMethod("decide", decision.name, {} if plain else given)
            by = NamedMethod("recalibrate", self.row.name, given) if layer else None

            def say_by(one: Decision) -> Say:
                return lambda rows: decided_arrays(one.decide(rows))

            def revive_run() -> Say:
                arrays = float_arrays(fitted.to_arrays())
                cells = tuple(map(tuple, _error_costs(C).tolist()))
                return say_by(revived_decision(named, arrays, C, cells, rule, by))

            say = say_by(fitted)
            learnt = {
                f"decided of training samples, {k}": v for k, v in say(beliefs.take(train)).items()
            }
            one = Fitted("the decision", say(rows), lambda: (rows, say, revive_run))
            return Run(learnt, {}, [one], moved())


def _error_costs(C: int) -> np.ndarray:
    """Of errors between C classes."""
    return np.arange(1.0, C + 1) * (1 - np.eye(C))


def decided_arrays(decided: Any) -> Arrays:
    """What is decided of samples, by name; where they stand inside is not of a model."""
    found = {
        "classes": np.asarray(decided.codes),
        "accepted": np.asarray(decided.accepted),
        "probabilities": decided.beliefs.proba,
    }
    if decided.certainty is not None:
        found["certainty"] = decided.certainty
    return found
