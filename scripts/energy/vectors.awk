# SPDX-License-Identifier: Apache-2.0
# Reads the waveform of a run and prints, for each cycle, reset, inputs and outputs of the block; x: may have any value.
# Where the block is idle, it inserts a thousand idle cycles.
# events.txt gets, for each window, its first cycle, length, rdctrl, reports, choices without a swap, swaps one way and both
# ways, register reads, and what it is: idle, reset or work. A window begins when the idle block gets work. ports.v
# connects the bits of the vectors.
function at(name) { return v[code[name]] }
function is_idle() { return at("idle_o") == 1 }
function window(next_kind) {
  if (kind) {
    print first + 0, now - first, rdctrl + 0, reports + 0, choices - swaps[0] - swaps[1], swaps[0] + 0, swaps[1] + 0, reads + 0,
      kind > "events.txt"
  }
  first = now
  kind = next_kind
  rdctrl = reports = choices = swaps[0] = swaps[1] = reads = 0
}
# Accesses are defined when they are valid.
function output(name) {
  if (name ~ /^(read|write)_(row|register|lanes|words)_o$/ && at(substr(name, 1, index(name, "_")) "valid_o") == 0) {
    return unknown[width[code[name]]]
  }
  return at(name)
}
function cycle(   i, in_bits, out_bits) {
  for (i = 1; i <= ins; i++) in_bits = in_bits at(inputs[i])
  for (i = 1; i <= outs; i++) out_bits = out_bits output(outputs[i])
  if (is_idle() && !inserted && now > 2000) {
    window("idle")
    for (; inserted < 1000; inserted++) print 0, before, out_bits
    now += inserted
  }
  if (is_idle() || reset) window(reset ? "reset" : "work")
  print reset + 0, in_bits, out_bits
  now++
  reset = 0
  before = in_bits
  rdctrl += at("control_valid_i") * at("control_ready_o")
  reports += at("report_valid_i") * at("report_ready_o")
  choices += at("go")
  swaps[at("both_ways_i")] += at("take")
  reads += at("read_grant_i")
}
function connect(names, count, bus,   i, k, bit, bits) {
  for (i = count; i; i--) {
    bits = width[code[names[i]]]
    for (k = 0; k < bits; k++) printf ",\n    .\\%s%s (%s[%d])", names[i], bits == 1 ? "" : "[" k "]", bus, bit++ > "ports.v"
  }
}
/^\$scope/ { ports = $3 == "rtl" }  # the outermost scope of the block has its ports
/^\$var/ {
  if ($5 in code) next
  code[$5] = $4
  width[$4] = $3
  unknown[$3] = sprintf("%" $3 "s", "")
  gsub(/ /, "x", unknown[$3])
  if (ports && $5 ~ /_i$/ && $5 != "clk_i") inputs[++ins] = $5
  if (ports && $5 ~ /_o$/) outputs[++outs] = $5
}
/^#/ {
  if (time ~ /0$/) cycle()  # the values before the rising edge
  time = substr($0, 2)
}
/^b/ { for (v[$2] = substr($1, 2); length(v[$2]) < width[$2];) v[$2] = "0" v[$2] }
/^[01]/ {
  v[substr($0, 2)] = substr($0, 1, 1)
  if (substr($0, 2) == code["rst_ni"]) reset = 1  # RTL of a new launch is shown from its reset on
}
END {
  window("")
  connect(inputs, ins, "in")
  connect(outputs, outs, "out")
}
