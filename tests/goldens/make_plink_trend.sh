#!/bin/sh
# The trend test of plink1.9, four printed digits, of a cohort BED (no ending): see README.md.
# sh make_plink_trend.sh build/trend/cohort tests/goldens
set -e
plink1.9 --bfile "$1" --allow-no-sex --model --out "$1" > /dev/null
awk -v version="$(plink1.9 --version)" '
    $5 == "TREND" { chi = chi sep "\"" $8 "\""; p = p sep "\"" $10 "\""; sep = ", " }
    END { printf "{\"made_by\": \"%s\",\n \"chi2\": [%s],\n \"p\": [%s]}\n", version, chi, p }
' "$1.model" > "$2/plink_trend.json"
