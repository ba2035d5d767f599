"""IF-THEN rules: `Rule`, and `RuleSet`, what a selector has found of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import PlanError, nearest, plural
from ..metrics.false_discovery import benjamini_hochberg

if TYPE_CHECKING:
    import pandas as pd

    from .rule_network import RuleNetwork

SMALL = 1e-6
UNKNOWN = float("nan")
MOST_RULES = 300  # in `to_dict`


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
    total: float = field(default=UNKNOWN, compare=False)
    of_class: float = field(default=UNKNOWN, compare=False)
    trees: int = 0
    test_support: float = UNKNOWN
    test_correct: float = UNKNOWN

    @property
    def accuracy(self) -> float:
        """Share of the samples it is met by that are of its class (precision)."""
        return _ratio(self.correct, self.support)

    @property
    def coverage(self) -> float:
        """Share of its class that it finds (recall)."""
        return _ratio(self.correct, self.of_class)

    @property
    def test_accuracy(self) -> float:
        """Accuracy over samples that its trees did not train on."""
        return _ratio(self.test_correct, self.test_support)

    @property
    def p_value(self) -> float:
        """P(X >= correct), X hypergeometric: `support` of `total` samples drawn at random.

        nan where a number is unknown, or a weight is not whole.
        """
        return float(hypergeometric_tail([self])[0])

    @property
    def text(self) -> str:
        """The conditions in words."""
        return " AND ".join(map(condition_text, self.conditions)) or "true"

    def _compared(self) -> tuple[Any, ...]:
        counts = (self.support, self.correct, self.test_support, self.test_correct)
        return self.conditions, self.label, self.trees, tuple(map(_known, counts))

    def __eq__(self, other: object) -> bool:
        # the generated one takes a nan as equal to itself only, and a copy read back has another
        return self._compared() == other._compared() if type(other) is Rule else NotImplemented

    def __hash__(self) -> int:
        return hash(self._compared())

    def __str__(self) -> str:
        return f"IF {self.text} THEN {self.label} {weights_text(self.support, self.correct)}"

    def meets(self, table: Mapping[str, Any]) -> np.ndarray:
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

    def to_dict(self, p_value: float | None = None, p_adjusted: float = UNKNOWN) -> dict[str, Any]:
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
            "accuracy": _known(self.accuracy),
            "coverage": _known(self.coverage),
            "p_value": _known(self.p_value if p_value is None else p_value),
            "p_adjusted": _known(p_adjusted),
            "trees": int(self.trees),
            "test_support": _known(self.test_support),
            "test_accuracy": _known(self.test_accuracy),
        }


@dataclass(frozen=True)
class RuleSet:
    """Rules out of many trees, and a list of rules that are read from the top.

    Attributes
    ----------
    rules : tuple of Rule
        From trees, best first. They overlap, and each stands alone.
    rule_list : tuple of Rule
        A sample is of the class of the first rule whose conditions it meets; the last rule has
        none. `support` and `correct` count the samples that no rule above has taken.
    classes : tuple of (label, size)
    n_trees : int

    Examples
    --------
    >>> rules = [Rule((("a", ">", 1.5), ("b", "=", "yes")), "ill", 9, 8, 30, 10, 4, 12, 9)]
    >>> found = RuleSet(tuple(rules), (Rule((), "well", 30, 20, 30, 20),),
    ...                 (("ill", 10), ("well", 20)), 500)
    >>> found.frame()[["rule", "label", "accuracy", "coverage", "trees"]].round(2).values.tolist()
    [['a > 1.5 AND b = yes', 'ill', 0.89, 0.8, 4]]
    >>> found.summary()
    '1 rule of 500 trees, a list of 1 rule; the best is IF a > 1.5 AND b = yes THEN ill (9/1)'
    """

    rules: tuple[Rule, ...]
    rule_list: tuple[Rule, ...]
    classes: tuple[tuple[Any, float], ...]
    n_trees: int

    def __repr__(self) -> str:
        found = f"{plural(len(self.rules), 'rule')} of {plural(self.n_trees, 'tree')}"
        return f"RuleSet({found}, a list of {plural(len(self.rule_list), 'rule')})"

    @cached_property
    def p_values(self) -> np.ndarray:
        """Hypergeometric, of `rules`."""
        return hypergeometric_tail(self.rules)

    @cached_property
    def p_adjusted(self) -> np.ndarray:
        """`p_values` by Benjamini and Hochberg, over `rules`."""
        return benjamini_hochberg(self.p_values)

    def frame(self) -> pd.DataFrame:
        """One row a rule from trees, best first."""
        import pandas as pd

        names = [
            "label", "support", "correct", "accuracy", "coverage", "trees", "test_support",
            "test_accuracy",
        ]  # fmt: skip
        table: dict[str, Any] = {"rule": [rule.text for rule in self.rules]}
        table |= {name: [getattr(rule, name) for rule in self.rules] for name in names}
        return pd.DataFrame(table).assign(p_value=self.p_values, p_adjusted=self.p_adjusted)

    def network(self, label: Any) -> RuleNetwork:
        """Which conditions stand together in the rules of a class.

        Raises
        ------
        PlanError
            No such class.
        """
        from .rule_network import RuleNetwork

        for known, size in self.classes:
            if known == label:
                rules = [rule for rule in self.rules if rule.label == known]
                return RuleNetwork.of(known, size, rules)
        raise PlanError(
            f"label={label!r} is not a class: {nearest(label, [c for c, _ in self.classes])}"
        )

    def networks(self) -> dict[Any, RuleNetwork]:
        """The network of every class."""
        return {label: self.network(label) for label, _ in self.classes}

    def named(self, categories: Mapping[str, Sequence[Any]]) -> RuleSet:
        """The same with names of categories in place of their codes.

        Parameters
        ----------
        categories : mapping of feature name to sequence
            The name of every code, 0 first; features that are not there stay as they are.
        """

        def name_of(feature: str, code: int) -> Any:
            if not 0 <= code < len(categories[feature]):
                raise PlanError(f"categories: {feature!r} has no name for code {code}")
            return categories[feature][code]

        def renamed(rule: Rule) -> Rule:
            conditions = [
                (name, op, name_of(name, value) if op == "=" and name in categories else value)
                for name, op, value in rule.conditions
            ]
            return replace(rule, conditions=tuple(conditions))

        return replace(
            self, rules=tuple(map(renamed, self.rules)),
            rule_list=tuple(map(renamed, self.rule_list)),
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, for the page and for JSON: the best 300 rules at most."""
        untested = np.full(len(self.rule_list), np.nan)  # each sees what those above it leave
        return {
            "rules": _rows(self.rules[:MOST_RULES], self.p_values, self.p_adjusted),
            "rule_list": _rows(self.rule_list, untested, untested),
            "networks": [network.to_dict() for network in self.networks().values()],
            "classes": [{"name": str(label), "size": float(n)} for label, n in self.classes],
            "n_trees": int(self.n_trees),
            "n_rules": len(self.rules),
        }

    def summary(self) -> str:
        """One line."""
        line = (
            f"{plural(len(self.rules), 'rule')} of {plural(self.n_trees, 'tree')}, "
            f"a list of {plural(len(self.rule_list), 'rule')}"
        )
        return f"{line}; the best is {self.rules[0]}" if self.rules else line

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write `frame` as a CSV, whole or not at all."""
        from .._core.files import write_text

        write_text(path, self.frame().to_csv(index=False, lineterminator="\n"))


def hypergeometric_tail(rules: Sequence[Rule]) -> np.ndarray:
    """P(X >= correct) of each rule, X hypergeometric(total, of_class, support) (k,)."""
    from scipy.stats import hypergeom

    numbers = np.array([(r.correct, r.total, r.of_class, r.support) for r in rules], dtype=float)
    numbers = numbers.reshape(-1, 4)
    whole = (np.abs(numbers - np.round(numbers)) < SMALL).all(axis=1)  # False for nan
    correct, *others = np.round(numbers[whole]).T
    p_values = np.full(len(rules), np.nan)
    p_values[whole] = np.clip(hypergeom.sf(correct - 1, *others), 0.0, 1.0)
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
    if wrong < SMALL:
        return f"({round(weight, 2)!r})"
    return f"({round(weight, 2)!r}/{round(wrong, 2)!r})"


def plain_value(value: Any) -> float | int | str:
    """A threshold or category as JSON has it."""
    value = value.item() if isinstance(value, np.generic) else value
    return value if isinstance(value, float | int) and not isinstance(value, bool) else str(value)


def _rows(rules: Sequence[Rule], p_values: np.ndarray, adjusted: np.ndarray) -> list[dict]:
    return [
        rule.to_dict(float(p), float(q))
        for rule, p, q in zip(rules, p_values, adjusted, strict=False)
    ]


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else UNKNOWN


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
