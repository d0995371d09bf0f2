#!/usr/bin/env bash
# Measures a corpus folder on the GPU at hand: measure.sh CORPUS_DIR OUT_DIR
# Leaves OUT_DIR/expected.tar (outputs), nofma.txt, counters.csv (one row a case) and static.txt.
set -eu
dir=$(realpath "$1"); out=$(realpath "$2"); here=$(dirname "$(realpath "$0")")
work=$(mktemp -d); cp "$dir"/../corpus/harness.py "$work"; ln -s "$dir" "$work/set"
cd "$work"; python3 harness.py gen set gen
nvcc -O3 -arch=sm_90 -o run "$here/run.cu" gen/*.cu
nvcc -O3 -arch=sm_90 -fmad=false -o run_nofma "$here/run.cu" gen/*.cu
mkdir a b; ./run gen a; ./run gen b; ./run_nofma gen b
python3 - a b > "$out/checksums.csv" <<'P'
import os, sys, zlib
a, b = sys.argv[1:]
print("case,outputs_crc32,differs_without_fma")
for n in sorted(os.listdir(a)):
    x, y = (open(f"{d}/{n}", "rb").read() for d in (a, b))
    print(f"{n[:-4]},{zlib.crc32(x):08x},{int(x != y)}")
P
tar cf "$out/expected.tar" -C a .
for f in gen/*.cu; do for arch in 75 90; do nvcc -O3 -arch=sm_$arch -Xptxas -v -c -o /dev/null "$f" 2>&1 | sed "s/^/sm_$arch $(basename "$f") /"; done; done > "$out/static.txt"
m=smsp__inst_executed.sum,smsp__thread_inst_executed.sum,smsp__thread_inst_executed_pred_on.sum
m=$m,smsp__inst_executed_op_global_ld.sum,smsp__inst_executed_op_global_st.sum,smsp__inst_executed_op_shared_ld.sum,smsp__inst_executed_op_shared_st.sum
m=$m,smsp__inst_executed_op_local_ld.sum,smsp__inst_executed_op_local_st.sum,launch__registers_per_thread
for op in ld st atom; do m=$m,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op.sum,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$op.sum; done
for op in ld st atom red; do m=$m,l1tex__t_requests_pipe_lsu_mem_global_op_$op.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_$op.sum; done
for op in ld st; do m=$m,l1tex__t_sectors_pipe_lsu_mem_local_op_$op.sum; done
m=$m,smsp__sass_branch_targets.sum,smsp__sass_branch_targets_threads_divergent.sum
ncu --clock-control none --csv --page raw --print-units base --metrics "$m" ./run gen > "$out/ncu.csv" 2> "$out/ncu.err" || tail -5 "$out/ncu.err"
