// SPDX-License-Identifier: Apache-2.0
// A bit for each of `Lanes` lanes on its way between the lanes and the lowest places: for modules with this parameter and
// `Steps`, the steps of lane_moves.

// Brings the bits of some lanes together in the lowest places. What lies above them is undefined.
function automatic logic [Lanes-1:0] compress(input logic [Steps*Lanes-1:0] moves, input logic [Lanes-1:0] bits);
  logic [Lanes-1:0] arrives;
  compress = bits;
  for (int step = 0; step < Steps; step++) begin
    arrives = moves[step*Lanes+:Lanes];
    compress = (compress & ~arrives) | ((compress >> (1 << step)) & arrives);
  end
endfunction

// Takes bits from the lowest places to the lanes that `compress` brought them from. Other lanes are undefined.
function automatic logic [Lanes-1:0] expand(input logic [Steps*Lanes-1:0] moves, input logic [Lanes-1:0] bits);
  logic [Lanes-1:0] arrives;
  expand = bits;
  for (int step = Steps - 1; step >= 0; step--) begin
    arrives = moves[step*Lanes+:Lanes] << (1 << step);
    expand = (expand & ~arrives) | ((expand << (1 << step)) & arrives);
  end
endfunction
