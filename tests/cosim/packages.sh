#!/usr/bin/env bash
# packages.sh RECONVERGE FOLDER BLOCK: exports a block, and checks the package in another folder than the tree: lint, golden
# vectors, the proofs with SymbiYosys if it is installed, for one block everything, and for one a wrong vector, which must be
# detected.
set -euo pipefail
# SPDX-License-Identifier: Apache-2.0
reconverge=$1 folder=$2/$3 block=$3
for tool in verilator yosys iverilog make; do
  command -v "$tool" >/dev/null || {
    echo "skipped: no $tool"
    exit 77
  }
done

rm -rf "$folder"
"$reconverge" export "$block" --out "$folder"
cd "$folder"
# Verilator compiles the same vectors in tests/cosim/replay.sh, and scripts/area synthesises every block.
steps=(lint icarus)
if [ "$block" = benes_network ]; then steps=(); fi  # all of them
make "${steps[@]}" >make.log 2>&1 || {
  cat make.log
  exit 1
}
grep -q "PASSED: 500 cycles" make.log
# Each proof of proofs.sh has its file.
(
  declare -A how=() top_of=() to_prove=() at_least=() proved_elsewhere=() left_out=() properties=() begins=() cycles=() constant_while=()
  # shellcheck source=/dev/null
  . "rtl/$block/formal/proofs.sh"
  for proof in "${proofs[@]}"; do
    if [ ! -s "formal/$proof.sby" ]; then
      echo "there is no formal/$proof.sby"
      exit 1
    fi
  done
)
if command -v sby >/dev/null; then
  make sby >sby.log 2>&1 || {
    grep -E 'ERROR|FAIL' sby.log
    exit 1
  }
else
  echo "sby is missing: the proofs are not repeated with SymbiYosys"
fi
grep -q "<table>" "$block.html"
grep -q "data:image/svg+xml" "$block.html"
if command -v chromium >/dev/null || command -v weasyprint >/dev/null; then
  [ "$(head -c 4 "$block.pdf")" = %PDF ]
else
  echo "chromium and weasyprint are missing: the specification is not printed"
fi
if [ "$block" = benes_network ]; then
  if command -v sby >/dev/null; then
    # A wrong property is refuted.
    sed -E 's/(parameter int unsigned Wrong *=) 0/\1 4/' formal/round_trip.sby >build/wrong.sby
    if sby -f --prefix build/wrong build/wrong.sby >wrong.log 2>&1 || ! grep -q 'DONE (FAIL' wrong.log; then
      echo "a wrong property was not refuted by sby"
      exit 1
    fi
  fi
fi
if [ "$block" = subwarp_interleaving ]; then
  # The last field is the valid bits of an output.
  awk 'NR == 300 {$NF = 1; $(NF - 1) = $(NF - 1) == 1 ? 0 : 1} {print}' vectors/vectors.txt >changed.txt
  mv changed.txt vectors/vectors.txt
  if make icarus >wrong.log 2>&1; then
    echo "a changed vector was not detected"
    exit 1
  fi
fi
echo "$block: the package passes"
