"""Which types of a saved model a person may trust: classes and functions of estimators.

What runs commands or code for anybody (`os.system`, `subprocess.Popen`, `eval`, `joblib.load`) is
part of no estimator: it is not offered for trust, and no trust lets it in.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import packages_distributions, requires
from pathlib import Path

from .errors import ModelError, shorten_text
from .own_source import INSTALLED_FOLDERS

HARMLESS_TYPES = {  # of the standard library: modules of which any class is data, and single names
    *("array", "collections", "datetime", "decimal", "fractions", "ipaddress", "numbers"),
    *("pathlib", "random", "string", "uuid", "zoneinfo"),
    *("functools.partial", "operator.attrgetter", "operator.itemgetter", "types.SimpleNamespace"),
    *(f"builtins.{kind.__name__}" for kind in (bool, bytearray, bytes, complex, dict, float)),
    *(f"builtins.{kind.__name__}" for kind in (frozenset, int, list, object, range, set)),
    *(f"builtins.{kind.__name__}" for kind in (slice, str, tuple, type, type(None), map)),
}
COMPUTING_PREFIXES = (  # how names of functions begin that do nothing else
    *("numpy.fft.", "numpy.linalg.", "scipy.fft.", "scipy.linalg.", "scipy.ndimage."),
    *("scipy.signal.", "scipy.special.", "scipy.stats."),
)
FILE_FUNCTIONS = {
    "fromfile",
    "fromregex",
    "genfromtxt",
    "load",
    "loadtxt",
    "save",
    "savetxt",
    "savez",
}
FILE_FUNCTIONS |= {"savez_compressed"}  # functions of numpy itself that do more
SKLEARN_PATTERN = re.compile(r"scikit-learn\b")


def refuse_dangerous(names: Iterable[str], functions: Iterable[str], where: str = "model") -> None:
    """Refuse names that nobody may trust, before anything is imported.

    Parameters
    ----------
    names : iterable of str
        All types that it holds, as ``module.Class``.
    functions : iterable of str
        Those of them that are functions.
    where : str
        What holds them, for the message.

    Raises
    ------
    ModelError
        One runs commands or code for anybody, as far as its name says.

    Examples
    --------
    >>> refuse_dangerous(["sklearn.svm._classes.SVC"], [])
    >>> refuse_dangerous(["os.system"], [])
    Traceback (most recent call last):
    ...
    tamis._core.errors.ModelError: the model names 'os.system', which is part of no estimator ...
    """
    functions = set(functions)
    for name in names:
        if _is_foreign(name) or (name in functions and not _learns(name)):
            raise _dangerous(name, where)


def refuse_dangerous_objects(names: Iterable[str], where: str = "model") -> None:
    """Refuse names that are trusted and stand for something else than a class, or a function of an
    estimator: a library gives `os` and its functions by names of its own, too.

    Raises
    ------
    ModelError
        One does.
    """
    for name in names:
        found = _named_object(name)
        if found is None:  # who loads it says what is missing
            continue
        real = f"{getattr(found, '__module__', None)}.{_name_of(found, name)}"
        is_class = isinstance(found, type)
        if not callable(found) or _is_foreign(real) or not (is_class or _learns(real)):
            raise _dangerous(name, where)


def _name_of(found: object, name: str) -> str:
    return getattr(found, "__qualname__", name.rpartition(".")[2]).partition(".")[0]


def _is_foreign(name: str) -> bool:
    """Whether a name is of the standard library, but for what is harmless, or internal."""
    module, _, _ = name.rpartition(".")
    internal = any(part.startswith("__") for part in name.split("."))
    harmless = name in HARMLESS_TYPES or module.partition(".")[0] in HARMLESS_TYPES
    return internal or (name.partition(".")[0] in sys.stdlib_module_names and not harmless)


def _learns(name: str) -> bool:
    """Whether a function computes, is of a package of estimators, or is the user's own."""
    top, _, rest = name.partition(".")
    plain = top == "numpy" and "." not in rest and rest not in FILE_FUNCTIONS
    computes = plain or name.startswith(COMPUTING_PREFIXES)
    return computes or not _is_installed(top) or top in _learning_packages()


def _is_installed(top: str) -> bool:
    try:
        found = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return False
    places = [] if found is None else [found.origin, *(found.submodule_search_locations or ())]
    return any(INSTALLED_FOLDERS & set(Path(place).parts) for place in places if place)


@cache
def _learning_packages() -> frozenset[str]:
    """Scikit-learn, and packages that build on it."""

    def builds_on_it(distributions: Iterable[str]) -> bool:
        return any(
            SKLEARN_PATTERN.match(required)
            for one in distributions
            for required in requires(one) or ()
        )

    found = packages_distributions()
    return frozenset({"sklearn", *(top for top, of in found.items() if builds_on_it(of))})


def _named_object(name: str) -> object | None:
    for module, attributes in _splits(name):
        try:
            found: object = importlib.import_module(module)
        except ImportError:
            continue
        for attribute in attributes:
            found = getattr(found, attribute, None)
        return found
    return None


def _splits(name: str) -> Iterator[tuple[str, list[str]]]:
    """A name as a module and attributes, the longest module first."""
    parts = name.split(".")
    for k in range(len(parts) - 1, 0, -1):
        yield ".".join(parts[:k]), parts[k:]


def _dangerous(name: str, where: str) -> ModelError:
    return ModelError(
        f"the {where} names {shorten_text(name)!r}, which is part of no estimator and may run "
        "anything: it was not loaded, and no --trust changes that"
    )
