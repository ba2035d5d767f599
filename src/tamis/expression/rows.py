"""Steps on tables of probes: one row each."""

from __future__ import annotations

from pydantic import Field

from .._core.rows import Row, StepRow

ROWS: tuple[Row, ...] = (
    StepRow(
        "rma",
        "tamis.expression.frozen_rma:RMA",
        "intensities of probes to log2 values of probe sets, by RMA",
        "RMA",
        logs=True,
        enter="intensities",
        parameters={"background": (bool, ...), "detected": (float, Field(ge=0, le=1))},
        cite=("irizarry2003", "bolstad2003", "mccall2010", "liu2002"),
        page="rma.md",
    ),
    StepRow(
        "median_polish",
        "tamis.expression.frozen_polish:MedianPolish",
        "log2 intensities of probes to values of probe sets, by median polish",
        "median polish",
        cite=("tukey1977", "irizarry2003"),
        page="rma.md",
    ),
)
