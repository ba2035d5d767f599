"""The pages of genotypes in Chromium: nothing fails, nothing is fetched, nothing sticks out."""

from __future__ import annotations

import numpy as np
import pytest

from genome.sets import random_codes, write_bed
from tamis.genome import (
    find_relatives,
    mixed_scan,
    mtd_scan,
    open_genotypes,
    pair_scan,
    principal_components,
    quality_control,
)
from tamis.genome.quality.quality_files import write_quality
from tamis.genome.scans.mixed_files import write_mixed
from tamis.genome.scans.pairs_files import write_pairs
from tamis.genome.scans.scan_files import write_scan
from tamis.genome.structure.components_files import write_components
from tamis.genome.structure.relatives_files import write_relatives
from tamis.report import (
    write_components_page,
    write_mixed_page,
    write_pairs_page,
    write_quality_page,
    write_relatives_page,
    write_scan_page,
)

from .test_browser import show

pytestmark = [pytest.mark.browser, pytest.mark.longer]
HOSTILE = "<script>window.__pwned=1</script>"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("genome")
    path = write_bed(folder / "made", random_codes(1, 60, 90), chromosomes=[1] * 30 + [2] * 30)
    fam, bim = path.with_suffix(".fam"), path.with_suffix(".bim")
    fam.write_text(fam.read_text().replace(" s", f" {HOSTILE}"))
    bim.write_text(bim.read_text().replace("\tv", f"\t{HOSTILE}"))
    genotypes = open_genotypes(path)
    y = np.array([HOSTILE, "well", "a class of a rather long name"] * 30)
    pairs = pair_scan(genotypes, y, permutations=19)
    found = principal_components(genotypes, k=5)
    two = np.array([HOSTILE, "a class of a rather long name"] * 45)
    relatives = find_relatives(genotypes, least=0.0)
    contents = [
        (
            write_scan_page,
            write_scan(mtd_scan(genotypes, y, permutations=19), folder, {}, [HOSTILE]),
        ),
        (
            write_mixed_page,
            write_mixed(mixed_scan(genotypes, two, draws=19), folder, {}, [HOSTILE]),
        ),
        (write_relatives_page, write_relatives(relatives, folder, {})),
        (write_quality_page, write_quality(quality_control(genotypes, y), folder, {})[0]),
        (write_pairs_page, write_pairs(pairs, y, folder, {"seed": 0})),
        (write_components_page, write_components(found, genotypes, folder, {}, y)[0]),
    ]
    return [
        write(content, HOSTILE, folder / f"{write.__name__}.html") for write, content in contents
    ]


def test_pages_open_at_a_desk_and_on_a_phone(driver, pages):
    for page in pages:
        for width in (1280, 390):
            driver.get_log("browser")
            show(driver, page, width=width)
            run = driver.execute_script
            assert driver.get_log("browser") == []
            assert run("return performance.getEntriesByType('resource').length") == 0
            assert run("return window.__pwned === undefined")
            assert run("return document.documentElement.scrollWidth") <= width
            assert run("return document.querySelectorAll('table [data-column] button').length") > 0
