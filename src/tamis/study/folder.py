"""What result folders have in common: their names and their JSON, read with care."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .._core.errors import StoreError
from .._core.files import PARTIAL


def names_in(folder: Path) -> list[str]:
    """What lies in the folder, but for files that were never finished."""
    if not folder.is_dir():
        return []
    return sorted(p.name for p in folder.iterdir() if not p.name.endswith(PARTIAL))


def read_object(path: Path, of: str) -> dict[str, Any] | None:
    """The JSON object in a file `of` something; None if there is no file.

    Raises
    ------
    StoreError
        It cannot be read, or is no such object.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise StoreError(f"{str(path.parent)!r} is not a folder: choose another --out") from error
    except OSError as error:
        raise StoreError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except ValueError as error:
        raise StoreError(
            f"{str(path)!r} is not readable JSON: delete it or choose another folder"
        ) from error
    if not isinstance(value, dict):
        raise StoreError(f"{str(path)!r} is not of {of}: choose another folder")
    return value
