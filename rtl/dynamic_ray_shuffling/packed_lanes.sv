// SPDX-License-Identifier: Apache-2.0
// Computes how to pack the words of a set of lanes into the lowest positions, in order, one step a cycle. In step k, a word
// moves down by 2^k lanes or stays (parallel suffixes; H. S. Warren, Hacker's Delight, section 7-4).
module packed_lanes #(
  parameter int unsigned Lanes = 32,  // of a warp, a power of two
  localparam int unsigned Steps = $clog2(Lanes)
) (
  input  logic                   clk_i,
  input  logic                   load_i,    // begins with these lanes
  input  logic [Lanes-1:0]       lanes_i,   // the lanes
  input  logic [Steps-1:0]       step_i,    // one-hot: this cycle does this step; the steps come in order
  output logic [Steps*Lanes-1:0] moves_o,   // bit k*Lanes+i: in step k, the word at position i+2^k moves to i
  output logic [Lanes-1:0]       places_o   // after the last step: the positions of the words
);
  logic [Lanes-1:0] filled_q, holes_q, odd, going, moved;
  logic [Steps*Lanes-1:0] moves_q;

  assign moves_o = moves_q;
  assign places_o = filled_q;

  always_comb begin
    // Lanes with an odd number of holes below them. The next step keeps every second hole.
    odd = holes_q;
    for (int distance = 0; distance < Steps; distance++) odd = odd ^ (odd << (1 << distance));
    going = odd & filled_q;
    moved = '0;
    for (int step = 0; step < Steps; step++) moved = moved | ({Lanes{step_i[step]}} & (going >> (1 << step)));
  end

  // Loaded before they are used: no reset.
  always_ff @(posedge clk_i) begin
    if (load_i) begin
      filled_q <= lanes_i;
      holes_q <= ~lanes_i << 1;
    end else if (|step_i) begin
      filled_q <= (filled_q & ~going) | moved;
      holes_q <= holes_q & ~odd;
    end
    for (int step = 0; step < Steps; step++) begin
      if (step_i[step]) moves_q[step*Lanes+:Lanes] <= moved;
    end
  end
endmodule
