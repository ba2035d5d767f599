"""The face of a package: public names that are imported when they are used, and old names.

What users have written with a name that has changed works on, with a `DeprecationWarning`.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

PUBLIC_NAMES: dict[str, dict[str, str]] = {"tamis.metrics": {"Sampling": "VarianceInflation"}}
ROW_FIELDS = {
    "rough": "poorly_calibrated",
    "crowded": "max_features_per_sample",
    "weighs": "sets_sample_weight",
    "weights": "accepts_sample_weight",
    "wraps": "is_meta_estimator",
    "shown": "show_in_report",
    "whole": "needs_all_columns",
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
    A whole ``__init__.py``::

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
    """A class whose fields may be given by their old names."""

    def __call__(cls, *args: Any, **given: Any) -> Any:
        """An instance."""
        for old in given.keys() & ROW_FIELDS.keys():
            given[current_name(old, ROW_FIELDS, cls.__name__)] = given.pop(old)
        return super().__call__(*args, **given)
