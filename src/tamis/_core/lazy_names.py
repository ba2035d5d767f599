"""The face of a package: public names that are imported when they are used, and old names.

What users have written with a name that has changed works on, with a `DeprecationWarning`.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import Field, is_dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar

PUBLIC_NAMES: dict[str, dict[str, str]] = {"tamis.metrics": {"Sampling": "VarianceInflation"}}
ROW_FIELDS = {  # a field that has gone into a group has its name in the group
    "rough": "poorly_calibrated",
    "crowded": "max_features_per_sample",
    "weighs": "sets_sample_weight",
    "weights": "accepts_sample_weight",
    "wraps": "is_meta_estimator",
    "shown": "show_in_report",
    "whole": "needs_all_columns",
    "told": "text_parameters",
    "own": "own_size",
}
STEP_FLAGS = ("counts", "intensities")  # of steps; they are values of `enter` now
UNREAD_FIELDS = {  # of rows, and what is read in their place
    "ClassifierRow.charged": "a classifier that takes costs charges them",
    "DecisionRow.by_prior": "its class has by_prior",
    "FilterRow.random": "its score has an argument random_state, or not",
    "PathRow.natural": "probabilities of a path are taken as natural",
    "PlanRow.estimator": "nothing but the row's target is loaded",
    "PlanRow.free": "parameters of type Any may be any JSON",
    "RuleRow.beliefs": "its class has needs",
    "RuleRow.costs": "its class has by_sample",
    "SelectingRow.cuts": "filters alone are cut off",
    "SelectingRow.sized": "what has a target is cut at sizes",
    "SimilarityRow.learns": "a class learns, a function does not",
    "StepRow.batches": "its learn has an argument batch, or not",
    "StepRow.groups": "its learn has an argument groups, or not",
    "StepRow.names": "its learn has an argument names, or not",
}

Face = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]


class _Package(ModuleType):
    """A package in which a function may have the name of its module.

    Whenever that module is imported, Python would put it in the function's place.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and name in self.__all__):
            super().__setattr__(name, value)


def lazy_names(package: str) -> Face:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    Its names stand once in its ``__init__.py``: in the imports under ``if TYPE_CHECKING:``, which
    type checkers read as they are.

    Parameters
    ----------
    package : str
        Its ``__name__``.

    Examples
    --------
    A complete ``__init__.py``::

        from typing import TYPE_CHECKING

        from .._core.lazy_names import lazy_names

        if TYPE_CHECKING:
            from .file import load_model as load_model
        else:
            __getattr__, __dir__, __all__ = lazy_names(__name__)
    """
    module = sys.modules[package]
    homes = _imports_for_checkers(module)
    module.__class__ = _Package

    def import_name(name: str) -> Any:
        known = PUBLIC_NAMES.get(package, {})
        if name in known:
            return getattr(module, current_name(name, known, package))
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name], package), name)
        setattr(module, name, value)
        return value

    names = sorted(homes)
    return import_name, names.copy, names


def _imports_for_checkers(module: ModuleType) -> dict[str, str]:
    """Each name that a package imports under its `if`, and the module it comes from."""
    with open(str(module.__file__), "rb") as file:
        source = ast.parse(file.read())
    return {
        alias.name: "." * line.level + str(line.module)
        for block in source.body
        if isinstance(block, ast.If)
        for line in block.body
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
    }


def current_name(old: str, known: Mapping[str, str], where: str) -> str:
    """What an old name is now, with a warning at the line of the caller's caller."""
    new = known[old]
    warnings.warn(f"{old!r} of {where} is now {new!r}", DeprecationWarning, stacklevel=3)
    return new


class RenamedFields(type):
    """A dataclass that may be given fields by their old names, and those of its groups flat.

    A group is a field whose default is a dataclass.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __call__(cls, *args: Any, **given: Any) -> Any:
        """An instance."""
        for old in [name for name in given if name not in cls.__dataclass_fields__]:
            if now := _renew_field(cls, old, given):
                text = f"{old!r} of {cls.__name__} is {now}"
                warnings.warn(text, DeprecationWarning, stacklevel=2)
        return super().__call__(*args, **given)


def _renew_field(row: RenamedFields, old: str, given: dict[str, Any]) -> str:
    """Put what has an old name where it belongs, and say where; empty: no field had that name."""
    new, known = ROW_FIELDS.get(old, old), row.__dataclass_fields__
    for name, field in known.items():
        if is_dataclass(field.default) and new in field.default.__dataclass_fields__:
            group: Any = given.get(name, field.default)
            given[name] = replace(group, **{new: given.pop(old)})
            return f"now {f'{name}.{new}'!r}"
    if old in STEP_FLAGS and "enter" in known:
        given |= {"enter": old} if given.pop(old) else {}
        return f"now enter = {old!r}"
    for kind in row.__mro__:
        if instead := UNREAD_FIELDS.get(f"{kind.__name__}.{old}", ""):
            del given[old]
            return f"not read any more: {instead}"
    return ""
