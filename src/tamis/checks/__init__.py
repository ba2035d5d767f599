"""The common tests for a method of one's own, with a verdict in words: behind `tamis check`."""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .check_method import check_method as check_method
    from .check_method import every_check as every_check
    from .check_method import n_checks as n_checks
    from .verdict import Check as Check
    from .verdict import Report as Report
    from .verdict import Verdict as Verdict
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
