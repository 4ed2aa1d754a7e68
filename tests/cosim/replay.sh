#!/usr/bin/env bash
# replay.sh RECONVERGE RTL FOLDER: golden vectors of a small block replayed by Verilator, and by Icarus on what yosys makes
# of the RTL; then with one digit of the vectors changed, which both have to see.
set -euo pipefail
reconverge=$1 rtl=$2 folder=$3
for tool in verilator yosys iverilog; do
  command -v "$tool" >/dev/null || {
    echo "skipped: no $tool"
    exit 77
  }
done
rm -rf "$folder"
"$reconverge" vectors drs --warps 4 --lanes 8 --cycles 300 --out "$folder"
cd "$folder"
verilator --binary --unroll-count 128 --unroll-stmts 100000 -I"$rtl" "$rtl"/*.sv replay.sv --top-module replay >verilator.log
yosys -q -p "read_verilog -sv -I$rtl $rtl/*.sv; chparam -set Warps 4 -set Lanes 8 dynamic_ray_shuffling;
  prep -flatten -top dynamic_ray_shuffling; rename -top dynamic_ray_shuffling; write_verilog netlist.v" >yosys.log 2>&1
iverilog -g2012 -DNETLIST netlist.v replay.sv -o replay
replays() {
  obj_dir/Vreplay | grep -E 'PASSED|FAILED'
  ./replay | grep -E 'PASSED|FAILED'
}
seen=$(replays)
echo "$seen"
[ "$(grep -c 'PASSED: 300 cycles' <<<"$seen")" = 2 ]
# The answer of a cycle in the middle: the 17th field.
awk 'NR == 150 {$17 = $17 == 1 ? 0 : 1} {print}' vectors.txt >changed.txt
mv changed.txt vectors.txt
seen=$(replays)
echo "$seen"
[ "$(grep -c 'FAILED: 1 differences' <<<"$seen")" = 2 ]
