"""What docs/files.md shows of two workbooks, run as it stands there."""

import re
import shlex
from pathlib import Path

import pytest

from common.workbooks import write_hepatitis, write_lung

PAGE = Path(__file__).parents[2] / "docs" / "files.md"


def shown() -> list[tuple[str, list[str]]]:
    """Commands, and the lines that each prints there."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"(?s)```text\n(.*?)```", PAGE.read_text()):
        for line in block.splitlines():
            if line.startswith("$ tamis "):
                found.append((line.removeprefix("$ tamis "), []))
            elif line.strip() != "...":
                found[-1][1].append(line)
    return found


@pytest.mark.longer
@pytest.mark.shared
def test_from_a_workbook_to_the_page(tamis, shared_data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_hepatitis(shared_data, tmp_path / "hepatitis.xlsx")
    write_lung(shared_data, tmp_path / "lung.xlsx")
    commands = shown()
    assert [command.split()[0] for command, _ in commands] == ["read"] * 3 + ["study"] + [
        "read"
    ] * 2
    for command, lines in commands:
        code, out, err = tamis(*shlex.split(command))
        assert code == (2 if lines[0].startswith("tamis: ") else 0), command
        printed = [line.rstrip() for line in [*err.splitlines(), *out.splitlines()]]
        for line in lines:
            assert line.rstrip() in printed, command
    assert (tmp_path / "hep" / "report.html").is_file()
