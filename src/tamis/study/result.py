"""`StudyResult`: the finished study, from one dictionary."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._core.errors import StoreError


@dataclass(frozen=True)
class StudyResult:
    """A finished study. Everything is drawn from `to_dict()` (see docs/json.md).

    Attributes
    ----------
    folder : Path
        Where its cells, tables, report and model lie.
    """

    content: dict[str, Any]
    folder: Path

    def __repr__(self) -> str:
        metric = self.content["plan"]["metric"]
        found = f"{metric} {interval(self.metrics[metric])}"
        return f"StudyResult({self.content['data']['name']!r}: {found}; {str(self.folder)!r})"

    def to_dict(self) -> dict[str, Any]:
        """The whole result as plain numbers, text, lists and dictionaries."""
        return self.content

    @property
    def metrics(self) -> dict[str, dict[str, float | None]]:
        """The headline: short name -> mean, low, high."""
        return self.content["metrics"]

    @property
    def features(self) -> list[str]:
        """Features of the final model; of the most often chosen ones if there is none."""
        final = self.content["final"]
        if final is not None:
            return list(final["features"])
        return [f["name"] for f in self.content["features"]]

    def _procedures(self) -> list[tuple[str, dict[str, Any]]]:
        """The headline and every method, by name."""
        return [("headline", self.content), *((m["name"], m) for m in self.content["methods"])]

    def frame(self) -> Any:
        """One row a method: score, interval, size, stability (pandas)."""
        import pandas as pd

        metric = self.content["plan"]["metric"]
        rows = []
        for name, entry in self._procedures():
            stable = entry.get("stability") or entry["headline"]["stability"]
            score = entry["metrics"][metric]
            rows.append(
                {
                    "method": name, metric: score["mean"], "low": score["low"],
                    "high": score["high"], "mean_size": stable["mean_size"], "asm": stable["asm"],
                }
            )  # fmt: skip
        return pd.DataFrame(rows).set_index("method")

    def plot(self) -> Any:
        """Methods with their intervals, as a matplotlib figure (extra ``plot``)."""
        from ..metrics import METRICS
        from ..plotting import figure

        c = self.content
        metric = c["plan"]["metric"]
        rows = [
            {"label": who, "headline": entry is c, **entry["metrics"][metric]}
            for who, entry in self._procedures()
        ]
        data = {"metric": METRICS[metric].label, "rows": rows, "chance": c["chance"][metric]}
        return figure("method_intervals", data)

    def summary(self) -> str:
        """The headline in a few lines of text."""
        c = self.content
        metric = c["plan"]["metric"]
        lines = [
            f"{c['data']['name']}: {c['data']['n_samples']} samples, "
            f"{c['data']['n_features']:,} features, {c['protocol']['outer']}"
        ]
        shown = dict.fromkeys([metric, "bcr", "auc"])
        for name in shown:
            chance = c["chance"][name]
            tail = "" if chance["mean"] is None else f"   chance gives {chance['mean']:.3f}"
            lines.append(f"  {name:<9} {interval(c['metrics'][name])}{tail}")
        p = c["permutation"]["p_value"]
        if p is not None:
            floor = " (the least possible)" if p <= 1 / (c["permutation"]["n"] + 1) else ""
            lines.append(f"  p-value   {p:.3g} from {c['permutation']['n']} permutations{floor}")
        stable = c["headline"]["stability"]
        if stable["asm"] is not None:
            lines.append(
                f"  stability {stable['asm']:.2f} (ASM); {stable['common']} features in at least "
                "half of the folds"
            )
        if c["final"]:
            names = c["final"]["features"]
            more = f" and {len(names) - 8} more" if len(names) > 8 else ""
            listed = ", ".join(names[:8]) or "no feature"
            lines.append(f"  final     {c['final']['method']}: {listed}{more}")
        return "\n".join(lines)


def interval(estimate: dict[str, float | None]) -> str:
    """``0.913 (0.85 to 0.97)``, or what is missing."""
    if estimate["mean"] is None:
        return "undefined"
    if estimate["low"] is None:
        return f"{estimate['mean']:.3f}"
    return f"{estimate['mean']:.3f} ({estimate['low']:.3f} to {estimate['high']:.3f})"


def open_study(folder: str | Path) -> StudyResult:
    """Open the folder of a finished study.

    Raises
    ------
    StoreError
        The folder has no results: it is no study, or an unfinished one.
    """
    path = Path(folder) / "results.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(content, dict) or content.get("schema") != 1:
            raise StoreError(f"{str(path)!r} is not the result of a study by this version")
        return StudyResult(content, Path(folder))
    except StoreError:
        raise
    except OSError as error:
        hint = (
            "it is unfinished: run the same `tamis study` with --resume"
            if (Path(folder) / "plan.json").exists()
            else "it is not the folder of a study"
        )
        raise StoreError(f"no results.json in {str(folder)!r}; {hint}") from error
    except ValueError as error:
        raise StoreError(f"{str(path)!r} is not readable JSON") from error
