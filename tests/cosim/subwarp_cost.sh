#!/usr/bin/env bash
# subwarp_cost.sh RTL: counts the cells that yosys elaborates for the thread status table and its wakeup, and compares
# them with the SI paper (section III-C.2): 128 comparators, 64 multiplexers and 32 subtractors for 32 entries; 3 + 3 +
# 6 bits an entry, which is 1536 bytes of an SM with 32 warps and 32 entries each, and 96 with two.
set -euo pipefail
# SPDX-License-Identifier: Apache-2.0
rtl=$1
command -v yosys >/dev/null || {
  echo "skipped: no yosys"
  exit 77
}
failed=0

# cells <module> <entries>: the module's cells as written in the source, before any optimisation.
cells() {
  yosys -Q -T -p "read_verilog -sv $rtl/$1.sv; chparam -set Entries $2 $1; hierarchy -top $1; proc; stat -width" |
    awk '/^ +\$/ {print $1, $2}'
}
# same <what> <counted> <in the paper>
same() {
  echo "$1: $2"
  if [ "$2" != "$3" ]; then
    echo "$1: $2 instead of $3"
    failed=1
  fi
}

wakeup=$(cells subwarp_wakeup 32)
of_kind() { awk -v kind="$1" 'index($1, kind) == 1 {count += $2} END {print count + 0}' <<<"$wakeup"; }
same "comparators of 32 entries" "$(($(of_kind '$eq') + $(of_kind '$ne') + $(of_kind '$lt') + $(of_kind '$logic_not')))" 128
same "multiplexers" "$(($(of_kind '$mux') + $(of_kind '$pmux')))" 64
same "subtractors" "$(($(of_kind '$sub') + $(of_kind '$add')))" 32

# bytes <entries>: in flip-flops, of 32 warps.
bytes() {
  cells thread_status_table "$1" | awk '/^\$a?d?ff|^\$[a-z]*ff/ {split($1, kind, "_"); bits += kind[2] * $2} END {print 32 * bits / 8}'
}
same "bytes of 32 warps with 32 entries" "$(bytes 32)" 1536
same "bytes of 32 warps with 2 entries" "$(bytes 2)" 96
exit $failed
