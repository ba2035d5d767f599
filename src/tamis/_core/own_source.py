"""What tells one estimator of the user's own from another, and its code from a later one."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any

import numpy as np

INSTALLED = ("site-packages", "dist-packages")


def public_name(given: Any) -> str:
    """``module:Name`` of a class or function, or of an object's class, by the shortest way to it.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> public_name(LogisticRegression)
    'sklearn.linear_model:LogisticRegression'
    """
    code = given if hasattr(given, "__qualname__") else type(given)
    name, parts = str(code.__qualname__), str(code.__module__).split(".")
    for end in range(1, len(parts)):
        module = sys.modules.get(".".join(parts[:end]))
        if module is not None and vars(module).get(name) is code:
            return f"{'.'.join(parts[:end])}:{name}"
    return f"{'.'.join(parts)}:{name}"


def settings_digest(given: Any) -> str:
    """Twelve digits of an object's class and settings; the same in every process.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> settings_digest(LogisticRegression(C=1.0)) == settings_digest(LogisticRegression())
    True
    """
    text = json.dumps(described(given), sort_keys=True)
    return blake2b(text.encode(), digest_size=6).hexdigest()


def described(value: Any, depth: int = 0) -> Any:
    """An object as JSON: its class, its settings and those of what is inside it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value if value == value else "nan"
    if depth > 20:
        return "..."
    if isinstance(value, np.generic):
        return described(value.item(), depth)
    if isinstance(value, np.ndarray) and value.dtype != object:
        digest = blake2b(np.ascontiguousarray(value).tobytes(), digest_size=12).hexdigest()
        return {"array": digest, "shape": value.shape, "dtype": str(value.dtype)}
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        listed = [described(one, depth + 1) for one in value]
        return sorted(listed, key=repr) if isinstance(value, set | frozenset) else listed
    if isinstance(value, Mapping):
        return {str(k): described(v, depth + 1) for k, v in value.items()}
    if hasattr(value, "__qualname__"):
        return {"code": public_name(value)}
    settings = value.get_params(deep=False) if hasattr(value, "get_params") else _state(value)
    asked = _state(value).get("_metadata_request")  # what it wants beside X and y
    found: dict[str, Any] = {"code": public_name(value), "settings": described(settings, depth + 1)}
    return found if asked is None else {**found, "asked": described(asked, depth + 1)}


def sources(given: Any) -> dict[str, str | None]:
    """What the code of an object is: by top-level package its version, or the digest of its files.

    None stands for code that cannot be read again: of a terminal, say.
    """
    found: dict[str, str | None] = {}
    for module in sorted(_modules_in(given, set())):
        top = module.partition(".")[0]
        now = _source_of(module, top)
        if top not in found or now is None:
            found[top] = now
    return found


def _modules_in(value: Any, seen: set[int]) -> set[str]:
    """Modules of every class and function in an object and its settings."""
    if id(value) in seen or value is None or isinstance(value, bool | int | float | str | bytes):
        return set()
    seen.add(id(value))
    if isinstance(value, np.ndarray | np.generic):
        return set()
    if isinstance(value, list | tuple | set | frozenset):
        return set().union(*(_modules_in(one, seen) for one in value)) if value else set()
    if isinstance(value, Mapping):
        return _modules_in(list(value.values()), seen)
    if hasattr(value, "__qualname__"):
        bases = getattr(value, "__mro__", (value,))
        return {b.__module__ for b in bases if b.__module__ not in (None, "builtins", "abc")}
    settings = value.get_params(deep=False) if hasattr(value, "get_params") else _state(value)
    return _modules_in(type(value), seen) | _modules_in(settings, seen)


def _state(value: Any) -> dict[str, Any]:
    return dict(getattr(value, "__dict__", {}))


def _source_of(module: str, top: str) -> str | None:
    """A version of what is installed, a digest of the files of what is not."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or not Path(file).is_file():
        return None
    if set(INSTALLED) & set(Path(file).parts):
        names = packages_distributions().get(top, [])
        try:
            return " ".join(f"{name} {version(name)}" for name in sorted(set(names))) or None
        except PackageNotFoundError:
            return None
    digest = blake2b(digest_size=12)
    for path in sorted(_files_beside(top, Path(file))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _files_beside(top: str, file: Path) -> Iterator[Path]:
    """The files of a package, or of all loaded modules of the folder that a single module lies in.

    Such a module may use its neighbours.
    """
    package = getattr(sys.modules.get(top), "__path__", None)
    if package:
        for folder in package:
            yield from Path(folder).rglob("*.py")
        return
    for loaded in list(sys.modules.values()):
        name = getattr(loaded, "__file__", None)
        if name and Path(name).suffix == ".py" and file.parent in Path(name).parents:
            yield Path(name)
