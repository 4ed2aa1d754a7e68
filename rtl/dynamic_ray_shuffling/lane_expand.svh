// SPDX-License-Identifier: Apache-2.0
// Returns packed bits to their lanes by the steps of packed_lanes in reverse.
// A module that includes this file has the parameters `Lanes` and `Steps`.

// Other lanes are undefined.
function automatic logic [Lanes-1:0] expand(input logic [Steps*Lanes-1:0] moves, input logic [Lanes-1:0] bits);
  logic [Lanes-1:0] arrives;
  expand = bits;
  for (int step = Steps - 1; step >= 0; step--) begin
    arrives = moves[step*Lanes+:Lanes] << (1 << step);
    expand = (expand & ~arrives) | ((expand << (1 << step)) & arrives);
  end
endfunction
