#!/usr/bin/env bash
# pyreadstat 1.3.7 with pandas 2.3.3, a file of SPSS read by a fresh installation.
#
# Guess: `pip install pyreadstat` brings what its default output, a frame of pandas, needs, or falls back to a library
# that is there.
# Seen: it installs narwhals and NumPy, no pandas. Every read_... with its defaults then raises
# PyreadstatError: You requested pandas as output_format but cannot import pandas
# though nobody requested anything; output_format="dict" reads the same file. Whoever prints the one-liner
# `pyreadstat.read_sav(FILE)[0].to_csv(...)` for a user has to name pandas beside it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv with
with/bin/pip install -q pyreadstat==1.3.7 pandas==2.3.3
with/bin/python -c '
import pandas, pyreadstat
pyreadstat.write_sav(pandas.DataFrame({"id": ["a", "b"], "x": [1.0, 2.0]}), "t.sav")'
python3 -m venv alone
alone/bin/pip install -q pyreadstat==1.3.7
for python in with alone; do
    echo "$python: $($python/bin/pip list 2>/dev/null | grep -c '^pandas ' || true) pandas"
    $python/bin/python - <<'PYTHON'
import pyreadstat

try:
    print("by default:", type(pyreadstat.read_sav("t.sav")[0]).__name__)
except Exception as error:
    print("by default:", error)
print("dict:", {k: list(v) for k, v in pyreadstat.read_sav("t.sav", output_format="dict")[0].items()})
PYTHON
done | tee seen
diff seen - <<'EXPECTED'
with: 1 pandas
by default: DataFrame
dict: {'id': ['a', 'b'], 'x': [1.0, 2.0]}
alone: 0 pandas
by default: You requested pandas as output_format but cannot import pandas
dict: {'id': ['a', 'b'], 'x': [1.0, 2.0]}
EXPECTED
echo "as described"
