#!/usr/bin/env bash
# A scan of genotypes as an array of Slurm jobs, with any options of `tamis genome mtd`, `mixed` or `pairs`:
# `PARTS=10 OUT=scan bash slurm_scan.sh mtd cohort.bed --permutations 100000`.
#SBATCH --cpus-per-task=1 --mem=4G --time=04:00:00
set -euo pipefail

if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then # a job of the array: one part, which goes on where it was
    exec tamis genome "$@" --n-jobs 1 \
        --part "$SLURM_ARRAY_TASK_ID/$PARTS" --out "$OUT-parts/$SLURM_ARRAY_TASK_ID"
fi
if [ -n "${SLURM_JOB_ID:-}" ]; then # the last job: the scan of all parts
    exec tamis genome "$@" --n-jobs 1 --join "$OUT-parts" --out "$OUT"
fi

export PARTS=${PARTS:-10} OUT=${OUT:-scan}
parts=$(sbatch --parsable --requeue --array="1-$PARTS" "$0" "$@")
sbatch --dependency="afterok:$parts" "$0" "$@"
