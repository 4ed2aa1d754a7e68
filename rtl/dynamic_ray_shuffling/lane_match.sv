// SPDX-License-Identifier: Apache-2.0
// Selects the lanes that a swap moves, lowest lanes first: as many as there are both in given_i and in taken_i.
// The ray in the i-th of these lanes of one row moves to the i-th of the other.
module lane_match #(
  parameter int unsigned Lanes = 32,  // of a warp, a power of two
  localparam int unsigned Steps = $clog2(Lanes)
) (
  input  logic [Lanes-1:0]       given_i,         // lanes of the source row with a ray that may move
  input  logic [Lanes-1:0]       taken_i,         // lanes of the destination row that it may move to
  input  logic [Steps*Lanes-1:0] given_moves_i,   // steps that pack these lanes
  input  logic [Steps*Lanes-1:0] taken_moves_i,   // the same for taken_i
  input  logic [Lanes-1:0]       given_places_i,  // the positions of the packed lanes
  input  logic [Lanes-1:0]       taken_places_i,  // the same for taken_i
  output logic [Lanes-1:0]       source_lanes_o,      // lanes whose rays move
  output logic [Lanes-1:0]       destination_lanes_o  // lanes that they move to, the same number
);
  `include "lane_expand.svh"

  logic [Lanes-1:0] moving;

  assign moving = given_places_i & taken_places_i;
  assign source_lanes_o = given_i & expand(given_moves_i, moving);
  assign destination_lanes_o = taken_i & expand(taken_moves_i, moving);
endmodule
