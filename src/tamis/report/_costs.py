"""What errors cost: the costs in words, what the procedure and every method cost under them."""

from __future__ import annotations

from typing import NamedTuple

from ..metrics.cost_matrix import CLASS_SIZES
from ..plotting._axes import Series
from ..plotting.cost_curve import OperatingPoint
from ..study.results.cost_saving import constant_beside, constant_words, cost_digits
from ..study.results.first_screen import any_declined
from ..study.results.schema import Costs, Estimate, StudyContent
from ._coverage import class_names, labels_note
from ._methods import PROCEDURE_NAME
from ._numbers import UNDEFINED_MARK, percent_text
from ._page import CostsView
from ._table import Cell, Column, build_table, computed_column

MOST_SAID = 3  # classes whose errors are listed one by one


class Costed(NamedTuple):
    """A row of the table: the full procedure, or a method."""

    label: str
    name: str
    found: Estimate
    by_class: dict[str, float | None]
    head: bool = False


def costs_view(result: StudyContent, chart: list[Series]) -> CostsView | None:
    """The section; None where no costs were given. `chart` has the cost curves of two classes."""
    costs = result.get("costs")
    if costs is None:
        return None
    names = [shown for _, shown in class_names(result)]
    matrix = costs["matrix"] or []
    own = [
        Costed(
            PROCEDURE_NAME,
            "headline",
            result["metrics"]["loss"],
            result["headline"].get("cost_by_class", {}),
            head=True,
        ),
        *(
            Costed(m["label"], m["name"], m["metrics"]["loss"], m.get("cost_by_class", {}))
            for m in result["methods"]
        ),
    ]
    return {
        "classes": names,
        "matrix": [
            {"label": name, "cells": [cost_text(cost) for cost in row]}
            for name, row in zip(names, matrix, strict=False)
        ],
        "said": _errors_said(names, matrix),
        "origin": _cost_origin(costs, len(names)),
        "sentences": _cost_sentences(result, costs, names),
        "table": build_table(
            "costs",
            "Mean cost of every method",
            _cost_columns(result, costs),
            own,
            lambda r: r.head,
        ),
        "chart": chart if any(one["points"] for one in chart) else [],
        "operating": operating_point(result),
        "note": labels_note(result, "loss"),
    }


def cost_text(value: float | None, digits: int | None = None) -> str:
    """A cost, thousands set apart; with four digits of what is no integer.

    Examples
    --------
    >>> cost_text(10.0), cost_text(25000.0), cost_text(0.123456), cost_text(-2.0), cost_text(4, 2)
    ('10', '25,000', '0.1235', '−2', '4.00')
    """
    if value is None:
        return UNDEFINED_MARK
    if digits is None:
        no_decimals = float(value).is_integer() or abs(value) >= 1000
        text = f"{value:,.0f}" if no_decimals else f"{value:.4g}"
    else:
        text = f"{value:,.{digits}f}"
    return text.replace("-", "−")


def operating_point(result: StudyContent) -> OperatingPoint | None:
    """Where the costs at hand are on a cost curve of two classes, and what the decisions of the
    study cost there; None where samples have their own costs."""
    costs, classes = result.get("costs"), result["data"]["classes"]
    if costs is None or costs["x"] is None:
        return None
    x = costs["x"]
    recalls = [result["recalls"][name]["mean"] for name in classes]
    loss = None
    if None not in recalls and not any_declined(result):
        loss = sum((1 - (r or 0.0)) * w for r, w in zip(recalls, (1 - x, x), strict=True))
    return {"x": x, "threshold": costs["threshold"], "loss": loss}


def _errors_said(names: list[str], matrix: list[list[float]]) -> list[str]:
    """Each error in words, the dearest first."""
    if len(names) > MOST_SAID or not matrix:
        return []
    cells = [(matrix[i][j], i, j) for i in range(len(names)) for j in range(len(names))]
    said = sorted((c for c in cells if c[1] != c[2]), key=lambda c: -c[0])
    said += [c for c in cells if c[1] == c[2] and c[0]]
    return [
        f"A sample of {names[j]} called {names[i] if i != j else 'so'} {_costs_it(cost)}."
        for cost, i, j in said
    ]


def _costs_it(cost: float) -> str:
    if cost < 0:
        return f"gains {cost_text(-cost)}"
    return f"costs {cost_text(cost) if cost else 'nothing'}"


def _cost_origin(costs: Costs, n_classes: int) -> str:
    """Where the costs come from, if not from whoever wrote the plan."""
    if costs["matrix"] is None:
        column = "column" if len(costs["columns"]) == 1 else "columns"
        return (
            f"Every sample has costs of its own, from the {column} {', '.join(costs['columns'])}: "
            "there is no matrix, and no one threshold."
        )
    if costs["origin"] != CLASS_SIZES:
        return ""
    what = "the size of the other class" if n_classes == 2 else "the more, the smaller the class"
    return f"An error on a class costs {what}, so that all classes weigh the same."


def _cost_sentences(result: StudyContent, costs: Costs, names: list[str]) -> list[str]:
    digits, least = cost_digits(costs), constant_beside(costs)["loss"]
    found, star = result["metrics"]["loss"], costs["threshold"]
    whom = "Of the samples given a class, the" if "constant_given" in costs else "The"
    said = [
        f"{whom} cheapest prediction that ignores the features costs {cost_text(least, digits)} a "
        f"sample: {constant_words(result, 'loss')}."
    ]
    if found["mean"] is None:
        why = f" ({found['note']})" if found.get("note") else ""
        said.append(f"The mean cost of the procedure is undefined{why}.")
    else:
        ends = _cost_interval(found, digits)
        limits = f" (95\u00a0% interval {ends})" if ends else ""
        share = f", {percent_text(found['mean'] / least)} of that" if least > 0 else ""
        mean = cost_text(found["mean"], digits)
        said.append(f"The procedure costs {mean} a sample{limits}{share}.")
    if star is not None and len(names) == 2:
        said.append(
            f"Where probabilities are right, {names[1]} is the cheaper prediction from "
            f"p* = {star:.3g} on."
        )
    return said


def _cost_interval(found: Estimate, digits: int) -> str:
    """The interval of a mean cost."""
    if found["low"] is None or found["high"] is None:
        return ""
    return f"{cost_text(found['low'], digits)} to {cost_text(found['high'], digits)}"


def _cost_columns(result: StudyContent, costs: Costs) -> list[Column]:
    digits, least = cost_digits(costs), costs["constant"]["loss"]
    columns = [
        Column("method", lambda r: r.label, "Method", numeric=False),
        Column("name", lambda r: r.name),
        Column(
            "loss",
            lambda r: r.found["mean"],
            "Mean cost",
            lambda r: Cell(cost_text(r.found["mean"], digits), _cost_interval(r.found, digits)),
            help="of a sample, and its 95 % interval",
        ),
        Column("loss_low", lambda r: r.found["low"]),
        Column("loss_high", lambda r: r.found["high"]),
    ]
    if least > 0 and not any_declined(result):  # else each is of samples of its own

        def share_of_least(row: Costed) -> float | None:
            return None if row.found["mean"] is None else row.found["mean"] / least

        columns.append(
            computed_column(
                "share",
                share_of_least,
                "Of constant",
                percent_text,
                help="as a share of the best constant prediction's cost",
            )
        )

    def show_cost(cost: float | None) -> str:
        return cost_text(cost, digits)

    for name, shown in class_names(result):

        def of_class(row: Costed, name: str = name) -> float | None:
            return row.by_class.get(name)

        help = f"mean cost of a sample of {shown}"
        columns.append(computed_column(f"cost {name}", of_class, shown, show_cost, help=help))
    return columns
