"""`StudyResult`: the finished study, from one dictionary."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..._core.checked_json import checked_value, fitting_together, parsed_json
from ..._core.errors import ModelError, StoreError, listed_parts, unbroken_text
from ..._core.first_screen import FirstScreen
from ..._core.inside import MOST_TEXT, Inside
from ..._core.pages import report_function
from ..._core.result_folder import read_object
from ..._core.written_schema import require_schema
from ...data.class_heading import class_heading, number_heading
from ...data.labels import with_labels
from ...metrics.estimates import estimate_text
from ..part import PART_NAME
from .cost_saving import mean_cost
from .estimate_words import bootstrap_words, learning_curve_words
from .first_screen import (
    against_chance,
    any_declined,
    declined_sentence,
    how_stable,
    how_well,
    of_each_block,
    of_each_method,
    price_of_few,
    stability_shown,
    what_was_chosen,
)
from .schema import (
    MODEL_NAME,
    SCHEMA,
    Coverage,
    DataSection,
    Estimate,
    Repeatability,
    Stability,
    StudyContent,
)

if TYPE_CHECKING:
    import pandas as pd

    from ...model.model import Model
    from ...plotting.picture import Picture


@dataclass(frozen=True)
class StudyResult(FirstScreen):
    """A finished study. Everything is drawn from `to_dict()` (see docs/json.md).

    Attributes
    ----------
    folder : Path
        Where its cells, tables, report and model lie.
    """

    content: StudyContent
    folder: Path

    def __repr__(self) -> str:
        metric = self.content["plan"]["metric"]
        found = f"{metric} {estimate_text(self.metrics[metric])}"
        return f"StudyResult({self.content['data']['name']!r}: {found}; {str(self.folder)!r})"

    def to_dict(self) -> StudyContent:
        """The full result as plain numbers, text, lists and dictionaries."""
        return self.content

    @property
    def metrics(self) -> dict[str, Estimate]:
        """The headline: short name -> mean, low, high."""
        return self.content["metrics"]

    @property
    def features(self) -> list[str]:
        """Features of the final model; of the most often chosen ones if there is none."""
        final = self.content["final"]
        if final is not None:
            return list(final["features"])
        return [f["name"] for f in self.content["features"]]

    @property
    def model(self) -> Model:
        """The final model, read from the folder (`tamis.model.load_model`).

        Raises
        ------
        ModelError
            The study has none, or its own code has to be trusted: name it to `load_model`.
        """
        from ...model.file import load_model

        path = Inside(self.folder, MODEL_NAME)
        if not path.exists():
            raise ModelError(
                f"no {MODEL_NAME} in {str(self.folder)!r}: its study has no final model, or is of "
                "an "
                "earlier version (run it again with --resume)"
            )
        return load_model(path)

    @property
    def warnings(self) -> list[str]:
        """What a careful reader should know, one line each: ``code: text``."""
        return [f"{w['code']}: {w['text']}" for w in self.content["warnings"]]

    def frame(self) -> pd.DataFrame:
        """One row a method: score, interval, size, stability, codes of warnings (pandas)."""
        import pandas as pd

        c = self.content
        head = c["headline"]
        codes = [w["code"] for w in c["warnings"]]
        again = c["permutation"]["stability"]
        rows = [
            self._row("headline", c["metrics"], head["coverage"], head["stability"], again, codes)
        ]
        for m in c["methods"]:
            stable, again, codes = m["stability"], m["repeatability"], m["warnings"]
            rows.append(self._row(m["name"], m["metrics"], m["coverage"], stable, again, codes))
        return pd.DataFrame(rows).set_index("method")

    def _row(
        self,
        name: str,
        metrics: dict[str, Estimate],
        given: Coverage,
        stable: Stability,
        again: Repeatability,
        codes: list[str],
    ) -> dict[str, object]:
        """Of `frame`; the share of samples not declined only where some were."""
        metric = self.content["plan"]["metric"]
        score = metrics[metric]
        shares = {"coverage": given["mean"]} if any_declined(self.content) else {}
        return {
            "method": name,
            metric: score["mean"],
            "low": score["low"],
            "high": score["high"],
            **shares,
            "mean_size": stable["mean_size"],
            "nogueira": stability_shown(self.content, stable, again)[0],
            "beyond_chance": again["excess"],
            "asm": stable["asm"],
            "warnings": ", ".join(codes),
        }

    def plot(self, kind: str = "intervals") -> Picture:
        """A picture of the study's page.

        Parameters
        ----------
        kind : str, default="intervals"
            ``"intervals"`` (methods with their intervals), ``"sizes"``, ``"frequency"``,
            ``"permutations"``, ``"confusion"``, ``"roc"`` and others: docs/python.md lists them.

        Raises
        ------
        PlanError
            This study has none of that kind; those that it has are named.
        """
        picture: Picture = report_function("study_picture")(self.content, kind)
        return picture

    def write_report(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Write the page (`tamis.report.write_report`), by default into the folder; its path."""
        written: Path = report_function("write_report")(self.content, self.folder, path)
        return written

    def summary(self) -> str:
        """The first screen: warnings, what was chosen, how well, at what cost, how stable."""
        with fitting_together(self.folder):
            return self._summary()

    def _summary(self) -> str:
        c = with_labels(self.content)
        data = c["data"]
        lines = [
            f"{data['name']}: {data['n_samples']:,} samples ({outcome_words(data)}), "
            f"{data['n_features']:,} "
            f"features, {c['protocol']['outer']}",
            *(f"  ! {warning}" for warning in self.warnings),
        ]
        said = {
            "selected": what_was_chosen(c),
            "how well": how_well(c),
            "abstained": declined_sentence(c),
            "costs": mean_cost(c),
            "chance": against_chance(c),
            "stability": how_stable(c),
            "methods": of_each_method(c),
            "by size": price_of_few(c),
            "blocks": of_each_block(c),
            "bootstrap": bootstrap_words(c),
            "samples": learning_curve_words(c),
        }
        lines += [f"  {k:<9} {text}" for k, text in said.items() if text]
        return "\n".join(map(unbroken_text, lines))


def outcome_words(data: DataSection) -> str:
    """How many samples each class has, or what values a number has."""
    if "outcome" not in data:
        return listed_parts(
            f"{n:,} {class_heading(data['target'], name)}" for name, n in data["counts"].items()
        )
    found = data["outcome"]
    values = (found["min"], found["median"], found["max"])
    return number_heading(data["target"], *values, log=found["log"])


def open_study(folder: str | Path, kind: type = StudyContent) -> StudyResult:
    """Open the folder of a finished study.

    Parameters
    ----------
    folder : path
    kind : type
        A TypedDict of what has to be there.

    Raises
    ------
    StoreError
        The folder has no results: it is no study, or an unfinished one. Or they are not of the
        plan and the data beside them.
    """
    place = Inside(Path(folder), "results.json")
    path = place.path
    try:
        content = parsed_json(place.read_bytes(MOST_TEXT).decode())
        if not isinstance(content, dict) or "schema" not in content or "kind" in content:
            raise StoreError(f"{str(path)!r} is not the result of a study")
        again = "study the table again with `tamis study`"
        require_schema(content["schema"], SCHEMA, repr(str(path)), again)
        study = StudyResult(checked_value(content, kind, path), Path(folder))
        _require_own(study)
        return study
    except StoreError:
        raise
    except OSError as error:
        hint = "it is not the folder of a study"
        if Inside(Path(folder), PART_NAME).exists():
            hint = "it holds a part of a study: put the parts together with `tamis study --join`"
        elif Inside(Path(folder), "plan.json").exists():
            hint = "it is unfinished: run the same `tamis study` with --resume"
        raise StoreError(f"no results.json in {str(folder)!r}; {hint}") from error
    except ValueError as error:
        raise StoreError(f"{str(path)!r} is not readable JSON") from error


def _require_own(study: StudyResult) -> None:
    """Refuse results that are not of the records beside them, where there are any."""
    data = study.content["data"]
    records: dict[str, dict[str, object]] = {
        "plan.json": {**study.content["plan"]},
        "data.json": {"digest": data["digest"], "name": data["name"]},
    }
    for name, own in records.items():
        found = read_object(Inside(study.folder, name), "a study") or {}
        if any(own[key] != found[key] for key in own.keys() & found.keys()):
            raise StoreError(
                f"results.json in {str(study.folder)!r} is not of the {name} beside it: run the "
                "same `tamis study` with --resume"
            )
