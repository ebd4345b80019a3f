#!/bin/bash
# A batch on a cluster with Slurm: every task is a rank, and ranks take chunks of samples as they become free.
#
#     sbatch examples/slurm_batch.sh examples/four_bar_tolerance.sweep.toml /scratch/$USER/tolerance.zarr
#
# The store has to be on a file system that all nodes see. With --resume the same line begins a store, continues it after
# the job was killed or ran out of time, and does nothing once it is complete; so a job may requeue itself.

#SBATCH --job-name=groupkin
#SBATCH --ntasks=64
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=2G
#SBATCH --time=04:00:00
#SBATCH --signal=B:USR1@120
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=groupkin-%j.log

set -euo pipefail

sweep=${1:?the sweep file}
store=${2:?the store, such as results.zarr}

# Take the MPI of the cluster, with an mpi4py that was built for it:
#     module load openmpi && pip install --no-binary=mpi4py mpi4py '.[io,mpi]'
# module load openmpi
source "${GROUPKIN_VENV:-.venv}/bin/activate"

# One thread for each rank; compiled kernels are kept where all nodes find them.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 NUMBA_NUM_THREADS=1
export NUMBA_CACHE_DIR=${NUMBA_CACHE_DIR:-$HOME/.cache/groupkin-numba}

# Two minutes before the time is up: continue in a new job. Nothing has to be saved, chunks are on disk as they are done.
trap 'scontrol requeue "$SLURM_JOB_ID"' USR1

# With the MPI of mpi4py: srun --mpi=list names what Slurm offers; batch refuses one that does not match.
srun --kill-on-bad-exit=1 groupkin batch "$sweep" --out "$store" --resume &
wait $!
groupkin batch-report "$store"
