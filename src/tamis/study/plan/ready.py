"""Plans that come with the package."""

from __future__ import annotations

from pathlib import Path

from ..._core.errors import PlanError, nearest_hint

PLANS_FOLDER = Path(__file__).parent.parent / "plans"
# what a study runs where no plan names a method, by the kind of outcome
DEFAULT_PLANS = {"class": "default", "number": "default_number"}


def ready_plans() -> list[str]:
    """Names of the plans that come with the package."""
    return sorted(path.stem for path in PLANS_FOLDER.glob("*.toml"))


def plan_file(path: Path) -> Path:
    """The file of a path, or of the name of a ready plan."""
    if path.suffix or len(path.parts) > 1 or path.exists():
        return path
    if path.name not in (names := ready_plans()):
        raise PlanError(
            f"there is no plan {str(path)!r}, neither a file nor a ready one: "
            f"{nearest_hint(path.name, names)}"
        )
    return PLANS_FOLDER / f"{path.name}.toml"
