#!/usr/bin/env bash
# statsmodels 0.15.0, multipletests on p-values of which one is missing, as a test of a constant feature gives it.
#
# Guess: the missing one stays missing and the others are corrected among themselves (R's p.adjust does so), or all
# methods refuse it.
# Seen: it depends on the method, without a warning. fdr_bh, fdr_by, fdr_tsbh and hommel return NaN for EVERY corrected
# p-value; of these fdr_bh and fdr_tsbh still reject two tests, so that `reject` and `pvals_corrected <= alpha` of one call
# differ, and fdr_by and hommel reject none. bonferroni and holm keep the others and count the missing one as a test (.01
# becomes .04 among three). scipy.stats.false_discovery_control raises an error.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q statsmodels==0.15.0 scipy==1.16.3 pandas==2.3.3
v/bin/python -W error::RuntimeWarning - <<'PYTHON' | tee seen
import numpy as np
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

p = [0.01, np.nan, 0.02, 0.5]
for method in ("fdr_bh", "fdr_by", "fdr_tsbh", "hommel", "bonferroni", "holm"):
    rejected, corrected, *_ = multipletests(p, method=method)
    print(method, corrected.round(3).tolist(), int(rejected.sum()))
try:
    false_discovery_control(p)
except ValueError as error:
    print("scipy:", type(error).__name__)
PYTHON
diff seen - <<'EXPECTED'
fdr_bh [nan, nan, nan, nan] 2
fdr_by [nan, nan, nan, nan] 0
fdr_tsbh [nan, nan, nan, nan] 2
hommel [nan, nan, nan, nan] 0
bonferroni [0.04, nan, 0.08, 1.0] 1
holm [0.04, nan, 0.06, 1.0] 1
scipy: ValueError
EXPECTED
echo "as described"
