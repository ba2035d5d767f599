"""What a plan may say: the schema, what each name stands for, and its references."""

from .schema import (
    ARG_MAX,
    OWN,
    DatasetPlan,
    DecisionPlan,
    Method,
    MethodPlan,
    Plan,
    Split,
    StepPlan,
    merged_tables,
)

__all__ = [
    "ARG_MAX",
    "OWN",
    "DatasetPlan",
    "DecisionPlan",
    "Method",
    "MethodPlan",
    "Plan",
    "Split",
    "StepPlan",
    "merged_tables",
]
