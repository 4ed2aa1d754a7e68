// SPDX-License-Identifier: Apache-2.0
// Packs one bit for each lane by the steps of packed_lanes.
// A module that includes this file has the parameters `Lanes` and `Steps`.

// Packs the bits of a set of lanes into the lowest positions. The bits above them are undefined.
function automatic logic [Lanes-1:0] compress(input logic [Steps*Lanes-1:0] moves, input logic [Lanes-1:0] bits);
  logic [Lanes-1:0] arrives;
  compress = bits;
  for (int step = 0; step < Steps; step++) begin
    arrives = moves[step*Lanes+:Lanes];
    compress = (compress & ~arrives) | ((compress >> (1 << step)) & arrives);
  end
endfunction
