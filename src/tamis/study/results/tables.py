"""The study's tables as TSV files beside the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..._core.tsv import name_fields, table_field, tsv_text
from ...data.dataset import Dataset
from ...metrics.registry import metric_row
from .collect import Choice, Collected
from .feature_table import FeatureTable
from .first_screen import stability_shown
from .outcomes import OUTCOMES
from .places import place_columns, tells_places
from .schema import StudyFindings


def study_tables(
    data: Dataset, collected: Collected, features: FeatureTable, content: StudyFindings
) -> dict[str, str]:
    """File name -> text of every table."""
    return {
        "methods.tsv": _methods_table(content),
        "folds.tsv": _folds_table(data, collected, metric_row(content["plan"]["metric"]).direction),
        "predictions.tsv": OUTCOMES[data.response.kind].load("predictions")(data, collected),
        "features.tsv": _features_table(data, features),
        "permutations.tsv": _permutations_table(content),
        "size_curve.tsv": tsv_text(
            ["method", "size", "inner", "outer"],
            [
                [m["name"], s["size"], s["inner"], s["outer"]]
                for m in content["methods"]
                for s in m["size_curve"]
            ],
        ),
    }


def _methods_table(content: StudyFindings) -> str:
    names = list(content["metrics"])
    header = ["method", *(f"{n}{part}" for n in names for part in ("", "_low", "_high"))]
    header += ["mean_size", "asm", "nogueira", "jaccard", "common"]
    classes = content["data"]["classes"] if "costs" in content else []
    header += [f"cost of {name}" for name in classes]
    head = content["headline"]
    again = content["permutation"]["stability"]
    entries = [
        ("headline", content["metrics"], head["stability"], again, head.get("cost_by_class", {}))
    ]
    entries += [
        (m["name"], m["metrics"], m["stability"], m["repeatability"], m.get("cost_by_class", {}))
        for m in content["methods"]
    ]
    rows = []
    for name, metrics, stable, again, costs in entries:
        row: list[Any] = [name]
        for n in names:
            row += [metrics[n]["mean"], metrics[n]["low"], metrics[n]["high"]]
        row += [stable["mean_size"], stable["asm"], stability_shown(content, stable, again)[0]]
        row += [stable["jaccard"], stable["common"]]
        rows.append([*row, *(costs.get(name) for name in classes)])
    return tsv_text(header, rows)


# p of a class before recalibration, by which samples are ordered; where there is one
OWN_PROBABILITY = "own"
# the class that is likeliest, of samples declined too; where there is a rule
GUESS_COLUMN = "guess"


def headline_and_methods(collected: Collected) -> Iterator[tuple[str, list[Choice]]]:
    """The choices of the headline, and of each method."""
    yield "headline", collected.headline
    yield from collected.methods.items()


def _folds_table(data: Dataset, collected: Collected, direction: int) -> str:
    names = np.array(data.feature_names, dtype=object)
    return tsv_text(
        [
            "procedure",
            "repeat",
            "fold",
            "method",
            "classify",
            "settings",
            "size",
            "inner",
            "features",
        ],
        [
            [
                who,
                c.repeat,
                c.fold,
                c.method,
                c.classify,
                c.settings,
                c.size,
                direction * c.inner,
                ";".join(names[c.features]),
            ]
            for who, choices in headline_and_methods(collected)
            for c in choices
        ],
    )


def predictions_table(data: Dataset, collected: Collected) -> str:
    """One row a prediction of a class."""
    header = ["procedure", "repeat", "fold", "sample", "true", "predicted", "accepted"]
    ruled = any(c.standing is not None for _, all_ in headline_and_methods(collected) for c in all_)
    header += [GUESS_COLUMN] if ruled else []
    header += [f"p({name})" for name in data.classes]
    both = any(
        not np.array_equal(c.order, c.proba, equal_nan=True)
        for _, choices in headline_and_methods(collected)
        for c in choices
    )
    header += [f"{OWN_PROBABILITY} p({name})" for name in data.classes] if both else []
    truth = [data.classes[code] for code in data.codes]
    nothing = [None] * len(data.classes) * (1 + both)  # of margins and of labels alone
    rows = []
    for who, choices in headline_and_methods(collected):
        for c in choices:
            values = np.hstack([c.proba, c.order]) if both else c.proba
            for i, row in enumerate(c.test):
                rows.append(
                    [
                        who,
                        c.repeat,
                        c.fold,
                        data.sample_names[row],
                        truth[row],
                        *decided_label(data.classes, int(c.predicted[i])),
                        *([data.classes[int(c.codes[i])]] if ruled else []),
                        *(map(float, values[i]) if c.known == "proba" else nothing),
                    ]
                )
    return tsv_text(header, rows)


def decided_label(classes: Sequence[str], code: int) -> tuple[str | None, bool]:
    """A predicted class and True; nothing and False where the sample was declined."""
    return (classes[code], True) if code >= 0 else (None, False)


def _features_table(data: Dataset, features: FeatureTable) -> str:
    header = ["feature", "frequency", "in_final", *features.by_method]
    header += [f"{title} ({name})" for title, own in features.numbers.items() for name in own]
    columns = [features.headline, features.final, *features.by_method.values()]
    columns += [values for own in features.numbers.values() for values in own.values()]
    if data.blocks:
        header.insert(1, "block")
        of_block = np.full(data.shape[1], "", dtype=object)
        for name, own in data.blocks.items():
            of_block[own] = name
        columns.insert(0, of_block)
    if tells_places(data):
        places = place_columns(data)
        header[1:1], columns[:0] = places, places.values()
    if data.labels:
        header.insert(1, "symbol")
        symbols = [data.labels.get(name, "") for name in data.feature_names]
        columns.insert(0, np.array(symbols, dtype=object))
    columns = [column[features.order] for column in columns]
    names = name_fields(list(map(data.feature_names.__getitem__, features.order.tolist())))
    end = _alike_from(columns)  # most features of a wide table were chosen nowhere
    texts = [_column_fields(column[: end + 1]) for column in columns]
    rows = ["\t".join(row) for row in zip(*texts, strict=True)]
    lines = [f"{name}\t{row}\n" for name, row in zip(names, rows, strict=False)]
    alike = f"\t{''.join(rows[-1:])}\n".join([*names[len(rows) :], ""])
    return "".join([tsv_text(header, []), *lines, alike])


def _alike_from(columns: Sequence[np.ndarray]) -> int:
    """The row from which on all are as the last."""
    other = [np.flatnonzero(column != column[-1:]) for column in columns]
    return max(int(rows[-1]) + 1 if len(rows) else 0 for rows in other)


def _column_fields(values: np.ndarray) -> Iterable[str]:
    """`table_field` of each, for as many as a wide table has."""
    if values.dtype.kind == "f":
        found = values.tolist()  # most are one of few
        texts = {v: "" if v != v else repr(v) for v in set(found)}
        return [texts[v] for v in found]
    if values.dtype.kind == "b":
        return ["yes" if v else "no" for v in values.tolist()]
    return map(table_field, values.tolist())


def _permutations_table(content: StudyFindings) -> str:
    permutation = content["permutation"]
    rows: list[list[Any]] = [["observed", permutation["observed"]]]
    rows += [[k + 1, value] for k, value in enumerate(permutation["values"])]
    return tsv_text(["run", permutation["metric"]], rows)
