"""What pages of docs/ show of whole analyses, run as it stands there."""

import re
from pathlib import Path

import pytest

from common.walk_through import shown, walk_through
from common.workbooks import write_hepatitis, write_lung

DOCS = Path(__file__).parents[2] / "docs"
FILES, TUTORIAL = DOCS / "files.md", DOCS / "tutorial.md"


@pytest.mark.longer
@pytest.mark.shared
def test_from_a_workbook_to_the_page(tamis, shared_data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_hepatitis(shared_data, tmp_path / "hepatitis.xlsx")
    write_lung(shared_data, tmp_path / "lung.xlsx")
    commands = [command.split()[0] for command, _ in shown(FILES)]
    assert commands == ["read"] * 3 + ["study"] + ["read"] * 2
    walk_through(tamis, FILES)
    assert (tmp_path / "hep" / "report.html").is_file()


def write_tutorial_files(folder: Path) -> None:
    """The table that its program makes, and its plan."""
    text = TUTORIAL.read_text(encoding="utf-8")
    (program,) = re.findall(r"(?s)```python\n(.*?)```", text)
    exec(compile(program, str(TUTORIAL), "exec"), {})
    for name, plan in re.findall(r"(?s)```toml\n# (\S+)\n(.*?)```", text):
        (folder / name).write_text(plan, encoding="utf-8")


def test_the_tutorial_reads_what_it_makes(tamis, tmp_path, monkeypatch):
    """Its first commands, which are quick."""
    monkeypatch.chdir(tmp_path)
    write_tutorial_files(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"cohort.csv", "new.csv", "few.toml"}
    (command, lines), *_ = shown(TUTORIAL)
    _, _, err = tamis(*command.split())
    assert err.splitlines() == lines


@pytest.mark.slow
def test_from_a_table_to_a_decision(tamis, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_tutorial_files(tmp_path)
    printed = walk_through(tamis, TUTORIAL)
    commands = [command.split()[0] for command, _ in shown(TUTORIAL)]
    assert commands == ["read", "read", "look", "study", "study", "compare", "study", "predict"]
    text = " ".join(TUTORIAL.read_text(encoding="utf-8").replace("\n>", "").split())
    said = re.findall(r"\((?:95 % interval )?(-?\d\.\d+ to \d\.\d+)\)", text)
    assert len(said) > 15
    assert [one for one in said if one not in printed] == []
