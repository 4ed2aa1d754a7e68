// SPDX-License-Identifier: Apache-2.0
// Finds the lane to which a swap moves the content of `lane_i`, one of the lanes `from_i`: the lane of `to_i` that has as many
// lanes of `to_i` below it as `lane_i` has of `from_i`. Also whether the steps of both networks agree: the content of one of the
// two lanes leaves the networks at the other.
module lane_way #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned Steps = $clog2(Lanes),
  localparam int unsigned LaneWidth = $clog2(Lanes)
) (
  input  logic [Lanes-1:0]       from_i,
  input  logic [Lanes-1:0]       to_i,
  input  logic [Steps*Lanes-1:0] from_moves_i,  // steps that pack these lanes
  input  logic [Steps*Lanes-1:0] to_moves_i,
  input  logic [LaneWidth-1:0]   lane_i,
  output logic [LaneWidth-1:0]   below_o,       // the number of `from_i` below it: its position between the networks
  output logic [Lanes-1:0]       partner_o,     // one-hot; zero if there is no such lane
  output logic [4:0]             agrees_o
);
  `include "lane_compress.svh"
  `include "lane_expand.svh"

  logic [LaneWidth-1:0] below_other;
  logic [Lanes-1:0] lane_bit, place_bit;

  always_comb begin
    below_o = '0;
    below_other = '0;
    partner_o = '0;
    for (int lane = 0; lane < Lanes; lane++) begin
      below_o = below_o + LaneWidth'(from_i[lane] && 32'(lane) < 32'(lane_i));
    end
    for (int lane = 0; lane < Lanes; lane++) begin
      partner_o[lane] = to_i[lane] && below_other == below_o;
      below_other = below_other + LaneWidth'(to_i[lane]);
    end
  end

  assign lane_bit = Lanes'(1) << lane_i;
  assign place_bit = Lanes'(1) << below_o;
  assign agrees_o = {|partner_o,
                     |(compress(from_moves_i, lane_bit) & place_bit), |(expand(from_moves_i, place_bit) & lane_bit),
                     |(compress(to_moves_i, partner_o) & place_bit), |(expand(to_moves_i, place_bit) & partner_o)};
endmodule
