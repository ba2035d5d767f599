"""A C4.5 tree in words: indented text and IF-THEN rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...interactions.rules.rule import VALUE_TOLERANCE, Rule, weights_text


def feature_names(model: Any) -> list[str]:
    """Names seen by fit, or x0, x1, ..."""
    names = getattr(model, "feature_names_in_", None)
    return [f"x{j}" for j in range(model.n_features_in_)] if names is None else list(names)


def tree_text(model: Any) -> str:
    """Weka's way of printing a tree."""
    names, lines = feature_names(model), []
    if model.n_children_[0] == 0:
        return ": " + _leaf_text(model, 0)
    pending = _children_reversed(model, 0)
    while pending:
        v = pending.pop()
        name, op, value = _branch_test(model, names, v)
        line = f"{'|   ' * (model.depth_[v] - 1)}{name} {op} {_number_text(value)}"
        if model.n_children_[v] == 0:
            line += ": " + _leaf_text(model, v)
        lines.append(line)
        pending += _children_reversed(model, v)
    return "\n".join(lines)


def tree_rules(model: Any) -> list[Rule]:
    """One rule for each leaf with training samples."""
    names, rules = feature_names(model), []
    pending: list[tuple[int, dict]] = [(0, {})]
    while pending:
        v, tests = pending.pop()
        if v > 0:
            name, op, value = _branch_test(model, names, v)
            tests = {**tests, (name, op): value}  # further down limits are tighter
        if model.n_children_[v] > 0:
            pending += [(child, tests) for child in _children_reversed(model, v)]
        elif model.counts_[v].sum() >= VALUE_TOLERANCE:
            conditions = tuple((name, op, value) for (name, op), value in tests.items())
            counts, c = model.counts_[v], _largest_class(model.counts_[v])
            rules.append(
                Rule(
                    conditions,
                    _plain_value(model.classes_[c]),
                    float(counts.sum()),
                    float(counts.max()),
                    float(model.counts_[0].sum()),
                    float(model.counts_[0][c]),
                )
            )
    return rules


def _children_reversed(model: Any, v: int) -> list[int]:
    """The last child first, for a stack."""
    first = int(model.first_child_[v])
    return list(range(first + int(model.n_children_[v]) - 1, first - 1, -1))


def _branch_test(model: Any, names: list[str], v: int) -> tuple[str, str, Any]:
    """What a sample must meet to come to a node from its parent."""
    parent = model.parent_[v]
    j = model.feature_[parent]
    if model.is_categorical_[j]:
        return names[j], "=", _plain_value(model.categories_[j][model.level_[v]])
    return names[j], "<=" if model.level_[v] == 0 else ">", float(model.threshold_[parent])


def _leaf_text(model: Any, v: int) -> str:
    counts = model.counts_[v]
    weight = float(counts.sum())
    # an empty leaf says what its parent says
    while v > 0 and model.counts_[v].sum() < VALUE_TOLERANCE:
        v = model.parent_[v]
    label = model.classes_[_largest_class(model.counts_[v])]
    return f"{label} {weights_text(weight, float(counts.max()))}"


def _largest_class(counts: np.ndarray) -> int:
    """The first of the largest classes, rounding aside."""
    return int(np.flatnonzero(counts > counts.max() - VALUE_TOLERANCE)[0])


def _plain_value(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _number_text(value: Any) -> str:
    """Six decimals as Weka has it, more digits where the number is small."""
    if not isinstance(value, float):
        return str(value)
    if value != 0 and abs(value) < 0.1:
        return f"{value:.6g}"
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
