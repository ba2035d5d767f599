"""What is asked of mappings that may be wrong: by Python, and by each command that takes them."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import tempfile
from pathlib import Path

from fuzz.mapping_files import BESIDE, PAIR, mapping, mappings
from tamis._core.errors import DataError, TamisError
from tamis.cli.main import run
from tamis.ontology import Mapping, read_mapping
from tamis.ontology.mapping_files.curies import encoded_iri
from tamis.ontology.review_sheet import ReviewSheet, is_sheet, read_sheet, write_sheet

HOME = tempfile.TemporaryDirectory()
REFERENCE = Path(HOME.name, "reference.json")
ONTOLOGIES = tuple(Path(HOME.name, name) for name in ("a.index", "b.index"))


def warm() -> None:
    """A valid file of each format, so that all is imported and compiled."""
    mapping().write(REFERENCE)
    for ontology, path in zip(PAIR, ONTOLOGIES, strict=True):
        ontology.write(path)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in mappings().items():
            Path(folder, name).write_bytes(content)
        for name in mappings():
            if name != BESIDE:
                ask(Path(folder, name))


def ask(path: Path) -> None:
    """Read it, write what was read, and give it to the commands.

    Raises
    ------
    TamisError
        The first who refuses it.
    """
    sheet = is_sheet(path)
    told: TamisError | None = None
    try:
        if sheet:
            check_sheet(read_sheet(path), path.parent)
        else:
            check(read_mapping(path), path.parent)
    except TamisError as error:
        told = error
    said = (
        []
        if sheet
        else [command("evaluate", path, REFERENCE), command("evaluate", REFERENCE, path)]
    )
    if told is None:  # else they say the same
        said += [] if sheet else [command("evaluate", path, REFERENCE, "--classes", *ONTOLOGIES)]
        out = path.parent / "out"
        said += [command("match", *ONTOLOGIES, "--train", path, "--out", out.with_suffix(".json"))]
        said += [
            command(
                "review",
                *ONTOLOGIES,
                "--answers" if sheet else "--train",
                path,
                "--most",
                3,
                "--out",
                out.with_suffix(".tsv"),
            )
        ]
        for one in path.parent.glob("out.*"):
            one.unlink()
    else:
        assert all(said), f"{told} and a command takes it"
        raise told
    if refused := next(filter(None, said), ""):
        raise DataError(refused)


def command(name: str, *words: object) -> str:
    """The line by which `tamis ontology NAME` refuses; empty if it does not."""
    stdout, stderr = io.StringIO(), io.StringIO()
    sys.argv = ["tamis", "ontology", name, *map(str, words)]
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        try:
            run()
        except SystemExit as stop:
            code = stop.code
    lines = [one for one in stderr.getvalue().splitlines() if not one.startswith("  ! ")]
    assert code in (0, 2), f"{name}: exit code {code}, {lines}"
    assert len(lines) == (code == 2), f"{name}: exit code {code}, {lines}"
    assert all(one.isprintable() for one in stdout.getvalue().splitlines())
    return lines[0].removeprefix("tamis: ") if lines else ""


def check(found: Mapping, folder: Path) -> None:
    """What is true of every mapping that was read; what is written of it is read again."""
    assert all(0 <= c.confidence <= 1 for c in found.correspondences)
    keys = [(c.source, c.target, c.relation) for c in found.correspondences]
    assert len(set(keys)) == len(keys)
    assert found.summary()
    json.dumps(found.to_dict())
    for suffix in (".json", ".rdf", ".sssom.tsv"):
        path = folder / f"again{suffix}"
        try:
            found.write(path)
        except DataError:
            continue  # an identifier that the format cannot hold
        again = read_mapping(path)
        kept = [c for c in found.correspondences if suffix == ".json" or c.status == "mapped"]
        pairs = {(c.source, c.target, c.relation) for c in again.correspondences}
        of_file = encoded_iri if suffix == ".sssom.tsv" else str  # SSSOM has no IRIs with blanks
        expected = {(of_file(c.source), of_file(c.target), c.relation) for c in kept}
        assert expected <= pairs, suffix
        path.unlink()


def _answers(sheet: ReviewSheet) -> list[tuple[str, ...]]:
    """Pairs as they are written, on one line each, with their answers."""
    rows = [(row.source, row.target, str(row.answer)) for row in sheet.answered]
    return [tuple(re.sub(r"[\t\r\n]+", " ", text) for text in row) for row in rows]


def check_sheet(sheet: ReviewSheet, folder: Path) -> None:
    """The same of a sheet: no answer is lost."""
    assert all(row.source and row.target for row in sheet.rows)
    path = folder / "again.tsv"
    write_sheet(path, [], ReviewSheet(sheet.rows, sheet.columns))
    again = read_sheet(path)
    assert _answers(sheet) == _answers(again)
    path.unlink()
