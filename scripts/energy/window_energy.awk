# SPDX-License-Identifier: Apache-2.0
# Joules of each window. Reads the energies of nets, the windows, and the waveform of the replay. activity.tcl tells OpenSTA
# the activity of inputs and flip-flops.
FILENAME == "energy.txt" {
  energy[$1] = $2
  flip_flop[$1] = $3
  next
}
FILENAME == "events.txt" { first[++windows] = $1; next }
/^[01]/ {
  code = substr($0, 2)
  sum += of[code]
  if (code in start) {
    transitions[code]++
    high[code] += /^0/ ? cycle : -cycle
    last[code] = /^1/
  }
  next
}
/^#/ {
  cycle = int(substr($0, 2) / 1000)
  for (; window < windows && cycle >= first[window + 1]; window++) {
    if (window) print sum
    sum = 0
  }
  next
}
/^\$var/ {
  sub(/^\\/, "", $5)
  if (!($5 in energy) && $5 != "rst_ni") {
    print "no energy of net " $5 > "/dev/stderr"
    exit failed = 1
  }
  of[$4] = energy[$5]
  if (flip_flop[$5] != "") start[$4] = "sta::set_power_pin_activity [get_pins " flip_flop[$5] "]"
  else if ($5 ~ /_i(\[|$)/ && $5 !~ /\./) start[$4] = "sta::set_power_input_port_activity [get_ports {" $5 "}]"
}
END {
  if (!failed) print sum
  for (code in start) print start[code], transitions[code] / cycle, (high[code] + last[code] * cycle) / cycle > "activity.tcl"
  exit failed
}
