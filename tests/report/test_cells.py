"""Cells of tables of the pages, for rows of fixed values."""

from __future__ import annotations

from tamis.report._quality import _unlike_variant_table
from tamis.report._scan import best_table


def cells(table):
    return [[cell.text for cell in row["cells"]] for row in table["body"]]


def test_best_variants_of_a_scan():
    row = {"CHR": "7", "SNP": "rs1", "BP": 1234567, "A1": "A", "FREQ": 0.12345, "BETA": -0.5,
           "P": 1.2345e-9, "P_MAXT": 0.0123}  # fmt: skip
    (found,) = cells(best_table([row], list(row)))
    assert found == ["7", "rs1", "1,234,567", "A", "0.123", "−0.500", "1.2e-09", "0.012"]


def test_calls_missing_most_unlike():
    row = {"chromosome": "X", "id": "rs2", "position": 5000, "missing": 12, "missing_share": 0.034,
           "differential_p": 0.00123, "reason": ""}  # fmt: skip
    dropped = {**row, "differential_p": None, "reason": "rare"}
    kept, gone = cells(_unlike_variant_table({"unlike": [row, dropped]}))
    assert kept == ["X", "rs2", "5,000", "12", "3.4\u00a0%", "0.0012", "kept"]
    assert gone[-2:] == ["\u2014", "rare"]
