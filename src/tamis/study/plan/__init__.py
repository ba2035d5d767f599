"""What a plan may say: the schema, what each name stands for, and its references."""

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .checks import OWN_SIZE as OWN_SIZE
    from .dataset import DatasetPlan as DatasetPlan
    from .method import MethodPlan as MethodPlan
    from .parts import DecisionPlan as DecisionPlan
    from .parts import RejectPlan as RejectPlan
    from .parts import StepPlan as StepPlan
    from .schema import Method as Method
    from .schema import Plan as Plan
    from .schema import Split as Split
    from .toml import merged_tables as merged_tables
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
