# SPDX-License-Identifier: Apache-2.0
# Puts buffers before the clock pins of a netlist: each drives 16 of them, or 16 buffers.
/\.CLK\(/ {
  net = $0
  gsub(/.*\(|\).*/, "", net)
  sub(/\([^)]*\)/, "(" net "_c" int((pins[net]++) / 16) ")")
}
/^endmodule/ {
  for (net in pins) {
    to = net "_c"
    count = pins[net]
    do {
      count = int((count + 15) / 16)
      for (i = 0; i < count; i++) {
        from = count <= 16 ? net : to "c" int(i / 16)
        printf "  CLKBUF1 %s%d_buffer (\n    .A(%s),\n    .Y(%s%d)\n  );\n", to, i, from, to, i
      }
      to = to "c"
    } while (count > 16)
  }
}
{ print }
