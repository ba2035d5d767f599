"""Estimators of a user's own: found by name or given as objects, copied, seeded, contained.

A plan names one ``package.module:Name``: a class or an object with ``fit``, or a function without
arguments that makes one. In Python it may be the class or the object itself, which gets a name
that distinguishes its settings. Nothing is called before it is known to be one of these.
"""

from __future__ import annotations

import contextlib
import copy
import importlib
import inspect
import os
import re
import sys
import traceback
import warnings
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

from .errors import PlanError, TamisError, nearest_hint, shorten_text
from .interfaces import Seeds
from .own_source import edited_sources, public_name, settings_digest
from .parameters import Parameters
from .terminal import say_to_user

OWN_NAME_PATTERN = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(-[0-9a-f]{12})?")
# types a model may bring
TRUSTED_TYPES: ContextVar[tuple[str, ...]] = ContextVar("trusted", default=())
_folders: list[str] = []  # from which plans may name modules
_given: dict[str, Own] = {}  # by name
_seen_code: dict[str, str | None] = {}  # by package, as this worker imported it
_warned: set[str] = set()  # what own code warned of already


class OwnCodeError(TamisError):
    """Code of the user's own failed: one line, and the traceback for a log.

    Attributes
    ----------
    trace : str
    check : str
        Code by which `tamis check` names the fault, if it has one.
    """

    def __init__(self, message: str, trace: str = "", check: str = ""):
        super().__init__(message)
        self.trace, self.check = trace, check

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.trace, self.check)

    def at(self, place: str) -> OwnCodeError:
        """The same, with where it happened before it."""
        return OwnCodeError(f"{place}: {self}", self.trace, self.check)


@dataclass(frozen=True, eq=False)
class Own:
    """A class, an object or a function of the user's own, under the name that a plan has for it.

    Attributes
    ----------
    name : str
        ``module:Name``; of an object ``module:Class-digest of its settings``.
    given : object
    folders : tuple of str
        Where its module may lie, beside what is installed.
    source : object
        What the user gave, of which `given` may be a copy.
    edited : tuple of (package, folder, digest)
        Of its code that is no installed package, when it was given.
    """

    name: str
    given: Any
    folders: tuple[str, ...] = ()
    source: Any = None
    edited: tuple[tuple[str, str, str | None], ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """By name, else as an object: reading it makes it known in a worker."""
        import cloudpickle

        pickled = b"" if _named_text(self.name) else cloudpickle.dumps(self.given)
        return _revived_own, (self.name, self.folders, self.edited, pickled)

    def made(self, settings: Parameters | None = None, seed: Seeds | None = None) -> Any:
        """A fresh one, with settings in place, every seed drawn and every number of jobs 1."""
        with running_own_code(self, "be made"):
            one = self._copy(dict(settings or {}))
            _seed_inner_parts(one, seed)
        return one

    @cached_property
    def example(self) -> Any:
        """One as it is given, to be looked at and never fitted."""
        return self.made()

    @property
    def parameters(self) -> tuple[str, ...]:
        """What a plan may set."""
        if hasattr(self.example, "get_params"):
            with running_own_code(self, "tell its parameters"):
                return tuple(self.example.get_params(deep=True))
        if isinstance(self.given, type):
            return tuple(k for k in inspect.signature(self.given).parameters if k != "self")
        return ()

    @property
    def short(self) -> str:
        """The name without its module."""
        return self.name.rpartition(":")[2].partition("-")[0]

    def _copy(self, settings: Parameters) -> Any:
        if isinstance(self.given, type) and not hasattr(self.given, "get_params"):
            return self.given(**settings)
        one = self.given
        if isinstance(one, type | FunctionType):
            one = one()
            if isinstance(one, type) or not callable(getattr(one, "fit", None)):
                what = f"the class {one.__name__}" if isinstance(one, type) else type(one).__name__
                raise PlanError(f"{self.name!r} gives {what} and no object with `fit`")
        one = _unfitted_copy(one)
        if settings:
            if not hasattr(one, "set_params"):
                raise PlanError(f"{self.name!r} takes no parameters: {sorted(settings)[0]!r}")
            one.set_params(**settings)
        return one


@contextlib.contextmanager
def running_own_code(own: Own, doing: str) -> Iterator[None]:
    """Around code of the user's own: it prints to stderr, and what it raises becomes one line."""
    from sklearn import config_context

    try:
        with (
            _printing_to_stderr(),
            config_context(assume_finite=False, skip_parameter_validation=False),
            warnings.catch_warnings(record=True) as raised,
        ):
            warnings.simplefilter("always")
            yield
        for one in raised:
            text = f"{own.name}: {one.category.__name__}: {one.message}"
            if text not in _warned:
                _warned.add(text)
                say_to_user(" ".join(text.split()))
    except (TamisError, KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise OwnCodeError(
            f"{own.name!r} could not {doing} ({shorten_text(said, 200)})", traceback.format_exc()
        ) from error


@contextlib.contextmanager
def _printing_to_stderr() -> Iterator[None]:
    """What is printed, by compiled code too, is not among the data on stdout."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError, ValueError):  # there may be no such files
            sys.stdout.flush()
            kept = os.dup(1)
            stack.callback(os.close, kept)
            os.dup2(2, 1)
            stack.callback(os.dup2, kept, 1)
        stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        yield


def is_own(name: str) -> bool:
    """Whether a plan's name is of code of the user's own."""
    return ":" in name


def own_named(name: str) -> Own:
    """What stands behind a name.

    Raises
    ------
    PlanError
        It is no such name, cannot be imported, or is nothing that can be fitted.
    """
    if not _named_text(name) and name in _given:
        return _given[name]
    if not OWN_NAME_PATTERN.fullmatch(name):
        raise PlanError(
            f"{shorten_text(name)!r} is no name of own code: write package.module:Class"
        )
    if not _named_text(name):
        raise PlanError(f"{name!r} is an object of another session: give it in Python again")
    found = object_named(name)
    known = _given.get(name)
    if known is not None and known.source is found:
        return known
    if isinstance(found, FunctionType) and not _of_own_folder(found):
        raise PlanError(
            f"{name!r} is a function of an installed package, and a plan may call those of --code "
            "DIR alone: name a class or an object, or give the function in Python"
        )
    return own_given(found, name)


def object_named(name: str) -> Any:
    """What a module has under a name, ``package.module:NAME``.

    Raises
    ------
    PlanError
        It cannot be imported, or has nothing of this name.
    """
    if not OWN_NAME_PATTERN.fullmatch(name):
        raise PlanError(
            f"{shorten_text(name)!r} is no name of own code: write package.module:Class"
        )
    module, _, attribute = name.partition(":")
    return _attribute_of(_imported_module(module, name), attribute, name)


def _of_own_folder(function: FunctionType) -> bool:
    """Whether a function was written in a file of a folder that `code_folder` was given."""
    file = getattr(sys.modules.get(function.__module__), "__file__", None)
    return file is not None and any(Path(one) in Path(file).parents for one in _folders)


def given_name(given: Any, key: str) -> str:
    """The name of what a plan's key is given: a name, or a class, object or function.

    Raises
    ------
    PlanError
        It is none of them.
    """
    if isinstance(given, str):
        return given
    if given is None or isinstance(given, bool | int | float | list | tuple | Mapping):
        raise PlanError(f"{key} = {given!r}: give a name, or a class or object of an estimator")
    return own_given(given).name


def own_given(given: Any, name: str = "") -> Own:
    """A class, an object or a function of the user's own, under a name.

    Raises
    ------
    PlanError
        It has no `fit`, or is no function without arguments.
    """
    shown = name or (given.__name__ if hasattr(given, "__name__") else type(given).__name__)
    if isinstance(given, FunctionType):
        needed = _needed_arguments(given)
        if needed:
            raise PlanError(
                f"{shown!r} is a function that needs {needed[0]!r}: only one without arguments "
                "can make an estimator"
            )
    elif not callable(getattr(given, "fit", None)):
        raise PlanError(f"{shown!r} has no `fit`: give a class or object of an estimator")
    elif isinstance(given, type) and (needed := _needed_arguments(given)):
        raise PlanError(
            f"{shown!r} cannot be made without {needed[0]!r}: name a function without arguments "
            "that makes it, or an object"
        )
    if not name:
        name = public_name(given)
        if not isinstance(given, type | FunctionType):
            name += f"-{settings_digest(given)}"
        elif not OWN_NAME_PATTERN.fullmatch(name):
            raise PlanError(f"{shown!r} is inside a function or class: move it out of there")
    if isinstance(given, type | FunctionType):
        kept = given
    elif hasattr(given, "get_params"):
        kept = _unfitted_copy(given)  # what the user does to it later is another object's
    else:
        raise PlanError(
            f"{shown!r} is an object without `get_params`, which may know samples already: give "
            "its class, or a function without arguments that makes one"
        )
    own = _given[name] = Own(name, kept, tuple(_folders), given, edited_sources(given))
    return own


def _unfitted_copy(one: Any) -> Any:
    """A copy that shares nothing with it, and has learnt nothing."""
    for part in inner_parts(one):
        if type(part).__name__ == "FrozenEstimator":
            raise PlanError(
                "a FrozenEstimator stays fitted to the samples it has seen, which may be those "
                "held out: leave it out"
            )
    if not hasattr(one, "get_params"):
        return copy.deepcopy(one)
    from sklearn.base import clone

    return clone(one)


def code_folder(folder: str) -> None:
    """Let plans name modules of a folder; what is installed comes first."""
    if folder not in _folders:
        _folders.append(folder)
    if folder not in sys.path:
        sys.path.append(folder)


def code_folders() -> list[str]:
    """Those folders."""
    return list(_folders)


def _revived_own(
    name: str,
    folders: tuple[str, ...],
    edited: tuple[tuple[str, str, str | None], ...],
    pickled: bytes,
) -> Own:
    for folder in folders:
        code_folder(folder)
    _follow_edits(edited)
    if not pickled:
        return own_named(name)
    import cloudpickle

    given = cloudpickle.loads(pickled)  # written by the study's own process, which checked it
    own = _given[name] = Own(name, given, folders, given, edited)
    return own


def _follow_edits(edited: tuple[tuple[str, str, str | None], ...]) -> None:
    """Import anew what was edited since this worker, which outlives a study, imported it."""
    for top, folder, digest in edited:
        code_folder(folder)
        if _seen_code.setdefault(top, digest) != digest:
            _seen_code[top] = digest
            for module in [m for m in sys.modules if m == top or m.startswith(f"{top}.")]:
                del sys.modules[module]


def _named_text(name: str) -> bool:
    """Whether a name alone says what to import."""
    return "-" not in name and not name.startswith("__main__:")


def _imported_module(module: str, name: str) -> Any:
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or "__main__" in module.split("."):  # which is to be run
        raise PlanError(
            f"{name!r} is of Python itself or a program: name a module of a package or of --code"
        )
    try:
        with _printing_to_stderr():
            return importlib.import_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a module does when it is imported
        if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
            hint = "install it, or name the folder it lies in with --code DIR"
            if module.endswith(".py"):
                hint = "write the module without .py"
            raise PlanError(f"no module {error.name!r} for {name!r}: {hint}") from error
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise PlanError(f"{name!r} cannot be imported ({shorten_text(said, 200)})") from error


def _attribute_of(module: Any, attribute: str, name: str) -> Any:
    if not hasattr(module, attribute):
        fits = [key for key, one in vars(module).items() if hasattr(one, "fit") and key[0] != "_"]
        place = getattr(module, "__file__", None) or module.__name__
        hint = nearest_hint(attribute, fits) if fits else "nothing there can be fitted"
        raise PlanError(f"{name!r}: {shorten_text(place)} has no {attribute!r}: {hint}")
    return getattr(module, attribute)


def _needed_arguments(given: Any) -> list[str]:
    """Arguments without which it cannot be called."""
    try:
        parameters = inspect.signature(given).parameters.values()
    except (TypeError, ValueError):
        return []
    free = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in parameters if p.default is p.empty and p.kind not in free]


def inner_parts(one: Any) -> Iterator[Any]:
    """An object, and every one among its parameters, each once."""
    seen: dict[int, Any] = {}  # by id, which is no other's while it is here
    waiting = [one]
    while waiting:
        now = waiting.pop(0)
        if id(now) in seen or isinstance(now, str | bytes | type | FunctionType):
            continue
        seen[id(now)] = now
        if isinstance(now, list | tuple):
            waiting += now
        elif isinstance(now, Mapping):
            waiting += now.values()
        elif hasattr(now, "get_params"):
            yield now
            waiting += now.get_params(deep=False).values()
        elif hasattr(now, "random_state"):
            yield now


def _seed_inner_parts(one: Any, seed: Seeds | None) -> None:
    """Seed everything that draws at random, in a fixed order; one job each, for cells run beside
    each other."""
    for k, part in enumerate(inner_parts(one)):
        settings = part.get_params(deep=False) if hasattr(part, "get_params") else vars(part)
        changed: dict[str, object] = {}
        if "random_state" in settings and seed is not None:
            own = Seeds(seed.entropy, spawn_key=(*seed.spawn_key, k))
            changed["random_state"] = int(own.generate_state(1)[0] >> 1)
        jobs = settings.get("n_jobs", 1)  # None is one of scikit-learn, of others all cores
        makes = next((base for base in type(part).__mro__ if "__init__" in vars(base)), object)
        ours = makes.__module__.startswith("sklearn.")
        if jobs != 1 and not (jobs is None and ours):
            changed["n_jobs"] = 1
        if not changed:
            continue
        if hasattr(part, "set_params"):
            part.set_params(**changed)
        else:  # a splitter, say; it is a copy of the user's
            for key, value in changed.items():
                setattr(part, key, value)
