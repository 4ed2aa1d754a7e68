// SPDX-License-Identifier: Apache-2.0
// The states of all lanes of all rows, two bits each (DRS section 3.2.2, Fig. 4a), and for each state the rows that have it.
//
// A state is {high, low}: 00 no ray, 01 fetch, 10 inner, 11 leaf. After reset, all lanes of the rows below `FullRows` are in
// state fetch, and the other rows are empty. All writes of a cycle go to different rows.
module ray_state_table #(
  parameter int unsigned Rows = 61,
  parameter int unsigned FullRows = 59,
  parameter int unsigned Lanes = 32,
  localparam int unsigned Units = 3,
  // The state that each unit moves.
  parameter logic [Units-1:0] Highs = '0,
  parameter logic [Units-1:0] Lows = '0,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // A report of a warp: these lanes of the row get these states.
  input  logic                            report_valid_i,
  input  logic [RowWidth-1:0]             report_row_i,
  input  logic [Lanes-1:0]                report_lanes_i,
  input  logic [Lanes-1:0]                report_high_i,
  input  logic [Lanes-1:0]                report_low_i,
  // Swaps that end: lanes of the source row get these states, lanes of the destination the state of the unit's rays.
  input  logic [Units-1:0]                swap_valid_i,
  input  logic [Units*RowWidth-1:0]       swap_source_i,
  input  logic [Units*RowWidth-1:0]       swap_destination_i,
  input  logic [Units*Lanes-1:0]          swap_source_lanes_i,
  input  logic [Units*Lanes-1:0]          swap_destination_lanes_i,
  input  logic [Units*Lanes-1:0]          swap_high_i,
  input  logic [Units*Lanes-1:0]          swap_low_i,
  // Rows to read: one for rdctrl, and a source and a destination for each unit.
  input  logic [RowWidth-1:0]             control_row_i,
  output logic [Lanes-1:0]                control_high_o,
  output logic [Lanes-1:0]                control_low_o,
  input  logic [Units*RowWidth-1:0]       source_row_i,
  output logic [Units*Lanes-1:0]          source_high_o,
  output logic [Units*Lanes-1:0]          source_low_o,
  input  logic [Units*RowWidth-1:0]       destination_row_i,
  output logic [Units*Lanes-1:0]          destination_high_o,
  output logic [Units*Lanes-1:0]          destination_low_o,
  // For each state, rows that have it in a lane.
  output logic [Rows-1:0]                 none_o,
  output logic [Rows-1:0]                 fetch_o,
  output logic [Rows-1:0]                 inner_o,
  output logic [Rows-1:0]                 leaf_o,
  // All states, for properties.
  output logic [Rows*Lanes-1:0]           high_o,
  output logic [Rows*Lanes-1:0]           low_o
);
  logic [Lanes-1:0] high_q [Rows];
  logic [Lanes-1:0] low_q [Rows];

  for (genvar row = 0; row < Rows; row++) begin : gen_row
    assign none_o[row] = |(~high_q[row] & ~low_q[row]);
    assign fetch_o[row] = |(~high_q[row] & low_q[row]);
    assign inner_o[row] = |(high_q[row] & ~low_q[row]);
    assign leaf_o[row] = |(high_q[row] & low_q[row]);
    assign high_o[row*Lanes+:Lanes] = high_q[row];
    assign low_o[row*Lanes+:Lanes] = low_q[row];
  end

  assign control_high_o = high_q[control_row_i];
  assign control_low_o = low_q[control_row_i];

  for (genvar unit = 0; unit < Units; unit++) begin : gen_unit
    assign source_high_o[unit*Lanes+:Lanes] = high_q[source_row_i[unit*RowWidth+:RowWidth]];
    assign source_low_o[unit*Lanes+:Lanes] = low_q[source_row_i[unit*RowWidth+:RowWidth]];
    assign destination_high_o[unit*Lanes+:Lanes] = high_q[destination_row_i[unit*RowWidth+:RowWidth]];
    assign destination_low_o[unit*Lanes+:Lanes] = low_q[destination_row_i[unit*RowWidth+:RowWidth]];
  end

  // The rows that this cycle writes, one bit for each row.
  logic [Rows-1:0] reported, written;
  logic [Units*Rows-1:0] sources, destinations;

  assign reported = report_valid_i ? Rows'(1) << report_row_i : '0;
  always_comb begin
    written = reported;
    for (int unit = 0; unit < Units; unit++) begin
      sources[unit*Rows+:Rows] = swap_valid_i[unit] ? Rows'(1) << swap_source_i[unit*RowWidth+:RowWidth] : '0;
      destinations[unit*Rows+:Rows] = swap_valid_i[unit] ? Rows'(1) << swap_destination_i[unit*RowWidth+:RowWidth] : '0;
      written = written | sources[unit*Rows+:Rows] | destinations[unit*Rows+:Rows];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : write
    logic [Lanes-1:0] from, to, lanes, highs, lows;
    if (!rst_ni) begin
      for (int row = 0; row < Rows; row++) begin
        high_q[row] <= '0;
        low_q[row] <= {Lanes{row < FullRows}};
      end
    end else begin
      for (int row = 0; row < Rows; row++) begin
        if (written[row]) begin
          lanes = {Lanes{reported[row]}} & report_lanes_i;
          highs = lanes & report_high_i;
          lows = lanes & report_low_i;
          for (int unit = 0; unit < Units; unit++) begin
            from = {Lanes{sources[unit*Rows+row]}} & swap_source_lanes_i[unit*Lanes+:Lanes];
            to = {Lanes{destinations[unit*Rows+row]}} & swap_destination_lanes_i[unit*Lanes+:Lanes];
            lanes = lanes | from | to;
            highs = highs | (from & swap_high_i[unit*Lanes+:Lanes]) | (to & {Lanes{Highs[unit]}});
            lows = lows | (from & swap_low_i[unit*Lanes+:Lanes]) | (to & {Lanes{Lows[unit]}});
          end
          high_q[row] <= (high_q[row] & ~lanes) | highs;
          low_q[row] <= (low_q[row] & ~lanes) | lows;
        end
      end
    end
  end
endmodule
