"""`RuleSet`: the IF-THEN rules that a selector has found."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.errors import PlanError, counted_noun, nearest_hint
from ..._core.first_screen import FirstScreen
from ...metrics.false_discovery import benjamini_hochberg
from .rule import Rule, hypergeometric_tail
from .rule_network import RuleNetwork

if TYPE_CHECKING:
    import pandas as pd

MOST_RULES = 300  # in `to_dict`


@dataclass(frozen=True)
class RuleSet(FirstScreen):
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
        found = f"{counted_noun(len(self.rules), 'rule')} of {counted_noun(self.n_trees, 'tree')}"
        return f"RuleSet({found}, a list of {counted_noun(len(self.rule_list), 'rule')})"

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
            "label",
            "support",
            "correct",
            "accuracy",
            "coverage",
            "trees",
            "test_support",
            "test_accuracy",
        ]
        table: dict[str, object] = {"rule": [rule.text for rule in self.rules]}
        table |= {name: [getattr(rule, name) for rule in self.rules] for name in names}
        return pd.DataFrame(table).assign(p_value=self.p_values, p_adjusted=self.p_adjusted)

    def network(self, label: Any) -> RuleNetwork:
        """Which conditions stand together in the rules of a class.

        Raises
        ------
        PlanError
            No such class.
        """
        for known, size in self.classes:
            if known == label:
                rules = [rule for rule in self.rules if rule.label == known]
                return RuleNetwork.of(known, size, rules)
        raise PlanError(
            f"label={label!r} is not a class: {nearest_hint(label, [c for c, _ in self.classes])}"
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

        def renamed_rule(rule: Rule) -> Rule:
            conditions = [
                (name, op, name_of(name, value) if op == "=" and name in categories else value)
                for name, op, value in rule.conditions
            ]
            return replace(rule, conditions=tuple(conditions))

        return replace(
            self,
            rules=tuple(map(renamed_rule, self.rules)),
            rule_list=tuple(map(renamed_rule, self.rule_list)),
        )

    def to_dict(self) -> dict[str, object]:
        """Plain numbers, for the page and for JSON: the best 300 rules at most."""
        untested = np.full(len(self.rule_list), np.nan)  # each sees what those above it leave
        return {
            "rules": _rule_rows(self.rules[:MOST_RULES], self.p_values, self.p_adjusted),
            "rule_list": _rule_rows(self.rule_list, untested, untested),
            "networks": [network.to_dict() for network in self.networks().values()],
            "classes": [{"name": str(label), "size": float(n)} for label, n in self.classes],
            "n_trees": int(self.n_trees),
            "n_rules": len(self.rules),
        }

    def summary(self) -> str:
        """One line."""
        line = (
            f"{counted_noun(len(self.rules), 'rule')} of {counted_noun(self.n_trees, 'tree')}, "
            f"a list of {counted_noun(len(self.rule_list), 'rule')}"
        )
        return f"{line}; the best is {self.rules[0]}" if self.rules else line

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write `frame` as a CSV, complete or not at all."""
        from ..._core.fields import plain_frame
        from ..._core.files import write_text

        frame = plain_frame(self.frame())
        write_text(path, frame.to_csv(index=False, lineterminator="\n"))


def _rule_rows(rules: Sequence[Rule], p_values: np.ndarray, adjusted: np.ndarray) -> list[dict]:
    return [
        rule.to_dict(float(p), float(q))
        for rule, p, q in zip(rules, p_values, adjusted, strict=False)
    ]
