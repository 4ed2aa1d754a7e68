#!/usr/bin/env bash
# netlist_rules.sh RTL BLOCK [OUTPUT...]: the netlist of a block has no latch and no combinational loop, and only the named
# outputs depend on an input in the same cycle.
set -euo pipefail
# SPDX-License-Identifier: Apache-2.0
rtl=$1 block=$2
shift 2
if ! command -v yosys >/dev/null; then
  echo "skipped: yosys is missing: scripts/install-dependencies test"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Reads outside an array become undefined signals without a driver, which `check` would count.
yosys -q -p "read_verilog -defer -sv -I$rtl/common -I$rtl/$block $rtl/common/*.sv $rtl/$block/*.sv
  hierarchy -check -top $block
  proc; flatten; memory_map; opt_clean; setundef -undriven -zero; check -assert
  select -assert-none t:\$dlatch t:\$dlatchsr t:\$adlatch t:\$sr
  cd $block
  tee -q -o $folder/outputs select -list i:*_i i:clk_i %d %coe*:-\$dff,\$dffe,\$adff,\$adffe,\$aldff,\$aldffe o:* %i" 2>"$folder/log" ||
  { grep -E 'ERROR|loop' "$folder/log" | head && exit 1; }
sed 's/.*\///' "$folder/outputs" | sort >"$folder/found"
printf '%s\n' "$@" | sed '/^$/d' | sort >"$folder/expected"
if ! diff "$folder/expected" "$folder/found"; then
  echo "$block: other outputs depend on an input in the same cycle (< expected, > found)"
  exit 1
fi
echo "$block: no latch, no combinational loop, $(wc -l <"$folder/found") outputs that depend on an input in the same cycle"
