"""examples/notebook.ipynb runs from its first cell to its last, and shows what it says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import tamis

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook.ipynb"


def notebook_format():
    return pytest.importorskip("nbformat")


def read():
    return notebook_format().read(NOTEBOOK, as_version=4)


def shown(cell, kind):
    """What a cell shows of a kind of content."""
    return "".join(one["data"].get(kind, "") for one in cell.outputs if "data" in one)


def said(cell, stream):
    return "".join(one.get("text", "") for one in cell.outputs if one.get("name") == stream)


def test_the_notebook_is_kept_without_outputs():
    cells = [cell for cell in read().cells if cell.cell_type == "code"]
    assert len(cells) > 10
    assert not any(cell.outputs or cell.execution_count for cell in cells)


@pytest.mark.longer
def test_the_notebook_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(tamis.__file__).resolve().parents[1]))
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = read()
    place = {"metadata": {"path": str(tmp_path)}}
    client.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=place).execute()
    if keep := os.environ.get("TAMIS_NOTEBOOK"):  # to look at it
        notebook_format().write(notebook, keep)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    by_first = {cell.source.splitlines()[-1]: cell for cell in code}
    first = shown(by_first["result"], "text/html")
    assert "<b>golub: 38 samples (27 ALL, 11 AML), 3,051 features" in first
    assert ">how well</div>" in first
    for kind in ("sizes", "permutations", "confusion"):
        assert "<svg" in shown(by_first[f'result.plot("{kind}")'], "text/html")
    assert "<svg" in shown(by_first['pairs.plot("graph")'], "text/html")
    assert "found</div><div>1 of 820 pairs" in shown(by_first["pairs"], "text/html")
    assert "model of" in shown(by_first["model"], "text/html")
    predicted = shown(by_first["model.predict_frame(new)"], "text/html")
    assert predicted.count("<tr") == 6
    assert "p(AML)" in predicted
    assert (tmp_path / "golub-study" / "report.html").exists()
    assert "features by moderated t" in said(by_first["print(arrays.summary())"], "stdout")
    for cell in code:
        lines = filter(None, said(cell, "stderr").splitlines())
        assert [line for line in lines if not line.startswith(("study: ", "Compiling"))] == []
