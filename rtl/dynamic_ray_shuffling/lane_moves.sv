// SPDX-License-Identifier: Apache-2.0
// How the words of some lanes come together in the lowest places, in order: in step k each moves by 2^k lanes or stays
// (parallel suffixes; H. S. Warren, Hacker's Delight, section 7-4).
module lane_moves #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned Steps = $clog2(Lanes)
) (
  input  logic [Lanes-1:0]       lanes_i,
  output logic [Steps*Lanes-1:0] moves_o,  // bit k*Lanes+i: the word at place i+2^k goes to place i in step k
  output logic [Lanes-1:0]       filled_o  // the places that the words have in the end
);
  logic [Lanes-1:0] holes, odd, going;

  always_comb begin
    moves_o = '0;
    filled_o = lanes_i;
    holes = ~lanes_i << 1;
    odd = '0;
    going = '0;
    if (|lanes_i) begin  // most often there are none, and a simulator may skip this
      for (int step = 0; step < Steps; step++) begin
        // Lanes with an odd number of holes below them, of which the next step sees every second.
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
