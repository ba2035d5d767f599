"""Readers of genotypes given spoiled files, in a process that is watched.

`just fuzz` does so with as many as are asked for.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from fuzz.genotype_files import COHORTS, write_cohort
from fuzz.misbehaving import DOES
from fuzz.watched import Watched

pytestmark = pytest.mark.longer

FAMILY = "genotypes"

# files with which a reader once did what it must not, by the cohort and the layers that differ
ONCE = {
    "a name that steers the terminal": ("bed", "\x1b[31mred", {"bed": b"\x6c\x1b\x00"}),
    "a long line of zeros": ("bed", "n" * 200, {"fam_text": bytes(3000)}),
    "a header that is taken for a sample": (
        "bed",
        "made",
        {"fam_text": b"#FID IID SEX A B C\n" + COHORTS["bed"].layers["fam_text"]},
    ),
    "a record on no contig": (
        "bcf",
        "made",
        {"shared0": b"\x09" + COHORTS["bcf"].layers["shared0"][1:]},
    ),
}


@pytest.mark.parametrize("name", COHORTS)
def test_what_is_spoiled_is_valid_at_first(watched, tmp_path, name):
    assert watched.ask(write_cohort(COHORTS[name], tmp_path)) == ("", "")


@pytest.mark.parametrize("what", ONCE)
def test_faults_that_were(watched, tmp_path, what):
    name, stem, layers = ONCE[what]
    made = COHORTS[name]
    path = write_cohort(replace(made, layers={**made.layers, **layers}), tmp_path, stem)
    _, fault = watched.ask(path)
    assert fault == ""


def test_the_watch_sees_what_a_reader_must_not_do(tmp_path):
    expected = {
        "reads": "",
        "refuses": "",
        "crashes": "ended: -11",
        "hangs": "no answer",
        "takes all": "MemoryError",
        "fails": "ZeroDivisionError",
        "raves": "500 characters",
        "paints": "control characters",
    }
    assert list(expected) == list(DOES)
    path = tmp_path / "x"
    with Watched("fuzz.misbehaving", seconds=1) as child:
        for what, says in expected.items():
            path.write_text("reads")
            assert child.ask(path) == ("", "")
            path.write_text(what)
            said, fault = child.ask(path)
            assert says in fault
            assert bool(fault) == bool(says)
            assert (said == "'x' is damaged") == (what == "refuses")
