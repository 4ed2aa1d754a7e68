// SPDX-License-Identifier: Apache-2.0
// Computes how to pack the words of a set of lanes into the lowest positions, in order. In step k, a word moves down by 2^k
// lanes or stays (parallel suffixes; H. S. Warren, Hacker's Delight, section 7-4).
module lane_moves #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned Steps = $clog2(Lanes)
) (
  input  logic [Lanes-1:0]       lanes_i,
  output logic [Steps*Lanes-1:0] moves_o,  // bit k*Lanes+i: in step k, the word at position i+2^k moves to i
  output logic [Lanes-1:0]       filled_o  // the final positions of the words
);
  logic [Lanes-1:0] holes, odd, going;

  always_comb begin
    moves_o = '0;
    filled_o = lanes_i;
    holes = ~lanes_i << 1;
    odd = '0;
    going = '0;
    if (|lanes_i) begin  // the set is mostly empty, and a simulator can skip this
      for (int step = 0; step < Steps; step++) begin
        // Lanes with an odd number of holes below them. The next step keeps every second hole.
        odd = holes;
        for (int distance = 0; distance < Steps; distance++) odd = odd ^ (odd << (1 << distance));
        going = odd & filled_o;
        moves_o[step*Lanes+:Lanes] = going >> (1 << step);
        filled_o = (filled_o & ~going) | (going >> (1 << step));
        holes = holes & ~odd;
      end
    end
  end
endmodule
