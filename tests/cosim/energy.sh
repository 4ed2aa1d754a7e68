#!/usr/bin/env bash
# energy.sh HELPERS: the parts of scripts/power on small inputs: OpenSTA's energies, transitions of a replay, and the fit.
set -euo pipefail
# SPDX-License-Identifier: Apache-2.0
helpers=$1
library=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
if ! command -v sta >/dev/null || [ ! -f $library ]; then
  echo "skipped: no sta or no $library"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# near FOUND WANTED TOLERANCE WHAT
near() {
  awk -v found="$1" -v wanted="$2" -v tolerance="$3" -v what="$4" 'BEGIN {
    print what ": " found ", wanted " wanted
    exit !(found >= wanted * (1 - tolerance) && found <= wanted * (1 + tolerance))
  }'
}

# Forty flip-flops that store one input: three buffers of 16, 16 and 8 clock pins.
{
  echo "module small(clk_i, d_i);"
  printf '  input clk_i;\n  input d_i;\n'
  for i in $(seq 40); do printf '  DFFPOSX1 _%d_ (\n    .CLK(clk_i),\n    .D(d_i),\n    .Q(q%d)\n  );\n' "$i" "$i"; done
  printf '  INVX1 _41_ (\n    .A(q1),\n    .Y(y)\n  );\nendmodule\n'
} >netlist.v
awk -f "$helpers/clock_tree.awk" netlist.v >tree.v
[ "$(grep -c '^  CLKBUF1' tree.v)" = 3 ]
[ "$(grep -o '\.CLK([^)]*' tree.v | sort | uniq -c | awk '{print $1}' | tr '\n' ' ')" = "16 16 8 " ]

cat >power.tcl <<END
read_liberty $library
read_verilog tree.v
link_design small
create_clock -name clock -period 10 [get_ports clk_i]
set_power_activity -global -activity 1 -duty 0.5
sta::set_debug power 2
report_power
END
sta -no_splash -exit power.tcl >power.txt 2>pins.txt
awk -f "$helpers/net_energy.awk" pins.txt tree.v >energy.txt
of() { awk -v net="$1" '$1 == net {print $2 * 1e12}' energy.txt; }
# By the library: D of 40 flip-flops, at steep edges, takes the mean of 0.0454 pJ (rising) and 0.0884 pJ (falling).
near "$(of d_i)" "$(awk 'BEGIN {print 40 * (0.045424 + 0.08841) / 2}')" 0.01 "input of 40 flip-flops in pJ"
# An inverter without a load takes the mean of 0.0236 pJ and 0.0092 pJ. A flip-flop also takes C V^2 / 2 for the inverter's
# input, but a little less inside, where the output is slower.
near "$(of y)" "$(awk 'BEGIN {print (0.023555 + 0.009213) / 2}')" 0.05 "inverter in pJ"
near "$(awk -v q1="$(of q1)" -v q2="$(of q2)" 'BEGIN {print q1 - q2}')" "$(awk 'BEGIN {print 0.00932456 * 1.8 ^ 2 / 2}')" 0.2 \
  "load of an inverter in pJ"

# Two windows: q1 rises in the first; it falls, and d_i rises, in the second.
printf '0 2 0 0 0 0 0 0 work\n2 2 0 0 0 0 0 0 work\n' >events.txt
cat >replay.vcd <<'END'
$var wire 1 ! q1 $end
$var wire 1 " d_i $end
$enddefinitions $end
#1000
1!
#2000
0!
#3500
1"
END
awk -f "$helpers/window_energy.awk" energy.txt events.txt replay.vcd >windows.txt
near "$(awk 'NR == 1 {print $1 * 1e12}' windows.txt)" "$(of q1)" 0.001 "first window in pJ"
near "$(awk 'NR == 2 {print $1 * 1e12}' windows.txt)" "$(awk -v q1="$(of q1)" -v d="$(of d_i)" 'BEGIN {print q1 + d}')" 0.001 "second window in pJ"
grep -q '_1_/Q. 0.666667 0.333333' activity.tcl

# A fit of windows that were made of known energies finds them: idle cycle 2, then 3, 5, 7, 1100 and 2300 pJ.
awk 'BEGIN {
  print 0, 100, 0, 0, 0, 0, 0, 0, "idle"; print 200e-12 > "windows.txt"
  for (i = 0; i < 200; i++) {
    a = i % 3; b = i % 5; c = i % 7; d = i % 11 == 0; e = i % 13 == 0; n = 10 + i % 17
    print 100 + 30 * i, n, a, b, c, d, e, 17 * d + 34 * e, "work"
    print (2 * n + 3 * a + 5 * b + 7 * c + 1100 * d + 2300 * e) * 1e-12 > "windows.txt"
  }
}' >events.txt
awk -v period=4 -f "$helpers/table.awk" events.txt windows.txt | tee table.md
for row in "idle cycle 2" "rdctrl 3" "report 5" "choice 7" "one way 1100" "both ways 2300"; do
  awk -F'|' -v name="${row% *}" -v pj="${row##* }" 'index($2, name) && $4 + 0 == pj {found = 1} END {exit !found}' table.md
done
