"""What is written of small results is what was read once: pages, summaries, numbers, tables.

`pages/NAME.txt` has it. After a change that is meant, write the texts anew with `just pages`, and
read their difference.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

import tamis
from common.comparisons import write_studies, write_study

from . import interactions_fixture, page_text, sets_fixture, test_look_page, test_mapping_page
from .conftest import VARIANTS

TEXTS = Path(__file__).with_name("pages")
WRITTEN = os.environ.get("TAMIS_PAGES")  # the texts are then written anew
VERSIONS = {"tamis": tamis.__version__, "python": "3.12", "numpy": "2.0"}


def study(variant):
    def write(made, folder):
        from tamis.report import write_report

        result = made.make_result(**VARIANTS[variant])
        result["features"] = result["features"][:6]
        return write_report({**result, "versions": VERSIONS}, folder), []

    return write


def interactions(make, **more):
    def write(made, folder):
        from tamis.report import write_interactions

        return write_interactions(make(**more), folder / "page.html"), []

    return write


def look(made, folder):
    from tamis.look import look_at

    data = test_look_page.hostile()
    found = look_at(data)
    return test_look_page.written(data, folder / "page.html"), [found.summary(), found.to_dict()]


def cohort_look(made, folder):
    return test_look_page.cohort(folder), []


def mapping(made, folder):
    from tamis.ontology.review import Question
    from tamis.report import write_mapping_page

    found = test_mapping_page.mapping()
    of = test_mapping_page.context
    asked = [Question(of("http://a#1", "lobe"), of("http://b#2"), 0.42, True, 0.58)]
    result, around = found.to_dict(), test_mapping_page.contexts(found)
    return write_mapping_page(result, folder / "page.html", around, asked), [found.summary()]


def comparison(made, folder):
    from tamis.report import write_comparison
    from tamis.study import compare_studies

    found = compare_studies(write_studies(folder, 6))
    page = write_comparison(found.to_dict(), folder / "page.html")
    return page, [found.summary(), found.to_dict()]


def plans(made, folder):
    from tamis.report import write_comparison
    from tamis.study import compare_studies

    studies = [
        write_study(folder / one, "cohort", seed=k, digest="d") for k, one in enumerate("ab")
    ]
    found = compare_studies(studies)
    page = write_comparison(found.to_dict(), folder / "page.html")
    return page, [found.summary(), found.to_dict()]


def genotypes(kind):
    """A page of one kind: variants 3 and 4 tell the class, and two people are one."""

    def write(made, folder):
        from genome.sets import random_codes, write_bed
        from tamis import genome, report
        from tamis.genome.quality.quality_files import write_quality
        from tamis.genome.scans.clump_files import write_clumps
        from tamis.genome.scans.mixed_files import write_mixed
        from tamis.genome.scans.pairs_files import write_pairs
        from tamis.genome.scans.scan_files import write_scan
        from tamis.genome.structure.components_files import write_components
        from tamis.genome.structure.relatives_files import write_relatives

        codes, y = random_codes(1, 60, 90), np.array(["ill", "well"] * 45)
        codes[3, ::2], codes[:, 7] = 3, codes[:, 5]
        codes[4] = codes[3]
        if kind == "mixed":  # no effect that is 0 but for the last digits, which are of the machine
            codes[[1, 23], :6] = [0, 1, 0, 2, 0, 1]
        path = write_bed(folder / "made", codes, chromosomes=[1] * 30 + [2] * 30)
        given = genome.open_genotypes(path)
        if kind == "scan":
            found = genome.mtd_scan(given, y, permutations=19)
            content = write_scan(found, folder, {}, ["ill", "well"])
        elif kind == "mixed":
            found = genome.mixed_scan(given, y, draws=19)
            content = write_mixed(found, folder, {}, ["ill", "well"])
        elif kind == "relatives":
            found = genome.find_relatives(given, least=0.0)
            content = write_relatives(found, folder, {})
        elif kind == "quality":
            found = genome.quality_control(given, y)
            content = write_quality(found, folder, {})[0]
        elif kind == "pairs":
            found = genome.pair_scan(given, y, permutations=19)
            content = write_pairs(found, y, folder, {"seed": 0})
        elif kind == "clumps":
            p = 10.0 ** -np.r_[5, 3, 2, 9, 8, 6, np.ones(54)]
            found = genome.clump_variants(given, [f"v{j}" for j in range(60)], p)
            content = write_clumps(found, given, folder, {"table": "p.tsv", "p": "P"})
        else:
            found = genome.principal_components(given, k=3)
            content = write_components(found, given, folder, {}, y)[0]
        page = getattr(report, f"write_{kind}_page")(content, "made", folder / "page.html")
        return page, [found.summary(), content]

    return write


GENOTYPES = ("scan", "mixed", "relatives", "quality", "pairs", "clumps", "components")
PAGES = {
    "study": study("costs"),
    "four-classes": study("four"),
    "interactions": interactions(interactions_fixture.make),
    "sets": interactions(sets_fixture.make),
    "look": look,
    "cohort-look": cohort_look,
    "mapping": mapping,
    "comparison": comparison,
    "plans": plans,
    **{kind: genotypes(kind) for kind in GENOTYPES},
}


@pytest.mark.every
@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_what_it_said(name, made, tmp_path):
    page, of = PAGES[name](made, tmp_path)
    parts = [json.dumps(page.read_text(encoding="utf-8")), *map(json.dumps, of)]
    named = [json.loads(part.replace(str(tmp_path), "FOLDER")) for part in parts]
    text = page_text.page_text(named[0])
    for one in named[1:]:
        text += one + "\n" if isinstance(one, str) else page_text.result_text(one)
    compare(name, text.replace(tamis.__version__, "VERSION"))


@pytest.mark.every
@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_study_finds_what_it_found(n_classes, made):
    files = dict(made.study_files(n_classes))
    text = files.pop("summary") + page_text.result_text(json.loads(files.pop("results.json")))
    text += "".join(page_text.table_text(name, files[name]) for name in sorted(files))
    compare(f"study-of-{n_classes}", text)


def compare(name, text):
    file = TEXTS / f"{name}.txt"
    if WRITTEN:
        file.write_text(text, encoding="utf-8")
    assert text.splitlines() == file.read_text(encoding="utf-8").splitlines()
