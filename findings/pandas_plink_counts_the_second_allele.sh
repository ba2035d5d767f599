#!/usr/bin/env bash
# pandas-plink 2.3.2 beside bed-reader 1.1.0, on one PLINK 1 fileset.
#
# Guess: both readers of .bed count the same allele: the first of the .bim, PLINK's A1.
# Seen: bed-reader counts the first allele (A1), pandas-plink the second, in `read_plink` and in `read_plink1_bin`. Its
# table of variants calls the first allele `a0` and the second `a1`, so that its a1 is PLINK's A2. Codes and effects from
# one are mirrored in the other; `ref="a0"` of read_plink1_bin counts as PLINK's A1 does.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q pandas-plink==2.3.2 bed-reader==1.1.0 pandas==2.3.3 'numpy<2.4' 'setuptools<81'
v/bin/python -W ignore - <<'PYTHON' | tee seen
import numpy as np
from bed_reader import open_bed, to_bed
from pandas_plink import read_plink, read_plink1_bin

calls = np.array([[0.0, 0], [0, 1], [1, 2]])  # of the first allele: 3 people, 2 variants
to_bed("t.bed", calls, properties={"allele_1": ["G", "T"], "allele_2": ["A", "C"]})
print(".bim:", [line.split()[4:] for line in open("t.bim")])
with open_bed("t.bed") as bed:
    print("bed-reader:", bed.read().T.tolist())
bim, fam, calls = read_plink("t", verbose=False)
print("pandas-plink:", calls.compute().tolist(), bim[["a0", "a1"]].astype(str).to_numpy().tolist())
for ref in ("a1", "a0"):
    calls = read_plink1_bin("t.bed", "t.bim", "t.fam", verbose=False, ref=ref)
    print("read_plink1_bin, ref", ref, calls.to_numpy().T.tolist())
PYTHON
diff seen - <<'EXPECTED'
.bim: [['G', 'A'], ['T', 'C']]
bed-reader: [[0.0, 0.0, 1.0], [0.0, 1.0, 2.0]]
pandas-plink: [[2.0, 2.0, 1.0], [2.0, 1.0, 0.0]] [['G', 'A'], ['T', 'C']]
read_plink1_bin, ref a1 [[2.0, 2.0, 1.0], [2.0, 1.0, 0.0]]
read_plink1_bin, ref a0 [[0.0, 0.0, 1.0], [0.0, 1.0, 2.0]]
EXPECTED
echo "as described"
