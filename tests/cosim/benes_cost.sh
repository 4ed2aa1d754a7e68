#!/usr/bin/env bash
# benes_cost.sh FOLDER: counts record-wide multiplexers in the RTL in FOLDER, two a switch: 2 N log2 N - N for N ports
# (popa.benes.switches).
set -euo pipefail
# SPDX-License-Identifier: Apache-2.0
folder=$1
command -v yosys >/dev/null || {
  echo "skipped: no yosys"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for sizes in "8 40" "16 112" "32 288" "64 704"; do
  read -r ports wanted <<<"$sizes"
  yosys -q -p "read_verilog -sv $folder/*.sv; chparam -set NumPorts $ports -set DataWidth 37 benes_network;
    hierarchy -top benes_network; proc; flatten; select -write $work/found t:\$mux r:WIDTH=37 %i" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
  }
  found=$(wc -l <"$work/found")
  echo "$ports ports: $found multiplexers"
  [ "$found" = "$wanted" ]
done
