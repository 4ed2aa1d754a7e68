// SPDX-License-Identifier: Apache-2.0
// Properties of the ray state table if all writes of a cycle go to different rows, which swap_units_properties proves. Bound to
// the table. One arbitrary entry stands for all.
module ray_state_table_properties #(
  parameter int unsigned Rows = 61,
  parameter int unsigned FullRows = 59,
  parameter int unsigned Lanes = 32,
  parameter int unsigned Wrong = 0,  // 4: a wrong property, which the proof must refute
  localparam int unsigned Units = 3,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned LaneWidth = $clog2(Lanes)
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic                      report_valid_i,
  input logic [RowWidth-1:0]       report_row_i,
  input logic [Lanes-1:0]          report_lanes_i,
  input logic [Lanes-1:0]          report_high_i,
  input logic [Lanes-1:0]          report_low_i,
  input logic [Units-1:0]          swap_valid_i,
  input logic [Units*RowWidth-1:0] swap_source_i,
  input logic [Units*RowWidth-1:0] swap_destination_i,
  input logic [Units*Lanes-1:0]    swap_source_lanes_i,
  input logic [Units*Lanes-1:0]    swap_destination_lanes_i,
  input logic [Units*Lanes-1:0]    swap_high_i,
  input logic [Units*Lanes-1:0]    swap_low_i,
  input logic [RowWidth-1:0]       control_row_i,
  input logic [Lanes-1:0]          control_high,
  input logic [Lanes-1:0]          control_low,
  input logic [Units*RowWidth-1:0] source_row_i,
  input logic [Units*Lanes-1:0]    source_high,
  input logic [Units*Lanes-1:0]    source_low,
  input logic [Units*RowWidth-1:0] destination_row_i,
  input logic [Units*Lanes-1:0]    destination_high,
  input logic [Units*Lanes-1:0]    destination_low,
  input logic [Rows*Lanes-1:0]     all_high,
  input logic [Rows*Lanes-1:0]     all_low
);
  (* anyconst *) logic [RowWidth-1:0] row;
  (* anyconst *) logic [LaneWidth-1:0] lane;
  logic [1:0] holds, next, expected_q;
  logic [Lanes-1:0] row_high, row_low;

  assign row_high = all_high[row*Lanes+:Lanes];
  assign row_low = all_low[row*Lanes+:Lanes];
  assign holds = {row_high[lane], row_low[lane]};

  // Reset is active in the first cycle.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    assume (rst_ni == started_q);
    assume (32'(row) < Rows && 32'(lane) < Lanes);
    for (int unit = 0; unit < Units; unit++) begin
      if (swap_valid_i[unit]) begin
        assume (swap_source_i[unit*RowWidth+:RowWidth] != swap_destination_i[unit*RowWidth+:RowWidth]);
        assume (!report_valid_i || (report_row_i != swap_source_i[unit*RowWidth+:RowWidth] &&
                                    report_row_i != swap_destination_i[unit*RowWidth+:RowWidth]));
        for (int other = 0; other < unit; other++) begin
          assume (!swap_valid_i[other] ||
                  (swap_source_i[unit*RowWidth+:RowWidth] != swap_source_i[other*RowWidth+:RowWidth] &&
                   swap_source_i[unit*RowWidth+:RowWidth] != swap_destination_i[other*RowWidth+:RowWidth] &&
                   swap_destination_i[unit*RowWidth+:RowWidth] != swap_source_i[other*RowWidth+:RowWidth] &&
                   swap_destination_i[unit*RowWidth+:RowWidth] != swap_destination_i[other*RowWidth+:RowWidth]));
        end
      end
    end
  end

  place_rule #(
    .Rows (Rows),
    .Lanes(Lanes)
  ) i_rule (
    .row_i (row),
    .lane_i(lane),
    .holds_i(holds),
    .report_valid_i,
    .report_row_i,
    .report_lanes_i,
    .report_high_i,
    .report_low_i,
    .swap_valid_i,
    .swap_source_i,
    .swap_destination_i,
    .swap_source_lanes_i,
    .swap_destination_lanes_i,
    .swap_high_i,
    .swap_low_i,
    .next_o(next)
  );

  always_ff @(posedge clk_i) expected_q <= !rst_ni ? {1'b0, 32'(row) < FullRows} : next;

  always_comb begin
    if (rst_ni) begin
      place_as_written : assert (holds == expected_q);
      place_for_control : assert (control_row_i != row || {control_high[lane], control_low[lane]} == holds);
      for (int unit = 0; unit < Units; unit++) begin
        assert (source_row_i[unit*RowWidth+:RowWidth] != row || {source_high[unit*Lanes+lane], source_low[unit*Lanes+lane]} == holds);
        assert (destination_row_i[unit*RowWidth+:RowWidth] != row ||
                {destination_high[unit*Lanes+lane], destination_low[unit*Lanes+lane]} == holds);
      end
      if (Wrong == 4) assert (next == holds);
    end
  end
endmodule

bind ray_state_table ray_state_table_properties #(
  .Rows    (Rows),
  .FullRows(FullRows),
  .Lanes   (Lanes)
) i_properties (
  .clk_i                   (clk_i),
  .rst_ni                  (rst_ni),
  .report_valid_i          (report_valid_i),
  .report_row_i            (report_row_i),
  .report_lanes_i          (report_lanes_i),
  .report_high_i           (report_high_i),
  .report_low_i            (report_low_i),
  .swap_valid_i            (swap_valid_i),
  .swap_source_i           (swap_source_i),
  .swap_destination_i      (swap_destination_i),
  .swap_source_lanes_i     (swap_source_lanes_i),
  .swap_destination_lanes_i(swap_destination_lanes_i),
  .swap_high_i             (swap_high_i),
  .swap_low_i              (swap_low_i),
  .control_row_i           (control_row_i),
  .control_high            (control_high_o),
  .control_low             (control_low_o),
  .source_row_i            (source_row_i),
  .source_high             (source_high_o),
  .source_low              (source_low_o),
  .destination_row_i       (destination_row_i),
  .destination_high        (destination_high_o),
  .destination_low         (destination_low_o),
  .all_high                (high_o),
  .all_low                 (low_o)
);
