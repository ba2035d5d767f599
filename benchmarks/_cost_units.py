"""Units of the comparison under costs: where each is kept, and what has been computed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from _cost_tasks import Task


def unit_path(folder: Path, task: str, name: str) -> Path:
    """Where a unit is kept."""
    plain = [text.replace(" ", "_").replace("/", "-").replace(",", "") for text in (task, name)]
    return folder / plain[0] / f"{plain[1]}.json"


def read_units(folder: Path, tasks: Sequence[Task], names: Sequence[str]) -> list[dict[str, Any]]:
    """What has been computed."""
    paths = [unit_path(folder, task.name, name) for task in tasks for name in names]
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths if path.exists()]
