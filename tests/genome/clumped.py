"""Cohorts with linkage disequilibrium, plain clumping of them, and PLINK's."""

from __future__ import annotations

import numpy as np
import pandas as pd

from common.bed_files import MISSING, NONE, ONE, TWO, codes_of, write_cohort
from genome.plink import read_plink, run_plink

COPIES = np.array([2, -1, 1, 0])
COLUMNS = ["CHR", "F", "SNP", "BP", "P", "TOTAL", "NSIG", "S05", "S01", "S001", "S0001", "SP2"]
LEVELS = (0.05, 0.01, 0.001, 0.0001)


def draw_linked(seed, p=240, n=61):
    """Codes of variants of which six at a time have haplotypes in common; some are odd."""
    rng = np.random.default_rng(seed)
    groups = -(-p // 6)
    frequency = np.repeat(rng.uniform(0.05, 0.6, groups), 6)[:p]
    copies = np.zeros((p, n), dtype=int)
    for _ in range(2):
        shared = np.repeat(rng.random((groups, n)), 6, axis=0)[:p]
        own = np.where(
            rng.random((p, n)) < rng.choice([0.02, 0.2], (p, 1)), rng.random((p, n)), shared
        )
        copies += own < frequency[:, None]
    copies[rng.random(p) < 0.05] = 0
    codes = codes_of(copies, rng.choice([0, 0.05, 0.4], (p, 1)), seed)
    codes[rng.random(p) < 0.02] = MISSING
    codes[rng.random(p) < 0.02] = ONE
    turned = rng.random(p) < 0.5
    codes[turned] = np.array([NONE, MISSING, ONE, TWO])[codes[turned]]
    return codes


def write_linked(folder, seed, chromosomes=("1",), p=240, n=61, apart=40_000):
    """A cohort of such variants, its path; with sexes, and some people who are no founders."""
    rng = np.random.default_rng(seed)
    where = sorted(rng.choice(chromosomes, p), key=chromosomes.index)
    parents = dict.fromkeys(range(2, n, 9), ("i0", "i1")) | {3: ("0", "i1"), 4: ("i0", "0")}
    path = write_cohort(
        folder / "made", draw_linked(seed, p, n), where, sex=rng.integers(0, 3, n), parents=parents
    )
    positions = np.sort(rng.integers(1, apart * p // 6, p))
    ids = [f"v{j}" for j in range(p)]
    lines = [f"{c} {v} 0 {b} A C\n" for c, v, b in zip(where, ids, positions, strict=True)]
    (folder / "made.bim").write_text("".join(lines))
    return path


def draw_p_values(seed, ids, most=3):
    """A table of results: some ids several times, some unknown, some without a p-value."""
    rng = np.random.default_rng(seed)
    rows = rng.permutation(
        np.repeat([*ids, "unknown", "elsewhere"], rng.integers(0, most, len(ids) + 2))
    )
    p = np.round(10.0 ** rng.uniform(-7, 0, len(rows)), 9)
    p[rng.random(len(rows)) < 0.1] = 1e-5  # ties
    p[rng.random(len(rows)) < 0.1] = rng.choice([*LEVELS, 0, 1])
    p[rng.random(len(rows)) < 0.05] = np.nan
    return pd.DataFrame({"SNP": rows, "P": p})


def log_likelihood(known, c, x):
    """Of x of c double heterozygotes with the alleles 1 on one chromosome."""
    counts = np.array(known, dtype=float) + [x, c - x, c - x, x]
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(np.array(known) > 0, known * np.log(counts), 0.0).sum()
        both = c * np.log(counts[0] * counts[3] + counts[1] * counts[2]) if c else 0.0
    return parts + both


def em_r2(diploid, haploid=((0, 0), (0, 0)), steps=3000):
    """Squared correlation from counts (3, 3) of two copies, one and none at both variants, and of
    haploid people (2, 2): the best of EM iterations from several starts; NaN if there is none."""
    t, h = np.asarray(diploid, dtype=float), np.asarray(haploid, dtype=float)
    known = np.array(
        [
            2 * t[0, 0] + t[0, 1] + t[1, 0] + h[0, 0],
            2 * t[0, 2] + t[0, 1] + t[1, 2] + h[0, 1],
            2 * t[2, 0] + t[2, 1] + t[1, 0] + h[1, 0],
            2 * t[2, 2] + t[2, 1] + t[1, 2] + h[1, 1],
        ]
    )
    c = t[1, 1]
    total = known.sum() + 2 * c
    if not total:
        return np.nan
    x = np.linspace(0, c, 9)
    for _ in range(steps if c else 0):
        same, other = (known[0] + x) * (known[3] + x), (known[1] + c - x) * (known[2] + c - x)
        x = c * same / (same + other)
    best = max(x, key=lambda one: log_likelihood(known, c, one))
    f, g = (known[0] + known[1] + c) / total, (known[0] + known[2] + c) / total
    if f in (0, 1) or g in (0, 1):
        return np.nan
    return ((known[0] + best) / total - f * g) ** 2 / (f * g * (1 - f) * (1 - g))


def count_pair(codes, i, j, diploid, haploid):
    """Counts of both calls, as `em_r2` takes them."""
    x, y = COPIES[codes[i]], COPIES[codes[j]]
    t = [[((x == a) & (y == b) & diploid).sum() for b in (2, 1, 0)] for a in (2, 1, 0)]
    h = [[((x == a) & (y == b) & haploid).sum() for b in (2, 0)] for a in (2, 0)]
    return t, h


def slow_clumps(genotypes, codes, table, p1, p2, r2, kb):
    """By plain loops over pairs, as rows of PLINK's table."""
    of, samples = genotypes.variants, genotypes.samples
    founder = (samples.father == "0") & (samples.mother == "0")
    male = founder & (samples.sex == 1)
    ids, places = of.id.to_pylist(), of.position
    chromosome = of.chromosome.to_pylist()
    rows = {name: [] for name in ids}
    for name, p in zip(table["SNP"], table["P"], strict=True):
        if name in rows and not np.isnan(p):
            rows[name].append(p)
    tops = [j for j, name in enumerate(ids) if rows[name] and min(rows[name]) <= p1]
    taken, found = set(), []
    for i in sorted(tops, key=lambda j: (min(rows[ids[j]]), j)):
        if i in taken:
            continue
        taken.add(i)
        who = {"23": (founder & ~male, male), "24": (founder & False, male)}.get(
            chromosome[i], (founder, founder & False)
        )
        members = [i]
        for j in range(len(ids)):
            near = chromosome[j] == chromosome[i] and abs(places[j] - places[i]) < 1000 * kb
            asked = near and rows[ids[j]] and j not in taken
            if asked and em_r2(*count_pair(codes, i, j, *who), steps=400) > r2:
                taken.add(j)
                members.append(j)
        others = list(rows[ids[i]])
        others.remove(min(others))
        every = [(j, p) for j in sorted(members) for p in (others if j == i else rows[ids[j]])]
        bins = [sum(p < level for level in LEVELS) for _, p in every]
        listed = ",".join(f"{ids[j]}(1)" for j, p in every if p < p2)
        found.append(
            [
                chromosome[i],
                1,
                ids[i],
                places[i],
                min(rows[ids[i]]),
                len(every),
                *(bins.count(k) for k in range(5)),
                listed or "NONE",
            ]
        )
    return pd.DataFrame(found, columns=COLUMNS)


def plink_clumps(folder, bfile, table, p1, p2, r2, kb, *more):
    """PLINK's table."""
    out = run_plink(
        "plink1.9",
        folder,
        "--bfile",
        bfile,
        "--allow-no-sex",
        "--clump",
        table,
        "--clump-p1",
        p1,
        "--clump-p2",
        p2,
        "--clump-r2",
        r2,
        "--clump-kb",
        kb,
        *more,
    )
    return read_plink(out.with_suffix(".clumped"))


def assert_same(found, wanted):
    """All columns; PLINK prints three digits of a p-value."""
    assert list(found.columns[:12]) == COLUMNS == list(wanted.columns)
    assert len(found) == len(wanted)
    for name in COLUMNS:
        if name == "P":
            same = [f"{p:.3g}" for p in found[name]] == [f"{float(p):.3g}" for p in wanted[name]]
            assert same or np.allclose(found[name], wanted[name].astype(float), rtol=6e-3, atol=0)
        else:
            assert found[name].astype(str).tolist() == wanted[name].astype(str).tolist(), name
