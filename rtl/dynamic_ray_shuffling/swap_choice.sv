// The rays that a swap moves: as many as the source gives and the destination has places for, lowest lanes first.
module swap_choice #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned CountWidth = $clog2(Lanes + 1)
) (
  input  logic [Lanes-1:0] given_i,  // lanes of the source row in the state that moves
  input  logic [Lanes-1:0] empty_i,  // lanes of the destination row without a ray
  input  logic [Lanes-1:0] other_i,  // lanes of the destination row with a ray of another state
  output logic [Lanes-1:0] source_lanes_o,
  output logic [Lanes-1:0] destination_lanes_o,  // as many
  output logic             both_ways_o           // the destination has no empty place
);
  logic [Lanes-1:0] taken;
  logic [Lanes*CountWidth-1:0] given_ranks, taken_ranks;
  logic [CountWidth-1:0] given_count, taken_count;

  assign both_ways_o = ~(|empty_i);
  assign taken = both_ways_o ? other_i : empty_i;

  lane_ranks #(.Lanes(Lanes)) i_given (.lanes_i(given_i), .ranks_o(given_ranks), .count_o(given_count));
  lane_ranks #(.Lanes(Lanes)) i_taken (.lanes_i(taken), .ranks_o(taken_ranks), .count_o(taken_count));

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    assign source_lanes_o[lane] = given_i[lane] & (given_ranks[lane*CountWidth+:CountWidth] < taken_count);
    assign destination_lanes_o[lane] = taken[lane] & (taken_ranks[lane*CountWidth+:CountWidth] < given_count);
  end
endmodule
