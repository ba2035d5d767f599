"""Cohorts of cases and controls with known effects, as PLINK's files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import numpy as np

from ..._core.errors import PlanError, value_text
from ..._core.files import atomic_file, write_text
from ..._core.settings import checked_count
from ..._core.streams import generator, stream

BLOCK_VARIANTS = 1 << 14  # variants drawn at once
N_CHROMOSOMES = 22


def simulate_cohort(
    path: str | os.PathLike[str],
    n_cases: int | Sequence[int],
    n_controls: int | Sequence[int],
    n_variants: int,
    *,
    singles: Sequence[tuple[int, float]] = (),
    pairs: Sequence[tuple[int, int, float]] = (),
    frequencies: tuple[float, float] = (0.05, 0.5),
    divergence: float = 0.05,
    missing: float = 0.005,
    differential: float = 0.0,
    seed: int = 0,
) -> None:
    """Write a made-up case-control cohort as .bed, .bim and .fam.

    Variants are independent and in Hardy-Weinberg proportions in the controls of each stratum. The
    same variants and samples are drawn whatever else is requested.

    Parameters
    ----------
    path : path
        Without an ending. The family of a sample is its stratum; phenotype 2 is a case.
    n_cases, n_controls : int, or sequence of int
        One number a stratum, where there are several.
    n_variants : int
        On chromosomes 1 to 22, a thousand base pairs apart.
    singles : sequence of (variant, odds ratio)
        Of each copy of allele 1.
    pairs : sequence of (variant, variant, odds ratio)
        Of carrying allele 1 of both or of neither, against one of them; neither has an effect alone
        (its frequencies are those of the controls).
    frequencies : (float, float), default=(0.05, 0.5)
        Between which those of allele 1 are spread evenly.
    divergence : float, default=0.05
        F_ST between strata (Balding and Nichols 1995).
    missing : float, default=0.005
        Share of calls that are missing.
    differential : float, default=0
        Share of variants of which a further tenth of the heterozygous calls is missing among cases:
        what differs then is the quality of calls.
    seed : int, default=0

    Raises
    ------
    PlanError
        A parameter is not one of those allowed.
    StoreError
        The files cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import open_genotypes, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/two", [30, 10], [10, 30], 50)
    ...     sorted(set(open_genotypes(f"{folder}/two").samples.family))
    ['stratum1', 'stratum2']
    """
    from ...kernels.genotypes.draws import KEY_SPREAD, draw_calls
    from ...kernels.genotypes.words import bytes_for

    sizes = _strata_sizes(n_cases, n_controls)
    p = checked_count(n_variants, "n_variants", 1)
    for name, value in (
        ("missing", missing),
        ("differential", differential),
        ("divergence", divergence),
    ):
        if not 0 <= value < 1:
            raise PlanError(f"{name} = {value_text(value)}: give a share from 0 to below 1")
    planted = [*(j for j, _ in singles), *(j for i, k, _ in pairs for j in (i, k))]
    if len(set(planted)) < len(planted) or any(not 0 <= j < p for j in planted):
        raise PlanError("singles and pairs: name different variants, numbered from 0")
    H = len(sizes)
    groups = np.repeat(np.arange(2 * H), sizes.ravel())  # of each stratum controls, then cases
    rng = generator(seed, "genome", "samples")
    groups = groups[rng.permutation(len(groups))]
    path = Path(path)
    odds, partner = dict(singles), {i: (j, value) for i, j, value in pairs}
    frequency = np.empty((p, H))
    with atomic_file(path.with_name(path.name + ".bed")) as file:
        file.write(b"\x6c\x1b\x01")
        for first in range(0, p, BLOCK_VARIANTS):
            m = min(BLOCK_VARIANTS, p - first)
            rng = generator(seed, "genome", "frequencies", first)
            own = _allele_frequencies(rng, m, H, frequencies, divergence)
            frequency[first : first + m] = own
            f = np.repeat(own[:, :, None], 2, axis=2)  # of controls, and of cases
            for j in range(first, first + m):
                if j in odds:
                    at = f[j - first, :, 1]
                    f[j - first, :, 1] = at * odds[j] / (1 - at + at * odds[j])
            f = f.reshape(m, 2 * H)
            lost = np.full(f.shape, missing)
            poor = rng.random(m) < differential
            lost_one = lost + 0.1 * (poor[:, None] & (np.arange(2 * H) % 2 == 1))
            packed = np.empty((m, bytes_for(len(groups))), dtype=np.uint8)
            keys = stream(seed, "genome", "calls", first).generate_state(m, np.uint64)
            two, one = f * f, f * (2 - f)
            draw_calls(
                keys,
                *(np.rint(v * KEY_SPREAD).astype(np.int64) for v in (two, one, lost, lost_one)),
                groups,
                packed,
            )
            file.write(packed.tobytes())
        _draw_pairs(file, frequency, partner, groups, missing, seed)
    _write_tables(path, groups, p, seed)


def _strata_sizes(n_cases: int | Sequence[int], n_controls: int | Sequence[int]) -> np.ndarray:
    """Controls and cases of each stratum (H, 2)."""
    parts = [np.atleast_1d(np.asarray(n)) for n in (n_controls, n_cases)]
    if parts[0].shape != parts[1].shape:
        raise PlanError("n_cases and n_controls: give as many numbers for both, one a stratum")
    for name, part in zip(("n_controls", "n_cases"), parts, strict=True):
        for n in part:
            checked_count(n, name, 0)
    sizes = np.stack(parts, axis=1).astype(np.int64)
    if (sizes.sum(axis=0) < 1).any():
        raise PlanError("n_cases and n_controls: a cohort has at least one of each")
    return sizes


def _allele_frequencies(
    rng: np.random.Generator, m: int, H: int, span: tuple[float, float], divergence: float
) -> np.ndarray:
    """Of allele 1 in each stratum (m, H), about an ancestral one (Balding and Nichols 1995)."""
    ancestral = rng.uniform(*span, m)
    if H == 1 or divergence == 0:
        return np.repeat(ancestral[:, None], H, axis=1)
    scale = (1 - divergence) / divergence
    drawn = rng.beta(ancestral * scale, (1 - ancestral) * scale, (H, m)).T
    return np.clip(drawn, 0.001, 0.999)


def joint_of_cases(f: float, g: float, odds: float) -> np.ndarray:
    """Genotypes (3, 3) of a pair among cases: carriers of both or neither are `odds` times as
    frequent as of one, and each has its frequencies among controls (iterative proportional
    fitting)."""
    rows, columns = (np.array([x * x, 2 * x * (1 - x), (1 - x) ** 2]) for x in (f, g))
    carrier = np.array([True, True, False])
    table = np.outer(rows, columns) * np.where(carrier[:, None] == carrier, odds, 1.0)
    for _ in range(200):
        table *= (rows / table.sum(axis=1))[:, None]
        table *= columns / table.sum(axis=0)
    return table


def _draw_pairs(
    file: IO[bytes],
    frequency: np.ndarray,
    partner: dict[int, tuple[int, float]],
    groups: np.ndarray,
    missing: float,
    seed: int,
) -> None:
    """Put the calls of pairs that act together in the place of those drawn."""
    from ...kernels.genotypes.words import pack_calls

    n_bytes = -(-len(groups) // 4)
    for i, (j, odds) in partner.items():
        rng = generator(seed, "genome", "pair", i, j)
        codes = np.empty((2, len(groups)), dtype=np.uint8)
        for group in np.unique(groups):
            mine = np.flatnonzero(groups == group)
            f, g = frequency[i, group // 2], frequency[j, group // 2]
            table = joint_of_cases(f, g, odds if group % 2 else 1.0)
            cells = rng.choice(9, len(mine), p=table.ravel() / table.sum())
            codes[0, mine], codes[1, mine] = cells // 3, cells % 3
        codes = np.array([0, 2, 3], dtype=np.uint8)[codes]
        codes[rng.random(codes.shape) < missing] = 1
        for variant, row in zip((i, j), pack_calls(codes), strict=True):
            file.seek(3 + variant * n_bytes)
            file.write(row.tobytes())


def _write_tables(path: Path, groups: np.ndarray, p: int, seed: int) -> None:
    sexes = generator(seed, "genome", "sexes").integers(1, 3, len(groups))
    several = groups.max() > 1
    rows = [
        f"{f'stratum{g // 2 + 1}' if several else f's{i + 1}'} s{i + 1} 0 0 {sex} {1 + g % 2}\n"
        for i, (g, sex) in enumerate(zip(groups.tolist(), sexes.tolist(), strict=True))
    ]
    write_text(path.with_name(path.name + ".fam"), "".join(rows))
    each = -(-p // N_CHROMOSOMES)
    with atomic_file(path.with_name(path.name + ".bim"), "w") as file:
        for j in range(p):
            chromosome, place = divmod(j, each)
            file.write(f"{chromosome + 1}\tv{j + 1}\t0\t{1000 * (place + 1)}\tA\tG\n")
