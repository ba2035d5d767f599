#!/usr/bin/env bash
# anndata 0.12.19: concat(..., join="outer") of two cohorts that measured different genes.
#
# Guess: a gene that a cohort did not measure is missing (NaN) in its samples, however the matrices are stored; at least
# where one of the two is dense.
# Seen: NaN if both are dense; 0 if both are sparse; and if one is dense and one is sparse the result is sparse and ALL
# gaps are 0, those of the dense cohort's samples, too. So the storage of the other cohort decides whether "not measured"
# reads as "not expressed", and a classifier can tell the cohorts by it. `fill_value=numpy.nan` keeps gaps in all three.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q anndata==0.12.19 pandas==2.3.3 scipy==1.16.3
v/bin/python - <<'PYTHON' | tee seen
import anndata
import numpy as np
import pandas as pd
import scipy.sparse as sp


def cohort(samples, genes, kind):
    X = np.ones((2, 2))
    return anndata.AnnData(
        X if kind == "dense" else sp.csr_matrix(X), pd.DataFrame(index=samples), pd.DataFrame(index=genes)
    )


for one, other in (("dense", "dense"), ("sparse", "sparse"), ("dense", "sparse")):
    parts = [cohort(["s1", "s2"], ["g1", "g2"], one), cohort(["s3", "s4"], ["g2", "g3"], other)]
    for fill in (None, np.nan):
        X = anndata.concat(parts, join="outer", fill_value=fill).X
        X = X.toarray() if sp.issparse(X) else X
        print(one, other, fill, X[:, [0, 2]].tolist())
PYTHON
diff seen - <<'EXPECTED'
dense dense None [[1.0, nan], [1.0, nan], [nan, 1.0], [nan, 1.0]]
dense dense nan [[1.0, nan], [1.0, nan], [nan, 1.0], [nan, 1.0]]
sparse sparse None [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
sparse sparse nan [[1.0, nan], [1.0, nan], [nan, 1.0], [nan, 1.0]]
dense sparse None [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
dense sparse nan [[1.0, nan], [1.0, nan], [nan, 1.0], [nan, 1.0]]
EXPECTED
echo "as described"
