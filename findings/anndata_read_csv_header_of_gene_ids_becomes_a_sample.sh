#!/usr/bin/env bash
# anndata 0.12.19, anndata.io.read_csv on a table whose features are Entrez ids.
#
# Guess: the first line is the header, as in pandas.read_csv, so that 7157 and 1017 are names of variables.
# Seen: a first line whose names are numbers is taken as DATA. The ids become the values of a sample that is called like
# the header's first cell, the variables are called 0, 1, and no warning is given. The same table with symbols is read
# right. One name that is no number is enough to have the header back.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q anndata==0.12.19 pandas==2.3.3 scipy==1.16.3
v/bin/python - <<'PYTHON' | tee seen
import warnings
from pathlib import Path

import anndata.io

for names in ("TP53,CDK2", "7157,1017", "7157,CDK2"):
    Path("t.csv").write_text(f"sample,{names}\nP1,1.5,2\nP2,3,4\n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = anndata.io.read_csv("t.csv")
    print(names, list(table.obs_names), list(table.var_names), table.X.tolist(), len(caught))
PYTHON
diff seen - <<'EXPECTED'
TP53,CDK2 ['P1', 'P2'] ['TP53', 'CDK2'] [[1.5, 2.0], [3.0, 4.0]] 0
7157,1017 ['sample', 'P1', 'P2'] ['0', '1'] [[7157.0, 1017.0], [1.5, 2.0], [3.0, 4.0]] 0
7157,CDK2 ['P1', 'P2'] ['7157', 'CDK2'] [[1.5, 2.0], [3.0, 4.0]] 0
EXPECTED
echo "as described"
