#!/usr/bin/env bash
# PLINK 1.9 (--recode A) and PLINK 2.0 (--export A) of Debian 12, on one .bed.
#
# Guess: both write the same additive table (.raw) of one fileset: copies of A1, the first allele of the .bim.
# Seen: PLINK 1.9 counts A1 (column rs1_G), PLINK 2.0 by default the other, its REF (column rs1_A): 0 and 2 change places.
# Only the letter in the heading shows it. A model made on one does not fit the other, though ids, order and form are the
# same; `--export-allele` with a file of id and allele sets it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q plink1.9=1.90~b6.26-220402-1 plink2=2.00~a3.5-220809+dfsg-1+b2 >/dev/null 2>&1
for package in *.deb; do dpkg-deb -x "$package" root; done
one=root/usr/lib/debian-med/bin/plink1.9
two=root/usr/lib/plink2/plink2-sse2
printf 'f1 i1 0 0 1 1 A A C C\nf2 i2 0 0 1 1 A A C T\nf3 i3 0 0 1 1 A G C T\n' >t.ped
printf '1 rs1 0 100\n1 rs2 0 200\n' >t.map
"$one" --file t --make-bed --out t >/dev/null
"$one" --bfile t --recode A --out one >/dev/null
"$two" --bfile t --export A --out two >/dev/null
{
    cut -f 2,5,6 t.bim
    for name in one two; do
        echo "$name"
        cut -d' ' -f 7,8 < <(tr '\t' ' ' <$name.raw)
    done
} | tr '\t' ' ' | tee seen
diff seen - <<'EXPECTED'
rs1 G A
rs2 T C
one
rs1_G rs2_T
0 0
0 1
1 1
two
rs1_A rs2_C
2 2
2 1
1 1
EXPECTED
echo "as described"
