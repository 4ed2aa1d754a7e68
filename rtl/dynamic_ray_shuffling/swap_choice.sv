// SPDX-License-Identifier: Apache-2.0
// Selects the rays that a swap moves: as many as the source gives and the destination has lanes for, lowest lanes first.
module swap_choice #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned Steps = $clog2(Lanes)
) (
  input  logic [Lanes-1:0]       given_i,  // lanes of the source row with a ray in the state that moves
  input  logic [Lanes-1:0]       empty_i,  // lanes of the destination row without a ray
  input  logic [Lanes-1:0]       other_i,  // lanes of the destination row with a ray of another state
  output logic [Lanes-1:0]       source_lanes_o,
  output logic [Lanes-1:0]       destination_lanes_o,  // the same number
  output logic [Steps*Lanes-1:0] source_moves_o,
  output logic [Steps*Lanes-1:0] destination_moves_o,
  output logic                   both_ways_o           // the destination has no empty lane
);
  `include "lane_bits.svh"

  logic [Lanes-1:0] taken, given_places, taken_places, moving;

  assign both_ways_o = ~(|empty_i);
  assign taken = both_ways_o ? other_i : empty_i;

  lane_moves #(.Lanes(Lanes)) i_given (.lanes_i(given_i), .moves_o(source_moves_o), .filled_o(given_places));
  lane_moves #(.Lanes(Lanes)) i_taken (.lanes_i(taken), .moves_o(destination_moves_o), .filled_o(taken_places));

  assign moving = given_places & taken_places;

  assign source_lanes_o = given_i & expand(source_moves_o, moving);
  assign destination_lanes_o = taken & expand(destination_moves_o, moving);
endmodule
