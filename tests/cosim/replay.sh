#!/usr/bin/env bash
# replay.sh RECONVERGE RTL FOLDER: replays golden vectors of small blocks with Verilator, and with Icarus on the netlist
# that yosys makes of the RTL; then with one digit of the vectors changed, which both must detect.
set -euo pipefail
# SPDX-License-Identifier: Apache-2.0
reconverge=$1 rtl=$2 folder=$3 runtime=""
for tool in verilator yosys iverilog; do
  command -v "$tool" >/dev/null || {
    echo "skipped: no $tool"
    exit 77
  }
done

replays() {
  obj_dir/Vreplay | grep -E 'PASSED|FAILED'
  ./replay | grep -E 'PASSED|FAILED'
}

# replay <block> <settings for yosys> <field> <option of vectors>...: the field is an output that matters in cycle 150.
replay() {
  local block=$1 settings=$2 field=$3 flags="OPT_FAST=-O0 OPT_GLOBAL=-O0" seen
  shift 3
  rm -rf "${folder:?}/$block"
  "$reconverge" vectors "$block" --cycles 300 --out "$folder/$block" "$@"
  cd "$folder/$block"
  # The blocks share a runtime library: make does not compile what it is told is old. One file compiles faster than nine.
  if [ -n "$runtime" ]; then
    mkdir obj_dir
    cp "$runtime"/verilated*.o obj_dir
    flags+=$(cd obj_dir && printf ' -o %s' *.o)
  fi
  verilator --binary -MAKEFLAGS "$flags" --output-split 0 --unroll-count 128 --unroll-stmts 100000 -I"$rtl/$block" \
    "$rtl/$block"/*.sv "$rtl"/common/*.sv replay.sv --top-module replay >verilator.log
  runtime=$PWD/obj_dir
  yosys -q -p "read_verilog -sv -I$rtl/$block $rtl/$block/*.sv $rtl/common/*.sv; chparam $settings $block;
    prep -flatten -top $block; rename -top $block; write_verilog netlist.v" >yosys.log 2>&1
  iverilog -g2012 -DNETLIST netlist.v replay.sv -o replay
  seen=$(replays)
  echo "$seen"
  [ "$(grep -c 'PASSED: 300 cycles' <<<"$seen")" = 2 ]
  awk -v field="$field" 'NR == 150 {$field = $field == 1 ? 0 : 1} {print}' vectors.txt >changed.txt
  mv changed.txt vectors.txt
  seen=$(replays)
  echo "$seen"
  [ "$(grep -c 'FAILED: 1 differences' <<<"$seen")" = 2 ]
}

# Whether an rdctrl is accepted; whether a full warp is available; whether a warp can change; whether a request is accepted.
replay dynamic_ray_shuffling "-set Warps 4 -set Lanes 8" 2 --warps 4 --lanes 8
replay dynamic_microkernel "-set Lines 4 -set Regions 12 -set Fifo 2" 13 --lut-lines 4 --parts 12 --fifo 2
replay subwarp_interleaving "-set Warps 3 -set Entries 4" 12 --warps 3 --entries 4 --trigger any
replay benes_network "-set NumPorts 8 -set DataWidth 8 -set RegisterEvery 2" 2 --ports 8 --register-every 2
