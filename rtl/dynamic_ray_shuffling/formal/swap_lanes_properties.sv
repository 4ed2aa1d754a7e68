// SPDX-License-Identifier: Apache-2.0
// Properties of the lanes that a swap takes, for all states of its rows. Bound to shuffle_control and unrolled: the first cycle
// takes the states of the source, and the properties are of the last cycle, when the swap is offered. Proved for one arbitrary
// lane of each row.
module swap_lanes_properties #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Wrong = 0,  // 5: a wrong property, which the proof must refute
  localparam int unsigned Steps = $clog2(Lanes),
  localparam int unsigned LaneWidth = $clog2(Lanes)
) (
  input logic                   clk_i,
  input logic                   offered,
  input logic [Lanes-1:0]       source_lanes,      // until the match, with rays that may move; then, with rays that move
  input logic [Lanes-1:0]       destination_lanes,
  input logic [Steps*Lanes-1:0] source_moves,
  input logic [Steps*Lanes-1:0] destination_moves
);
  (* anyconst *) logic [LaneWidth-1:0] lane;
  logic [Lanes-1:0] given_q, taken_q;
  logic [4:0] forth_agrees, back_agrees;
  logic [LaneWidth-1:0] forth_below, back_below;

  always_ff @(posedge clk_i) begin
    given_q <= source_lanes;
    taken_q <= destination_lanes;
  end

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
    offered_at_last : assert (offered);
    only_given_lanes : assert (!source_lanes[lane] || given_q[lane]);
    only_taken_lanes : assert (!destination_lanes[lane] || taken_q[lane]);
    some_lane : assert (given_q == '0 || taken_q == '0 || source_lanes != '0);
    for (int part = 0; part < 5; part++) begin
      assert (!source_lanes[lane] || forth_agrees[part]);
      assert (!destination_lanes[lane] || back_agrees[part]);
    end
    if (Wrong == 5) assert (!source_lanes[lane] || destination_lanes[lane]);
    // A buffer has one word less than a row; the source row is not full of rays in the state that moves.
    place_forth : assert (!source_lanes[lane] || &given_q || forth_below != '1);
    place_back : assert (!destination_lanes[lane] || &given_q || back_below != '1);
  end
endmodule

bind shuffle_control swap_lanes_properties #(
  .Lanes(Lanes)
) i_lanes_properties (
  .clk_i            (clk_i),
  .offered          (swap_valid_o),
  .source_lanes     (swap_source_lanes_o),
  .destination_lanes(swap_destination_lanes_o),
  .source_moves     (swap_source_moves_o),
  .destination_moves(swap_destination_moves_o)
);
