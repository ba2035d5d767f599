"""A plain search of pairs, and the same with one fault each: what the checks are held against."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tamis._core.rows import SearchRow
from tamis._core.streams import generator
from tamis.discovery.interface import LEVEL_SETTING, PERMUTATIONS_SETTING, Search
from tamis.discovery.set_result import (
    FAMILY_P,
    SetFindings,
    permuted_runs,
    set_result,
    set_search,
)
from tamis.interactions.pairs.levels import read_levels

SHARE = {"key": "gap", "title": "Gap", "form": "value", "help": "between the classes"}


@dataclass(frozen=True)
class Pairs:
    """Pairs whose values meet more often in one class; a fault of this name is made."""

    fault: str = ""

    def __call__(self, task):
        data, seed = task.data, task.settings["seed"]
        X, names = data.matrix, data.feature_names
        if self.fault == "changes the table":
            X[np.isnan(X)] = 0.0
        if self.fault == "cannot take gaps" and np.isnan(X).any():
            raise ValueError("cannot convert float NaN to integer")
        levels = read_levels(X, list(data.levels) or None, 3, most=50).codes + 1
        cells = list(levels.astype(int))
        if self.fault == "leaves categories out":
            cells = [cells[j] * (j not in data.levels) for j in range(len(cells))]
        columns = list(range(len(names)))
        if self.fault == "goes by names":
            columns.sort(key=lambda j: names[j])
        pairs = list(combinations(columns, 2))
        joint = [cells[a] * 50 + cells[b] for a, b in pairs]

        def scores(y):
            if self.fault == "ignores the classes":
                y = np.arange(len(y)) < len(y) / 2
            return np.array([gap(one, y) for one in joint])

        found = scores(data.codes)
        rng = generator(seed, "pairs")
        if self.fault == "draws from the global stream":
            rng = np.random
        n = permuted_runs(task.settings["level"], task.settings.get("n_permutations"))
        runs = [scores(rng.permutation(data.codes)) for _ in range(n)]
        maxima = [float(one.max()) for one in runs]
        if self.fault == "tests the best pair alone":
            maxima = [float(one[found.argmax()]) for one in runs]
        order = np.argsort(-found, kind="stable")
        if self.fault == "last of equals first":
            order = np.lexsort((-np.arange(len(found)), -found))
        title = f"pairs by {task.n_jobs}" if self.fault == "tells its threads" else "pairs"
        result = set_result(
            task,
            SetFindings(
                title=title,
                by="gap",
                measures=[SHARE, FAMILY_P],
                level=task.settings["level"],
                maxima=maxima,
                noun="pair",
                p_values=[0.0] * len(pairs) if self.fault == "p = 0 for everything" else (),
                sets=[
                    {
                        "parts": [{"feature": names[j], "value": ""} for j in pairs[k]],
                        "label": None,
                        "numbers": {"gap": float(found[k])},
                        "passes": None,
                    }
                    for k in order
                ],
            ),
        )
        if self.fault == "writes another type":
            result["sets"]["n_sets"] = str(result["sets"]["n_sets"])
        return result


def gap(cells, y):
    """Half the sum of differences between the classes' shares of the cells."""
    shares = np.zeros((2, cells.max() + 1))
    np.add.at(shares, (np.asarray(y, dtype=int), cells), 1.0)
    shares /= shares.sum(axis=1, keepdims=True)
    return np.abs(shares[0] - shares[1]).sum() / 2


# fault: codes of the checks that name it
FAULTS = {
    "": set(),
    "ignores the classes": {"classes"},
    "draws from the global stream": {"global-random"},
    "p = 0 for everything": {"p-value"},
    "tests the best pair alone": {"chance"},
    "cannot take gaps": {"gaps"},
    "leaves categories out": {"categories"},
    "changes the table": {"data"},
    "last of equals first": {"twins"},
    "goes by names": {"names"},
    "tells its threads": {"same-bytes"},
    "writes another type": {"result"},
    "has no test": {"settings"},
}


def row_of(fault: str) -> SearchRow:
    """The row of the search with a fault."""
    return SearchRow("faulty", f"{__name__}:{attribute(fault)}", f"pairs: {fault}", "faulty pairs")


def attribute(fault: str) -> str:
    return "SEARCH_" + "".join(letter if letter.isalnum() else "_" for letter in fault)


def search_of(fault: str) -> Search:
    settings = (LEVEL_SETTING,) if fault == "has no test" else (LEVEL_SETTING, PERMUTATIONS_SETTING)
    return set_search(settings, Pairs(fault))


globals().update({attribute(fault): search_of(fault) for fault in FAULTS})
