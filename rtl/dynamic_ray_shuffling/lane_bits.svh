// SPDX-License-Identifier: Apache-2.0
// Packs and unpacks one bit for each lane by the steps of lane_moves. A module that includes this file has the parameters
// `Lanes` and `Steps`.

// Packs the bits of a set of lanes into the lowest positions. The bits above them are undefined.
function automatic logic [Lanes-1:0] compress(input logic [Steps*Lanes-1:0] moves, input logic [Lanes-1:0] bits);
  logic [Lanes-1:0] arrives;
  compress = bits;
  for (int step = 0; step < Steps; step++) begin
    arrives = moves[step*Lanes+:Lanes];
    compress = (compress & ~arrives) | ((compress >> (1 << step)) & arrives);
  end
endfunction

// The inverse of `compress`: returns the bits to their lanes. Other lanes are undefined.
function automatic logic [Lanes-1:0] expand(input logic [Steps*Lanes-1:0] moves, input logic [Lanes-1:0] bits);
  logic [Lanes-1:0] arrives;
  expand = bits;
  for (int step = Steps - 1; step >= 0; step--) begin
    arrives = moves[step*Lanes+:Lanes] << (1 << step);
    expand = (expand & ~arrives) | ((expand << (1 << step)) & arrives);
  end
endfunction
