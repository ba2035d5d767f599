"""Small files of genotypes for tests."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from tamis.genome.readers.inflate import BGZF_END
from tamis.kernels.genotypes.words import pack_calls

MAGIC = b"\x6c\x1b\x01"


def write_bed(stem, codes, phenotypes=None, chromosomes=None, families=None):
    """A .bed, .bim and .fam of codes 0 to 3 (m variants, n samples)."""
    m, n = codes.shape
    phenotypes = [1 + i % 2 for i in range(n)] if phenotypes is None else phenotypes
    chromosomes = [1] * m if chromosomes is None else chromosomes
    families = [f"f{i}" for i in range(n)] if families is None else families
    stem.with_suffix(".bed").write_bytes(MAGIC + pack_calls(codes).tobytes())
    stem.with_suffix(".bim").write_text(
        "".join(f"{c}\tv{j}\t0\t{100 * j + 1}\tA\tG\n" for j, c in enumerate(chromosomes))
    )
    stem.with_suffix(".fam").write_text(
        "".join(f"{f} s{i} 0 0 {1 + i % 2} {phenotypes[i]}\n" for i, f in enumerate(families))
    )
    return stem.with_suffix(".bed")


def random_codes(seed, m, n, missing=0.05):
    rng = np.random.default_rng(seed)
    codes = rng.choice([0, 2, 3], (m, n), p=[0.2, 0.4, 0.4])
    codes[rng.random((m, n)) < missing] = 1
    return codes


def bgzip(text, size=300):
    """As bgzip compresses: small members, each with its length, and an empty one at the end."""
    blocks = []
    for k in range(0, len(text), size):
        maker = zlib.compressobj(6, zlib.DEFLATED, -15)
        data = maker.compress(text[k : k + size]) + maker.flush()
        head = bytes.fromhex("1f8b08040000000000ff060042430200") + struct.pack("<H", len(data) + 25)
        tail = struct.pack("<2I", zlib.crc32(text[k : k + size]), len(text[k : k + size]))
        blocks.append(head + data + tail)
    return b"".join(blocks) + BGZF_END
