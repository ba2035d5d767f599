"""Where the variants of a table are, and whether their calls are missing unlike."""

from __future__ import annotations

import numpy as np
from scipy.stats import fisher_exact

from common.genotype_study import CHROMOSOMES, codes_of, cohort
from genome.sets import write_bed
from tamis.genome.study.table import GenotypeTable


def test_chromosomes_are_in_order_each_with_its_span(tmp_path):
    table = cohort(tmp_path).X
    told = table.places(np.array([0, 45, 100, 119]))
    assert [tuple(c) for c in told.chromosomes] == [
        ("1", 4001, 7901, 40),
        ("chr2", 1, 3901, 40),
        ("X", 8001, 11701, 38),
    ]
    assert told.chromosome.tolist() == [1, 0, 2, -1]
    assert told.position[:3].tolist() == [1, 4501, 10001]
    assert told.alleles[0] == ("A", "G")


def test_other_names_of_a_chromosome_and_places_that_are_none(tmp_path):
    from tamis.genome import open_genotypes

    path = write_bed(tmp_path / "m", codes_of()[:5], chromosomes=["chr1", "1", "HLA", "23", "1"])
    bim = path.with_suffix(".bim")
    bim.write_text(bim.read_text().replace("\t401\t", "\t-401\t"))
    told = GenotypeTable(open_genotypes(path)).places(np.arange(5))
    assert [(c.name, c.n) for c in told.chromosomes] == [("chr1", 2), ("23", 1), ("HLA", 1)]
    assert told.chromosome.tolist() == [0, 0, 2, 1, -1]


def test_p_of_missing_calls_is_of_fishers_test(tmp_path):
    data, codes = cohort(tmp_path), codes_of()
    p_values = data.X.missing_p(data.codes)
    case = np.arange(codes.shape[1]) % 2 == 1
    for j in (0, 10, 12, 119):
        lost = codes[j] == 1
        table = [[(lost & who).sum(), (~lost & who).sum()] for who in (case, ~case)]
        np.testing.assert_allclose(p_values[j], fisher_exact(table)[1], rtol=1e-9)
    assert len(CHROMOSOMES) == len(p_values)
