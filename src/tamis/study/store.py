"""The folder of a study: written piece by piece, each piece complete or absent.

::

    plan.json data.json cells/<permutation>/<repeat>/<fold>-<ranker>.arrow
    results.json report.html model.npz tables/*.tsv journal.jsonl

Everything but the journal is the same bytes for the same plan, data, seed and versions.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NotRequired

from typing_extensions import TypedDict

from .._core.checked_json import checked_value
from .._core.errors import StoreError, listed_names, printable_lines
from .._core.files import write_json, write_text
from .._core.own_code import OwnCodeError
from .._core.parts import PART_NAME, folders_of_parts
from .._core.result_folder import IfExists, ResultFolder, differing_names
from ..classifiers.classifier_labels import takes_costs
from .plan.schema import SIDE_ESTIMATES

Code = Mapping[str, Mapping[str, str | None]]  # sources of each of the user's own
PLAN_NAME, DATA_NAME = "plan.json", "data.json"
INTERVALS_KEY = "prediction_intervals"  # of a plan that has them
TRACEBACK_NAME = "own_code_error.txt"  # the traceback of code of the user's own

TABLE_TITLES = {
    "methods.tsv": "Every method and the headline, with intervals",
    "folds.tsv": "What every method chose in every outer fold",
    "predictions.tsv": "Out-of-fold predictions of the headline and every method",
    "features.tsv": "Every feature and how often it was chosen",
    "permutations.tsv": "Scores of the permuted runs",
    "size_curve.tsv": "Inner and outer score of every size",
}


class PlannedMethod(TypedDict):
    """Of a method in ``plan.json`` what is looked at."""

    select: str
    classify: list[str]


class PlanRecord(TypedDict):
    """Of ``plan.json``, a `Plan.model_dump`, what is looked at."""

    method: list[PlannedMethod]


class DataRecord(TypedDict):
    """Of ``data.json``, what the data and the libraries are, what is looked at."""

    versions: dict[str, str]
    code: NotRequired[dict[str, dict[str, str | None]]]


class Store(ResultFolder):
    """A study's result folder.

    Parameters
    ----------
    folder : path
    """

    noun = "study"
    origin = "a study"
    record_files = (DATA_NAME, PLAN_NAME)
    own_files = (
        "cells/*/*/*.arrow",
        *(f"tables/{name}" for name in TABLE_TITLES),
        "results.json",
        "report.html",
        "model.npz",
        PART_NAME,
        "model.skops",  # of an earlier version, which nothing reads
        TRACEBACK_NAME,
    )

    def begin(self, plan: Mapping[str, object], data: DataRecord, if_exists: IfExists) -> list[str]:
        """Claim the folder for a study, or check that it holds this very study; remarks.

        Cells hold beliefs, not decisions: a study may be resumed with another `decide`,
        `recalibrate`, criterion or metric, with or without estimates beside its own
        (`SIDE_ESTIMATES`) or prediction intervals, or with other costs if no classifier was given
        them; the plan then says so, and a remark does.

        Raises
        ------
        StoreError
            The folder holds a study that is not to be resumed; or it holds another one. Nothing
            but its journal is changed then.
        """
        old = self.claim({DATA_NAME: data, PLAN_NAME: plan}, if_exists)
        if old is None:
            return []
        self.require_same_study(old, plan, data)
        self.remove_partial_files()
        if (before := old[PLAN_NAME]) == plan:
            return []
        write_json(self.inside(PLAN_NAME), plan)
        return [
            f"the plan differs from what {self.quoted} was begun with (in: "
            f"{', '.join(differing_names(before, plan))}): finished fits are kept, and results are "
            "computed again with the new plan"
        ]

    @contextlib.contextmanager
    def own_code_traced(self) -> Iterator[None]:
        """Keep the traceback of the user's own code where that fails, and say where it is."""
        with contextlib.suppress(FileNotFoundError):
            self.inside(TRACEBACK_NAME).unlink()  # of what failed before
        try:
            yield
        except OwnCodeError as error:
            if not error.trace:
                raise
            place = self.inside(TRACEBACK_NAME)
            write_text(place, printable_lines(error.trace))
            message = f"{error}; its traceback is in {str(place)!r}"
            raise OwnCodeError(message, error.trace) from None

    def require_same_study(
        self,
        old: Mapping[str, Mapping[str, object]],
        plan: Mapping[str, object],
        data: DataRecord,
    ) -> None:
        """Refuse records of a study whose cells are not those of this plan and these data.

        Raises
        ------
        StoreError
            With what differs: the plan, the data, the versions or the user's own code.
        """
        checked_value(old[PLAN_NAME], PlanRecord, self.folder / PLAN_NAME)
        before = old[PLAN_NAME]
        alone = (before.keys() ^ plan.keys()) - {INTERVALS_KEY}
        if alone:
            raise StoreError(
                f"the study in {self.quoted} was begun with another version of Tamis (only one of "
                f"the plans has {listed_names(sorted(alone))}): "
                f"{self.other_folder}"
            )
        self.require_same_settings(
            without_decisions(before), without_decisions(plan), "the plan differs"
        )
        self.require_same_data(old[DATA_NAME], data)
        begun = checked_value(old[DATA_NAME], DataRecord, self.folder / DATA_NAME)
        self.require_same_versions(begun["versions"], data["versions"])
        self._require_same_code(begun.get("code", {}), data.get("code", {}))

    def _require_same_code(self, old: Code, new: Code) -> None:
        """Refuse to go on with the user's own code if it changed, or that cannot be known."""
        for name, sources in new.items():
            lost = [top for top, source in sources.items() if source is None]
            if lost:
                raise StoreError(
                    f"the code of {name!r} cannot be read ({listed_names(lost)}), so a change of "
                    "it would not be seen: put it into a file, or "
                    f"{self.other_folder}"
                )
            if old.get(name) != sources:
                changed = [k for k in sources if dict(old.get(name) or {}).get(k) != sources[k]]
                raise StoreError(
                    f"the code of {name!r} changed since {self.quoted} was begun "
                    f"({listed_names(changed)}): results would mix; {self.other_folder}"
                )


def parts_to_join(
    paths: Sequence[str | os.PathLike[str]],
    plan: Mapping[str, object],
    data: DataRecord,
    out: str | os.PathLike[str],
) -> list[Store]:
    """The folders of parts of this very study; of a folder that is none, those that lie in it.

    Raises
    ------
    StoreError
        A path has no part in it, that of another study, or is `out`.
    """
    found = []
    for store, records in folders_of_parts(Store, paths, out):
        store.require_same_study(records, plan, data)
        if names := differing_names(records[PLAN_NAME], plan):
            raise StoreError(
                f"the plan of {store.quoted} is another (in: {listed_names(names)}): join with the "
                "plan that all parts had; decisions can be changed afterwards with --resume"
            )
        found.append(store)
    return found


def study_mark(plan: Mapping[str, object], data: Mapping[str, object]) -> str:
    """Equal for studies that have the same cells, by the records that they are begun with."""
    about = {key: data.get(key) for key in ("digest", "versions", "code")}
    text = json.dumps([without_decisions(plan), about])
    same = json.loads(text, parse_float=_integer_or_float)  # 1.0 is 1, as where plans are compared
    return blake2b(json.dumps(same, sort_keys=True).encode(), digest_size=16).hexdigest()


def _integer_or_float(text: str) -> float:
    """A number, an integer where it is one."""
    number = float(text)
    return int(number) if number.is_integer() else number


def without_decisions(plan: Mapping[str, object]) -> dict[str, object]:
    """A plan without what chooses and decides after the cells."""
    own = ("decide", "recalibrate", "reject", "tune")
    named: Any = plan["method"]
    methods = [{k: v for k, v in m.items() if k not in own} for m in named]
    later = ["allow", "decide", "parsimony", "metric", "recalibrate", "reject", "tune"]
    later.append(INTERVALS_KEY)  # made of the same cells
    later += SIDE_ESTIMATES  # cells of their own
    labels = [k for m in methods if m["select"] not in m["classify"] for k in m["classify"]]
    if not any(takes_costs(label) for label in labels):
        later.append("costs")
    return {k: methods if k == "method" else v for k, v in plan.items() if k not in later}
