#!/usr/bin/env bash
# A study as an array of Slurm jobs: `bash slurm.sh expression.csv diagnosis study 10`.
#SBATCH --cpus-per-task=1 --mem=4G --time=04:00:00
set -euo pipefail

if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then # a job of the array: one part
    # --resume: a job that Slurm puts back into the queue goes on where it was
    exec tamis study "$TABLE" --target "$TARGET" --n-jobs 1 --resume \
        --part "$SLURM_ARRAY_TASK_ID/$PARTS" --out "$OUT-parts/$SLURM_ARRAY_TASK_ID"
fi
if [ -n "${SLURM_JOB_ID:-}" ]; then # the last job: the study of all parts
    exec tamis study "$TABLE" --target "$TARGET" --n-jobs 1 --join "$OUT-parts" --out "$OUT"
fi

export TABLE=$1 TARGET=$2 OUT=$3 PARTS=${4:-10}
parts=$(sbatch --parsable --requeue --array="1-$PARTS" "$0")
sbatch --dependency="afterok:$parts" "$0"
