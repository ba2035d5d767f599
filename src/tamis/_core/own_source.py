"""What distinguishes estimators of the user's own, and the code of one from a later version."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Mapping
from functools import cache, partial
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

TYPED_SOURCE = "<typed in>"  # for code that no file holds
INSTALLED_FOLDERS = {"site-packages", "dist-packages"}


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
    return _hex_digest(json.dumps(described_object(given), sort_keys=True), size=6)


def described_object(value: Any, depth: int = 0) -> Any:
    """An object as JSON: its class, its settings and those of what is inside it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value if value == value else "nan"
    if depth > 20:
        return "..."
    if isinstance(value, np.generic):
        return described_object(value.item(), depth)
    if isinstance(value, np.ndarray) and value.dtype != object:
        bytes_ = np.ascontiguousarray(value).tobytes()
        return {"array": _hex_digest(bytes_), "shape": value.shape, "dtype": str(value.dtype)}
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        listed = [described_object(one, depth + 1) for one in value]
        return sorted(listed, key=repr) if isinstance(value, set | frozenset) else listed
    if isinstance(value, Mapping):
        return {str(k): described_object(v, depth + 1) for k, v in value.items()}
    if isinstance(value, partial):
        return {"partial": described_object([value.func, value.args, value.keywords], depth + 1)}
    if isinstance(value, type | FunctionType) and ("<" in value.__qualname__ or _typed_in(value)):
        return {"code": public_name(value), "body": _code_body(value, depth)}
    if hasattr(value, "__qualname__"):
        return {"code": public_name(value)}
    if hasattr(value, "get_params"):
        found = {"code": described_object(type(value), depth + 1)}
        found["settings"] = described_object(value.get_params(deep=False), depth + 1)
        requests = _object_state(value).get("_metadata_request")  # what it wants beside X and y
        return (
            found if requests is None else {**found, "asked": described_object(requests, depth + 1)}
        )
    if _object_state(value):
        settings = described_object(_object_state(value), depth + 1)
        return {"code": described_object(type(value), depth + 1), "settings": settings}
    return {"code": public_name(value), "bytes": _pickle_digest(value)}


def _source_readable(code: Any) -> bool:
    """Whether the text of a class or function can be read."""
    try:
        return bool(inspect.getsource(code))
    except (OSError, TypeError):
        return False


def _typed_in(code: Any) -> bool:
    """Whether it was typed in: another of the same name may follow."""
    return code.__module__ == "__main__"


def _code_body(code: Any, depth: int) -> Any:
    """What a function does, or the functions of a class."""
    if isinstance(code, type):
        own = {k: v for k, v in vars(code).items() if isinstance(v, FunctionType)}
        return {k: _code_body(v, depth + 1) for k, v in sorted(own.items())}
    inside = [c for c in code.__code__.co_consts if not hasattr(c, "co_code")]
    nested = [c.co_code.hex() for c in code.__code__.co_consts if hasattr(c, "co_code")]
    held = [cell.cell_contents for cell in code.__closure__ or () if cell.cell_contents is not code]
    return described_object(
        [
            code.__code__.co_code.hex(),
            inside,
            nested,
            code.__code__.co_names,
            code.__defaults__,
            [c for c in held if not isinstance(c, type)],
        ],
        depth + 1,
    )


def _pickle_digest(value: Any) -> str:
    import cloudpickle

    try:
        return _hex_digest(cloudpickle.dumps(value))
    except Exception:  # whatever cannot be pickled has no other description
        return repr(value)


def _hex_digest(content: bytes | str, size: int = 12) -> str:
    given = content if isinstance(content, bytes) else content.encode()
    return blake2b(given, digest_size=size).hexdigest()


def source_versions(given: Any) -> dict[str, str | None]:
    """What the code of an object is: by top-level package its version, or the digest of its files.

    None stands for code that cannot be read again: of a terminal, say.
    """
    found: dict[str, str | None] = {}
    for module in sorted(_modules_in(given, {})):
        top = module.partition(".")[0]
        if module == TYPED_SOURCE:
            found["__main__"] = None
        if top in sys.stdlib_module_names or module == TYPED_SOURCE:
            continue
        now = _source_of(module, top)
        if top not in found or now is None:
            found[top] = now
    return found


def edited_sources(given: Any) -> tuple[tuple[str, str, str | None], ...]:
    """(package, folder it lies in, digest) of what is not installed, which its user may edit."""
    found = {}
    for module in sorted(_modules_in(given, {})):
        top = module.partition(".")[0]
        file = getattr(sys.modules.get(top), "__file__", None)
        if file and top not in {*sys.stdlib_module_names, "__main__"} and not is_installed(module):
            package = hasattr(sys.modules[top], "__path__")
            root = Path(file).parent.parent if package else Path(file).parent
            found[top] = (top, str(root), _source_of(module, top))
    return tuple(found.values())


def is_installed(module: str) -> bool:
    """Whether a module is of an installed package, which nobody edits."""
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is not None and bool(INSTALLED_FOLDERS & set(Path(file).parts))


def _modules_in(value: Any, seen: dict[int, Any]) -> set[str]:
    """Modules of every class and function in an object and its settings; what was seen stays, for
    else another would get its id."""
    if id(value) in seen or value is None or isinstance(value, bool | int | float | str | bytes):
        return set()
    seen[id(value)] = value
    if isinstance(value, np.ndarray | np.generic):
        return set()
    if isinstance(value, partial):
        return _modules_in([value.func, *value.args, *value.keywords.values()], seen)
    if isinstance(value, list | tuple | set | frozenset):
        return set().union(*(_modules_in(one, seen) for one in value)) if value else set()
    if isinstance(value, Mapping):
        return _modules_in(list(value.values()), seen)
    if hasattr(value, "__qualname__"):
        bases = getattr(value, "__mro__", (value,))
        found = {b.__module__ for b in bases if b.__module__}
        return found | {TYPED_SOURCE for b in bases if _typed_in(b) and not _source_readable(b)}
    settings = (
        value.get_params(deep=False) if hasattr(value, "get_params") else _object_state(value)
    )
    return _modules_in(type(value), seen) | _modules_in(settings, seen)


def _object_state(value: Any) -> dict[str, object]:
    return dict(getattr(value, "__dict__", {}))


def _source_of(module: str, top: str) -> str | None:
    """A version of what is installed, a digest of the files of what is not."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or not Path(file).is_file():
        return None
    if is_installed(module):
        names = _installed_distributions().get(top, [])
        try:
            return " ".join(f"{name} {version(name)}" for name in sorted(set(names))) or None
        except PackageNotFoundError:
            return None
    package = getattr(sys.modules.get(top), "__path__", None)
    folders = [Path(one) for one in package] if package else [Path(file).parent]
    paths = [
        p for folder in folders for p in (folder.rglob("*.py") if package else folder.glob("*.py"))
    ]
    digest = blake2b(digest_size=12)
    for path in sorted(paths):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def _installed_distributions() -> Mapping[str, list[str]]:
    return packages_distributions()
