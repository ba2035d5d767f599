"""IF-THEN rules: `Rule`, its words and its p-value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..._core.errors import PlanError
from ...kernels.hypergeometric import tail_probability

VALUE_TOLERANCE = 1e-6
UNKNOWN_VALUE = float("nan")


@dataclass(frozen=True)
class Rule:
    """IF all conditions THEN a class.

    Parameters
    ----------
    conditions : tuple of (feature, op, value)
        `op` is ``"<="``, ``">"`` (value: a number) or ``"="`` (a category). Of several limits
        on one side of a feature only the tightest is there.
    label
        The class.
    support : float
        Weight of the samples that meet the conditions.
    correct : float
        Of these, weight of the class.
    total, of_class : float, default=nan
        Weight of all samples, and of the class; nan if unknown. Rules are equal whatever these.
    trees : int, default=0
        How many trees say it; 0 if it is not from trees.
    test_support, test_correct : float, default=nan
        `support` and `correct` over samples that its trees did not train on, summed over trees;
        nan if unknown. Two that are unknown are equal.

    Examples
    --------
    >>> rule = Rule((("age", ">", 61.5),), "ill", 12.0, 10.0, total=40, of_class=16)
    >>> print(rule)
    IF age > 61.5 THEN ill (12.0/2.0)
    >>> round(rule.accuracy, 3), rule.coverage, f"{rule.p_value:.2g}"
    (0.833, 0.625, '0.00041')
    >>> rule.meets({"age": [50, 70, None]})
    array([False,  True, False])
    """

    conditions: tuple[tuple[str, str, Any], ...]
    label: Any
    support: float
    correct: float
    total: float = field(default=UNKNOWN_VALUE, compare=False)
    of_class: float = field(default=UNKNOWN_VALUE, compare=False)
    trees: int = 0
    test_support: float = UNKNOWN_VALUE
    test_correct: float = UNKNOWN_VALUE

    @property
    def accuracy(self) -> float:
        """Share of the samples it is met by that are of its class (precision)."""
        return _share_of(self.correct, self.support)

    @property
    def coverage(self) -> float:
        """Share of its class that it finds (recall)."""
        return _share_of(self.correct, self.of_class)

    @property
    def test_accuracy(self) -> float:
        """Accuracy over samples that its trees did not train on."""
        return _share_of(self.test_correct, self.test_support)

    @property
    def p_value(self) -> float:
        """P(X >= correct), X hypergeometric: `support` of `total` samples drawn at random.

        nan where a number is unknown, or a weight is not a whole number.
        """
        return float(hypergeometric_tail([self])[0])

    @property
    def text(self) -> str:
        """The conditions in words."""
        return " AND ".join(map(condition_text, self.conditions)) or "true"

    def _compared(self) -> tuple[Any, ...]:
        counts = (self.support, self.correct, self.test_support, self.test_correct)
        return self.conditions, self.label, self.trees, tuple(map(_known_or_none, counts))

    def __eq__(self, other: object) -> bool:
        # the generated one takes a nan as equal to itself only, and a copy read back has another
        return self._compared() == other._compared() if type(other) is Rule else NotImplemented

    def __hash__(self) -> int:
        return hash(self._compared())

    def __str__(self) -> str:
        return f"IF {self.text} THEN {self.label} {weights_text(self.support, self.correct)}"

    def meets(self, table: Mapping[str, object]) -> np.ndarray:
        """Which samples meet all conditions; one with a missing value in any does not.

        Parameters
        ----------
        table : data frame or mapping of feature name to column
        """
        if not self.conditions:
            raise PlanError("a rule without conditions is met by every sample")
        met = []
        for name, op, value in self.conditions:
            column = np.asarray(table[name])
            if op == "=":
                met.append(np.asarray(column == value, dtype=bool))
            else:
                numbers = column.astype(float)  # nan compares as False
                met.append(numbers <= value if op == "<=" else numbers > value)
        return np.logical_and.reduce(met)

    def to_dict(
        self, p_value: float | None = None, p_adjusted: float = UNKNOWN_VALUE
    ) -> dict[str, object]:
        """Plain numbers, for JSON; None is not known."""
        return {
            "conditions": [
                {"feature": str(name), "op": op, "value": plain_value(value)}
                for name, op, value in self.conditions
            ],
            "text": str(self),
            "label": str(self.label),
            "support": float(self.support),
            "correct": float(self.correct),
            "accuracy": _known_or_none(self.accuracy),
            "coverage": _known_or_none(self.coverage),
            "p_value": _known_or_none(self.p_value if p_value is None else p_value),
            "p_adjusted": _known_or_none(p_adjusted),
            "trees": int(self.trees),
            "test_support": _known_or_none(self.test_support),
            "test_accuracy": _known_or_none(self.test_accuracy),
        }


def hypergeometric_tail(rules: Sequence[Rule]) -> np.ndarray:
    """P(X >= correct) of each rule, X hypergeometric(total, of_class, support) (k,)."""
    numbers = np.array([(r.total, r.of_class, r.support, r.correct) for r in rules], dtype=float)
    numbers = numbers.reshape(-1, 4)
    integers = (np.abs(numbers - np.round(numbers)) < VALUE_TOLERANCE).all(axis=1)  # False for nan
    p_values = np.full(len(rules), np.nan)
    p_values[integers] = [
        tail_probability(*row) for row in np.round(numbers[integers]).astype(int).tolist()
    ]
    return p_values


def condition_text(condition: tuple[str, str, Any]) -> str:
    """``age > 61.5``"""
    name, op, value = condition
    return f"{name} {op} {limit_text(value) if op != '=' else value}"


def limit_text(value: float) -> str:
    """As many digits as say exactly this number, so that a rule read off does what it says.

    Examples
    --------
    >>> limit_text(0.1), limit_text(61.5), limit_text(12345678.0)
    ('0.1', '61.5', '12345678')
    """
    return repr(float(value)).removesuffix(".0")


def weights_text(weight: float, correct: float) -> str:
    """Weka's (weight) or (weight/wrong)."""
    wrong = weight - correct
    if wrong < VALUE_TOLERANCE:
        return f"({round(weight, 2)!r})"
    return f"({round(weight, 2)!r}/{round(wrong, 2)!r})"


def plain_value(value: Any) -> float | int | str:
    """A threshold or category as JSON has it."""
    value = value.item() if isinstance(value, np.generic) else value
    return value if isinstance(value, float | int) and not isinstance(value, bool) else str(value)


def _share_of(part: float, total: float) -> float:
    return part / total if total > 0 else UNKNOWN_VALUE


def _known_or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
