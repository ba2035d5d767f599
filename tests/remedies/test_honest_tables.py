"""Different names of groups, batches, folds, cohorts and classes are no spellings of one."""

from __future__ import annotations

import numpy as np
import pytest

from remedies.contents import Draft
from remedies.layouts import LAYOUTS
from remedies.truths import Column, pick, random_truth, word
from remedies.writers import lines_of
from tamis.data import read_table

TABLES = 200
SERIES = (
    "P{}", "P{:02d}", "pt-{}", "{:03d}", "{}", "TCGA-A1-{:04d}", "P{}-1", "1-{}", "{}-1", "GSM{}",
    "mouse {}", "Patient_{:03d}", "A{:02d}", "2024-{:02d}-01", "{}.5", "S{}_L001", "run{}a", "{}A",
    "10317.{:09d}", "M{}-F{}", "plate {} row {}",
)  # fmt: skip
SETS = (
    ("T1", "T1a", "T1b", "T1c", "T2"), ("I", "II", "III", "IV"), ("IA", "IB", "IIA", "IIIB"),
    ("Stage I", "Stage II", "Stage III"), ("G1", "G2", "G3"), ("HER2+", "HER2-"), ("ER+", "ER-"),
    ("ER+/HER2-", "ER-/HER2+", "ER+/HER2+"), ("+", "-"), ("+", "++", "+++"), ("0", "1", "2", "3+"),
    ("<5", ">5"), ("1", "2", "10", "11"), ("1.0", "1.5", "10"), ("A", "B", "AB", "0"),
    ("CD4", "CD8", "CD45", "CD4+CD8+"), ("LumA", "LumB", "Basal", "Her2"), ("0-1", "1-0", "10"),
    ("M", "F"), ("wt", "mut"), ("wt/wt", "wt/mut", "mut/mut"), ("GSE2034", "GSE20341", "TCGA"),
    ("train", "test"), ("fold1", "fold2", "fold11"), ("UCSF", "UCSD", "UCL"), ("Köln", "Kiel"),
    ("L1", "L2", "L12"), ("5'", "3'"), ("α", "β", "αβ"), ("1p", "1q", "1p/19q"),
    ("N0", "N1mi", "N1"),
    ("before", "after"), ("day 1", "day 2", "day 12"), ("B-cell", "T-cell"), ("1-2", "12", "1-12"),
    ("non-smoker", "smoker"), ("2021-01-02", "2021-02-01", "2021-12-01"), ("0.1", "0.01"),
)  # fmt: skip


def honest_names(rng: np.random.Generator, n: int) -> list[str]:
    """Of n rows: of a series, or of a set of categories."""
    if rng.random() < 0.5:
        one = pick(rng, SERIES)
        places = one.count("{")
        names = [one.format(*[k + 1] * places) for k in range(int(rng.integers(2, 25)))]
    else:
        names = list(pick(rng, SETS))
    return [names[k % len(names)] for k in rng.permutation(n)]


@pytest.mark.longer
def test_honest_names_are_no_spellings_of_one(tmp_path):
    words = "spellings of one", "in spelling alone", "are taken as different; write"
    for k in range(TABLES):
        rng = np.random.default_rng([5, k])
        draft = Draft(rng, random_truth(rng))
        columns = draft.truth.columns
        columns[1].cells[:] = [word(label) for label in honest_names(rng, draft.truth.n)]
        roles = {"group": "who", "batch": "run", "split": "fold"}
        for name in (*roles.values(), "cohort"):
            own = Column(name, list(map(word, honest_names(rng, draft.truth.n))), "sample")
            columns.insert(2, own)
        LAYOUTS["wide"](draft)
        (tmp_path / "t.csv").write_text("\n".join(lines_of(draft)[0]) + "\n", encoding="utf-8")
        data = read_table(
            tmp_path / "t.csv", target="class", categorical=["class", "cohort"], **roles
        )
        assert not [note for note in data.notes if any(one in note for one in words)]
        assert data.y.tolist() == [cell.text for cell in columns[1].cells]
