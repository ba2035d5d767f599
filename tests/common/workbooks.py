"""Two real sets as workbooks that a collaborator might send: the files of docs/files.md."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd


def write_hepatitis(shared: Path, out: Path) -> None:
    """A clinical table with a title, units, limits, codes for missing, dates, remarks, and three
    patients without an outcome; another sheet before it."""
    import openpyxl

    rng = np.random.default_rng(1)
    table = pd.read_parquet(shared / "uci" / "hepatitis.parquet")
    n = len(table)
    table.insert(0, "Patient", [f"P{k + 1:03d}" for k in range(n)])
    days = pd.to_timedelta(rng.integers(0, 700, n), "D")
    table["visit"] = pd.Timestamp("2019-01-07") + days
    who = rng.choice(["AB", "CD"], n)
    table["remarks"] = [f"seen by {name}, file {k}" for k, name in enumerate(who)]
    table["bilirubin"] = [
        _measured(k, value) for k, value in enumerate(table["bilirubin"].astype(float))
    ]
    table["albumin"] = table["albumin"].astype(float).fillna(-9)
    table.loc[[3, 40, 90], "class"] = None
    book = openpyxl.Workbook()
    book.active.title = "About"
    book.active.append(["Hepatitis cohort, sent by the clinic"])
    page = book.create_sheet("Patients")
    page.append(["Table 2. Patients at their first visit"])
    page.append([])
    page.append(list(table.columns))
    for row in table.astype(object).where(table.notna(), None).itertuples(index=False):
        page.append([v.item() if hasattr(v, "item") else v for v in row])
    book.save(out)


def _measured(k: int, value: float) -> str:
    if value != value:
        return "n/a"
    if value < 0.5:
        return "<0.5"
    return f"{value:.1f}" if k % 9 else f"{value:.1f} mg/dl"


def write_lung(shared: Path, out: Path) -> None:
    """Genes in rows with a description beside; the patients on another sheet."""
    table = pd.read_parquet(shared / "expression" / "gordon.parquet")
    ids = [f"L{k + 1:03d}" for k in range(len(table))]
    X = table.drop(columns="class").T.set_axis(ids, axis=1).round(1)
    X.insert(0, "Description", [f"gene {k}" for k in range(len(X))])
    sheet = pd.DataFrame({"Sample": ids, "Tumour": table["class"].to_numpy()})
    with pd.ExcelWriter(out, engine="xlsxwriter") as book:
        X.rename_axis("Probe").reset_index().to_excel(book, sheet_name="MAS5", index=False)
        sheet.to_excel(book, sheet_name="Clinic", index=False)
