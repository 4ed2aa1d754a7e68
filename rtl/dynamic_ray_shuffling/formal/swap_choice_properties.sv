// SPDX-License-Identifier: Apache-2.0
// Properties of the lanes that a swap takes, for all states of its rows. Bound to their choice, which has no state. One
// arbitrary lane of each row stands for all.
module swap_choice_properties #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Wrong = 0,  // 5: a wrong property, which the proof must refute
  localparam int unsigned Steps = $clog2(Lanes),
  localparam int unsigned LaneWidth = $clog2(Lanes)
) (
  input logic [Lanes-1:0]       given,
  input logic [Lanes-1:0]       empty,
  input logic [Lanes-1:0]       other,
  input logic [Lanes-1:0]       source_lanes,
  input logic [Lanes-1:0]       destination_lanes,
  input logic [Steps*Lanes-1:0] source_moves,
  input logic [Steps*Lanes-1:0] destination_moves,
  input logic                   both_ways
);
  (* anyconst *) logic [LaneWidth-1:0] lane;
  logic [4:0] forth_agrees, back_agrees;

  logic [LaneWidth-1:0] forth_below, back_below;

  lane_way #(
    .Lanes(Lanes)
  ) i_forth (
    .from_i      (source_lanes),
    .to_i        (destination_lanes),
    .from_moves_i(source_moves),
    .to_moves_i  (destination_moves),
    .lane_i      (lane),
    .below_o     (forth_below),
    .partner_o   (),
    .agrees_o    (forth_agrees)
  );

  lane_way #(
    .Lanes(Lanes)
  ) i_back (
    .from_i      (destination_lanes),
    .to_i        (source_lanes),
    .from_moves_i(destination_moves),
    .to_moves_i  (source_moves),
    .lane_i      (lane),
    .below_o     (back_below),
    .partner_o   (),
    .agrees_o    (back_agrees)
  );

  always_comb begin
    only_given_lanes : assert (!source_lanes[lane] || given[lane]);
    only_taken_lanes : assert (!destination_lanes[lane] || (both_ways ? other[lane] : empty[lane]));
    both_ways_if_full : assert (both_ways == (empty == '0));
    for (int part = 0; part < 5; part++) begin
      assert (!source_lanes[lane] || forth_agrees[part]);
      assert (!destination_lanes[lane] || back_agrees[part]);
    end
    if (Wrong == 5) assert (!source_lanes[lane] || destination_lanes[lane]);
    // A buffer has one word less than a row; the source row is not full of rays in the state that moves.
    place_forth : assert (!source_lanes[lane] || &given || forth_below != '1);
    place_back : assert (!destination_lanes[lane] || &given || back_below != '1);
  end
endmodule

bind swap_choice swap_choice_properties #(
  .Lanes(Lanes)
) i_properties (
  .given            (given_i),
  .empty            (empty_i),
  .other            (other_i),
  .source_lanes     (source_lanes_o),
  .destination_lanes(destination_lanes_o),
  .source_moves     (source_moves_o),
  .destination_moves(destination_moves_o),
  .both_ways        (both_ways_o)
);
