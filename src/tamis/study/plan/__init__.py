"""What a plan may say: the schema, what each name stands for, and its references."""

from .checks import OWN
from .method import MethodPlan
from .parts import DecisionPlan, RejectPlan, StepPlan
from .schema import ARG_MAX, DatasetPlan, Method, Plan, Split, merged_tables

__all__ = [
    "ARG_MAX",
    "OWN",
    "DatasetPlan",
    "DecisionPlan",
    "Method",
    "MethodPlan",
    "Plan",
    "RejectPlan",
    "Split",
    "StepPlan",
    "merged_tables",
]
