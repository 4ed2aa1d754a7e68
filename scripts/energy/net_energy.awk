# SPDX-License-Identifier: Apache-2.0
# Joules of a transition of each net: of its driver and of the pins that it drives; and the flip-flop that drives it.
# Reads OpenSTA's record of all pins (set_debug power 2), then the netlist.
# OpenSTA 2.0.17 adds the energies of rising and of falling, and those of all related pins, each times the probability
# that this pin decides, which the record rounds: it is a multiple of 1/16. A transition has their weighted mean.
function end_pin() {
  if (pin != "") energy[pin] = switching + (weights ? sum / weights / 2 : 0)
  sum = weights = 0
}
FNR == NR && $2 == "switching" { next_switching = $NF / $6 }  # comes before its pin
FNR == NR && $2 == "internal" { end_pin(); pin = $3; switching = next_switching; next_switching = 0 }
FNR == NR && / -> / { weights += int($(NF - 4) * 16 + 0.5) / 16; sum += $(NF - 3) }
FNR == NR { next }
FNR == 1 { end_pin() }
/^  [A-Z0-9]+ .* \($/ { instance = $2 }
/^    \.[A-Z]+\(/ {
  pin = net = $0
  gsub(/^ *\.|\(.*/, "", pin)
  gsub(/^[^(]*\(|\),?$|[\\ ]/, "", net)
  of[net] += energy[instance "/" pin]
  if (pin == "Q") flip_flop[net] = instance "/Q"
}
END { for (net in of) print net, of[net], flip_flop[net] }
