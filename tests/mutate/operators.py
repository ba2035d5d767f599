"""Mutation operators: cosmic-ray's own where they fit, and ours behind its interface.

`KINDS` lists them by kind of change. Each operator names the types of parso's nodes it looks at, so
that a file is walked once for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.plugins import get_operator
from parso.python.tree import Name

Position = tuple[int, int]
Edit = tuple[Any, str]  # a node, and the code that takes its place

# Calls of two arguments that do not care about their order, or that fail at once in another.
SWAP_NOTHING = re.compile(
    "add|array_equal|cast|equal|gcd|getattr|hasattr|hypot|intersect1d|isinstance|issubclass|"
    "logaddexp|max|maximum|min|minimum|multiply|not_equal|setattr|union1d"
)
REDUCTIONS = re.compile(
    "all|any|arg(max|min|partition|sort)|concatenate|count_nonzero|cumprod|cumsum|diff|flip|"
    "logsumexp|(nan)?(max|mean|median|min|prod|std|sum|var)|partition|repeat|sort|take"
)
NEIGHBOURS = {
    "min": "max",
    "minimum": "maximum",
    "fmin": "fmax",
    "nanmin": "nanmax",
    "argmin": "argmax",
    "any": "all",
    "floor": "ceil",
    "union": "intersection",
}
NEIGHBOURS |= {other: one for one, other in NEIGHBOURS.items()}


class Edits(Operator):
    """An operator that lists its edits of a node: pairs of a child, or the node, and new code."""

    kinds: frozenset[str]  # of nodes

    def edits(self, node: Any) -> Iterator[list[Edit]]:
        """Each possible mutation of this node."""
        raise NotImplementedError

    def mutation_positions(self, node: Any) -> Iterator[tuple[Position, Position]]:
        if node.type in self.kinds:
            for edit in self.edits(node):
                yield edit[0][0].start_pos, edit[-1][0].end_pos

    def mutate(self, node: Any, index: int) -> Any:
        edits = list(self.edits(node))[index]
        for old, code in edits:
            new = Name(code, old.start_pos, _prefix(old) if code else "")
            if old is node:
                return new
            old.parent.children[_place(old)] = new
        return node

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return tuple(Example(old, new) for old, new in cls.pairs.items())

    pairs: Mapping[str, str] = {}  # what the first mutation of a source gives


class Axis(Edits):
    """Rows for columns: `axis=0` for `axis=1`, also where a reduction takes it by place."""

    kinds = frozenset({"number"})
    pairs = {"x.sum(axis=0)": "x.sum(axis=1)", "np.mean(x, 1)": "np.mean(x, 0)"}

    def edits(self, node: Any) -> Iterator[list[Edit]]:
        if is_axis(node):
            yield [(node, "1" if node.value == "0" else "0")]


class OffByOne(Edits):
    """A whole number one more, and one less."""

    kinds = frozenset({"number"})
    pairs = {"x = 3": "x = 4", "x[0xF]": "x[0x10]"}

    def edits(self, node: Any) -> Iterator[list[Edit]]:
        value = number_of(node)
        if isinstance(value, int) and not is_axis(node):
            base = hex if node.value.lower().startswith("0x") else str
            for other in (value + 1, value - 1):
                if other >= 0 or node.parent.type not in ("power", "factor"):  # -0 - 1: no `--1`
                    yield [(node, base(other))]


class Constant(Edits):
    """A float a quarter larger; 0.0 becomes 1.0."""

    kinds = frozenset({"number"})
    pairs = {"x = 2.0": "x = 2.5", "x = 0.0": "x = 1.0", "x = 1e-9": "x = 1.25e-09"}

    def edits(self, node: Any) -> Iterator[list[Edit]]:
        value = number_of(node)
        if isinstance(value, float):
            yield [(node, repr(value * 1.25 if value else 1.0))]


class DroppedTerm(Edits):
    """`a + b`, `a * b`, `a and b`, `a ** b`: without the last operand, or another but the first."""

    kinds = frozenset({"arith_expr", "term", "power", "and_test", "or_test", "expr", "and_expr"})
    pairs = {"a + b - c": "a - c", "a * b": "a", "a and b": "a", "x.y ** 2": "x.y"}

    def edits(self, node: Any) -> Iterator[list[Edit]]:
        for sign, term in pairwise(node.children):
            at = sign.type in ("operator", "keyword")
            if at and (node.type != "power" or sign.value == "**"):
                yield [(sign, ""), (term, "")]


class SwappedArgument(Edits):
    """Two arguments by place that stand side by side, exchanged."""

    kinds = frozenset({"trailer"})
    pairs = {"f(a, b)": "f(b, a)", "f(x.y, 2, c=3)": "f(2, x.y, c=3)"}

    def edits(self, node: Any) -> Iterator[list[Edit]]:
        inner = node.children[1]
        if node.children[0].value != "(" or inner.type != "arglist":
            return
        if SWAP_NOTHING.fullmatch(callee(node)):
            return
        given = inner.children[::2]
        for one, two in pairwise(given):
            if any(part.type == "argument" for part in (one, two)):
                return
            codes = [part.get_code(include_prefix=False) for part in (one, two)]
            if codes[0] != codes[1]:
                yield [(one, codes[1]), (two, codes[0])]


class Neighbour(Edits):
    """The smallest for the largest, any for all, floor for ceil."""

    kinds = frozenset({"name"})
    pairs = {"min(a, b)": "max(a, b)", "x.any()": "x.all()"}

    def edits(self, node: Any) -> Iterator[list[Edit]]:
        if node.value in NEIGHBOURS and node.parent.type != "funcdef":
            after = node.get_next_leaf()
            if after is not None and after.value == "(":
                yield [(node, NEIGHBOURS[node.value])]


class AugmentedSign(Edits):
    """`+=` for `-=`."""

    kinds = frozenset({"operator"})
    pairs = {"a += 1": "a -= 1"}

    def edits(self, node: Any) -> Iterator[list[Edit]]:
        other = {"+=": "-=", "-=": "+="}.get(node.value)
        if other:
            yield [(node, other)]


def number_of(node: Any) -> complex | None:
    """The value of a number's leaf."""
    if node.type != "number" or node.value.lower().endswith("j"):
        return None
    try:
        return int(node.value.replace("_", ""), 0)
    except ValueError:
        return float(node.value)


def is_axis(node: Any) -> bool:
    """Whether a number is an axis: 0 or 1, by name or as a reduction's argument."""
    if node.value not in ("0", "1"):
        return False
    parent = node.parent
    if parent.type == "argument":
        return parent.children[0].get_code().strip() == "axis"
    if parent.type == "trailer" and parent.children[0].value == "(":  # x.sum(0)
        return parent.get_previous_sibling().type == "trailer" and _reduces(parent)
    if parent.type == "arglist" and parent.parent.type == "trailer":  # np.sum(x, 0)
        return parent.children.index(node) == 2 and _reduces(parent.parent)
    return False


def _reduces(trailer: Any) -> bool:
    return REDUCTIONS.fullmatch(callee(trailer)) is not None


def callee(trailer: Any) -> str:
    """The last name before a call's brackets."""
    leaf = trailer.get_previous_leaf()
    return leaf.value if leaf is not None and leaf.type == "name" else ""


def _place(node: Any) -> int:
    return next(k for k, child in enumerate(node.parent.children) if child is node)


def _prefix(node: Any) -> str:
    return node.get_first_leaf().prefix


def _core(prefix: str, *changes: str) -> list[Operator]:
    return [get_operator(f"core/{prefix}{change}")() for change in changes]


KINDS: dict[str, list[Operator]] = {
    "comparison": _core(
        "ReplaceComparisonOperator_",
        *("Lt_LtE", "Lt_GtE", "LtE_Lt", "LtE_Gt", "Gt_GtE", "Gt_LtE", "GtE_Gt", "GtE_Lt"),
        *("Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is"),
    ),
    "sign": [
        *_core("ReplaceBinaryOperator_", "Add_Sub", "Sub_Add"),
        *_core("ReplaceUnaryOperator_", "Delete_USub"),
        AugmentedSign(),
    ],
    "boolean": [
        *_core("Replace", "AndWithOr", "OrWithAnd", "TrueWithFalse", "FalseWithTrue"),
        *_core("ReplaceUnaryOperator_", "Delete_Not"),
    ],
    "off by one": [OffByOne()],
    "constant": [Constant()],
    "axis": [Axis()],
    "dropped term": [DroppedTerm()],
    "swapped argument": [SwappedArgument()],
    "extreme": [Neighbour()],
}
CORE_TYPES = {
    "ReplaceComparisonOperator": frozenset({"comparison"}),
    "ReplaceBinaryOperator": frozenset({"operator"}),
    "ReplaceUnaryOperator": frozenset({"factor", "not_test"}),
    "Replace": frozenset({"keyword"}),
}


def types_of(operator: Operator) -> frozenset[str]:
    """The types of the nodes that an operator can mutate."""
    if isinstance(operator, Edits):
        return operator.kinds
    name = type(operator).__name__
    return next(types for start, types in CORE_TYPES.items() if name.startswith(start))
