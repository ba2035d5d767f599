"""The page of a look at a table."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from genome.sets import random_codes, write_bed
from tamis.data.dataset import Dataset
from tamis.genome import open_genotypes
from tamis.look import look_at, look_at_cohort
from tamis.look.files import write_look
from tamis.report import write_cohort_look_page, write_look_page

from .test_browser import CONTRASTS, show

HOSTILE = "<script>window.__pwned=1</script>"
NAMES = (
    HOSTILE,
    "a very long name " * 30,
    "\u202eevil \u05d0\u05d1\u05d2",
    "two\nlines",
    "\U0001f9ec",
)


def hostile():
    """A table with everything a page can show, under bad names."""
    rng = np.random.default_rng(0)
    n, p = 90, 60
    X = rng.normal(8, 1, (n, p))
    X[:30, :20] += 1
    X[:30, 6] = np.nan
    X[rng.random((n, p)) < 0.02] = np.nan
    X[:, 7], X[5], X[:, 9] = X[:, 5] * 2, X[4], 4.0
    X[11] += 9
    X[:, 50] = np.arange(n) % 2
    return Dataset(
        X,
        np.repeat(NAMES[:3], n // 3),
        (*NAMES, *(f"g{j}" for j in range(5, p))),
        tuple(f"{NAMES[k % 5]}{k}" for k in range(n)),
        levels={50: NAMES[:2]},
        covariates=(3,),
        groups=np.array([f"{NAMES[0]}{k // 2}" for k in range(n)]),
        batches=np.array([NAMES[k % 2] if k > 40 else NAMES[2] for k in range(n)]),
        split=np.array([NAMES[k % 5] for k in range(n)]),
        target=HOSTILE,
        name=HOSTILE,
        notes=(HOSTILE,),
        doubts=(NAMES[1],),
        blocks={"a": range(5, 20), HOSTILE: range(20, 50)},
    )


def plain():
    X = np.random.default_rng(0).normal(8, 1, (20, 30))
    return Dataset(X, None, tuple(f"g{j}" for j in range(30)), name="plain")


def written(data, path):
    """The page, from the JSON alone."""
    content = json.loads(json.dumps(look_at(data).to_dict()))
    content["command"] = f"tamis study {NAMES[0]}"
    return write_look_page(content, path)


def test_tables_beside_the_page_are_named_where_they_are(tmp_path):
    found = look_at(plain())
    assert "beside this page" not in found.write_report(tmp_path / "alone.html").read_text()
    content = write_look(found, tmp_path, {"table": "plain.csv"})
    page = write_look_page(content, tmp_path / "report.html").read_text()
    for name in ("columns.tsv", "samples.tsv"):
        assert f"{name} beside this page" in page
        assert (tmp_path / name).is_file()


def test_a_page_says_that_it_estimates_nothing(tmp_path):
    page = written(plain(), tmp_path / "p.html").read_text(encoding="utf-8")
    assert "A look uses all samples and estimates no error." in page
    assert page.count("No value is missing.") == 1
    assert "tamis study &lt;script&gt;" in page
    assert 'id="warnings"' not in page


def test_all_that_was_found_is_told(tmp_path):
    page = written(hostile(), tmp_path / "p.html").read_text(encoding="utf-8")
    for text in (
        "Samples by batch and class",
        "Missing more in one class",
        "Near-duplicates",
        "Samples far from the others",
        "Columns of categories",
        "Most similar samples",
        "repeated-measures",
        "Predefined folds",
    ):
        assert text in page, text
    assert page.count("<script") == 2
    assert "\u202e" not in page


def test_suspects_stand_first_and_the_grave_ones_before_others(tmp_path):
    content = look_at(plain()).to_dict()
    one = {"kind": "copy", "columns": ["g1"], "text": "g1 is odd", "advice": "leave it out"}
    content["suspects"] = [{**one, "grave": False}, {**one, "kind": "alone", "grave": True}]
    page = write_look_page(content, tmp_path / "p.html").read_text(encoding="utf-8")
    assert page.index("<code>alone</code>") < page.index("<code>copy</code>")
    assert page.count("A study refuses it.") == 1


def nothing():
    """No value differs."""
    data = hostile()
    return replace(data, X=data.X * 0)


def cohort(folder):
    """Genotypes under bad names, of a person twice, with classes and batches."""
    codes = random_codes(1, 400, 60)
    codes[:, 7] = codes[:, 3]
    path = write_bed(folder / "made", codes, chromosomes=[1] * 200 + [2] * 200)
    fam = path.with_suffix(".fam")
    fam.write_text(fam.read_text().replace(" s", f" {HOSTILE}"))
    genotypes = open_genotypes(path)
    names = tuple(f"{NAMES[k % 5]}{k}" for k in range(60))
    people = Dataset(
        np.empty((60, 0)),
        np.array([NAMES[k % 3] for k in range(60)]),
        (),
        names,
        batches=np.array([NAMES[k % 2] for k in range(60)]),
        target=HOSTILE,
        notes=NAMES,
    )
    content = json.loads(json.dumps(look_at_cohort(genotypes, people, name=HOSTILE).to_dict()))
    return write_cohort_look_page({**content, "command": NAMES[0]}, folder / "cohort.html")


def test_a_cohort_is_told(tmp_path):
    page = cohort(tmp_path).read_text(encoding="utf-8")
    for text in (
        "estimates no error",
        "Variants by chromosome",
        "duplicate or twin",
        "frequency of the rarer allele",
        "<code>relatives</code>",
    ):
        assert text in page, text
    assert page.count("<script") == 2
    assert "\u202e" not in page


@pytest.mark.browser
@pytest.mark.longer
@pytest.mark.parametrize("make", [hostile, plain, nothing, cohort])
def test_it_opens_at_a_desk_and_on_a_phone(driver, tmp_path, make):
    page = make(tmp_path) if make is cohort else written(make(), tmp_path / "p.html")
    run = driver.execute_script
    for width in (1280, 390):
        for dark in (False, True):
            driver.get_log("browser")
            show(driver, page, width=width, dark=dark)
            assert driver.get_log("browser") == []
            assert run("return performance.getEntriesByType('resource').length") == 0
            assert run("return window.__pwned === undefined")
            assert run("return document.documentElement.scrollWidth") <= width
            assert run(CONTRASTS)[0] >= 4.5, run(CONTRASTS)
