// SPDX-License-Identifier: Apache-2.0
// The value of an entry of the ray state table after a cycle, from the writes of this cycle, which go to different rows.
module place_rule #(
  parameter int unsigned Rows = 61,
  parameter int unsigned Lanes = 32,
  localparam int unsigned Units = 3,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned LaneWidth = $clog2(Lanes)
) (
  input  logic [RowWidth-1:0]       row_i,
  input  logic [LaneWidth-1:0]      lane_i,
  input  logic [1:0]                holds_i,
  input  logic                      report_valid_i,
  input  logic [RowWidth-1:0]       report_row_i,
  input  logic [Lanes-1:0]          report_lanes_i,
  input  logic [Lanes-1:0]          report_high_i,
  input  logic [Lanes-1:0]          report_low_i,
  input  logic [Units-1:0]          swap_valid_i,
  input  logic [Units*RowWidth-1:0] swap_source_i,
  input  logic [Units*RowWidth-1:0] swap_destination_i,
  input  logic [Units*Lanes-1:0]    swap_source_lanes_i,
  input  logic [Units*Lanes-1:0]    swap_destination_lanes_i,
  input  logic [Units*Lanes-1:0]    swap_high_i,
  input  logic [Units*Lanes-1:0]    swap_low_i,
  output logic [1:0]                next_o
);
  // The state that each unit moves: leaf 11, fetch 01, inner 10.
  localparam logic [Units-1:0] Highs = 3'b101;
  localparam logic [Units-1:0] Lows = 3'b011;

  always_comb begin
    next_o = holds_i;
    if (report_valid_i && report_row_i == row_i && report_lanes_i[lane_i]) next_o = {report_high_i[lane_i], report_low_i[lane_i]};
    for (int unit = 0; unit < Units; unit++) begin
      if (swap_valid_i[unit]) begin
        if (swap_source_i[unit*RowWidth+:RowWidth] == row_i && swap_source_lanes_i[unit*Lanes+lane_i]) begin
          next_o = {swap_high_i[unit*Lanes+lane_i], swap_low_i[unit*Lanes+lane_i]};
        end
        if (swap_destination_i[unit*RowWidth+:RowWidth] == row_i && swap_destination_lanes_i[unit*Lanes+lane_i]) begin
          next_o = {Highs[unit], Lows[unit]};
        end
      end
    end
  end
endmodule
