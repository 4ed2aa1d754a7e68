// The states of all places, two bits each (DRS section 3.2.2, Fig. 4a), and which rows have which.
//
// A state is {high, low}: 00 no ray, 01 fetch, 10 inner, 11 leaf. After reset the rows below `FullRows` hold rays to be
// fetched, the others nothing. All writes of a cycle go to different rows.
module ray_state_table #(
  parameter int unsigned Rows = 61,
  parameter int unsigned FullRows = 59,
  parameter int unsigned Lanes = 32,
  localparam int unsigned Units = 3,
  // The state that each unit moves.
  parameter logic [Units-1:0] Highs = '0,
  parameter logic [Units-1:0] Lows = '0,
  localparam int unsigned Steps = $clog2(Lanes),
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // A warp reports: `lanes` of the row take these states.
  input  logic                               report_valid_i,
  input  logic [RowWidth-1:0]                report_row_i,
  input  logic [Lanes-1:0]                   report_lanes_i,
  input  logic [Lanes-1:0]                   report_high_i,
  input  logic [Lanes-1:0]                   report_low_i,
  // Swaps that end: rows and their new states.
  input  logic [Units-1:0]                   swap_valid_i,
  input  logic [Units*RowWidth-1:0]          swap_source_i,
  input  logic [Units*RowWidth-1:0]          swap_destination_i,
  input  logic [Units*Lanes-1:0]             swap_source_lanes_i,
  input  logic [Units*Lanes-1:0]             swap_destination_lanes_i,
  input  logic [Units*Steps*Lanes-1:0]       swap_source_moves_i,  // that bring these lanes together
  input  logic [Units*Steps*Lanes-1:0]       swap_destination_moves_i,
  // Rows that are looked at: one for rdctrl, a source and a destination for each unit.
  input  logic [RowWidth-1:0]                control_row_i,
  output logic [Lanes-1:0]                   control_high_o,
  output logic [Lanes-1:0]                   control_low_o,
  input  logic [Units*RowWidth-1:0]          source_row_i,
  output logic [Units*Lanes-1:0]             source_high_o,
  output logic [Units*Lanes-1:0]             source_low_o,
  input  logic [Units*RowWidth-1:0]          destination_row_i,
  output logic [Units*Lanes-1:0]             destination_high_o,
  output logic [Units*Lanes-1:0]             destination_low_o,
  // Rows with such a place.
  output logic [Rows-1:0]                    none_o,
  output logic [Rows-1:0]                    fetch_o,
  output logic [Rows-1:0]                    inner_o,
  output logic [Rows-1:0]                    leaf_o
);
  logic [Lanes-1:0] high_q [Rows];
  logic [Lanes-1:0] low_q [Rows];

  for (genvar row = 0; row < Rows; row++) begin : gen_row
    assign none_o[row] = |(~high_q[row] & ~low_q[row]);
    assign fetch_o[row] = |(~high_q[row] & low_q[row]);
    assign inner_o[row] = |(high_q[row] & ~low_q[row]);
    assign leaf_o[row] = |(high_q[row] & low_q[row]);
  end

  assign control_high_o = high_q[control_row_i];
  assign control_low_o = low_q[control_row_i];

  logic [Units*Lanes-1:0] new_source_high, new_source_low, new_destination_high, new_destination_low;

  for (genvar unit = 0; unit < Units; unit++) begin : gen_unit
    assign source_high_o[unit*Lanes+:Lanes] = high_q[source_row_i[unit*RowWidth+:RowWidth]];
    assign source_low_o[unit*Lanes+:Lanes] = low_q[source_row_i[unit*RowWidth+:RowWidth]];
    assign destination_high_o[unit*Lanes+:Lanes] = high_q[destination_row_i[unit*RowWidth+:RowWidth]];
    assign destination_low_o[unit*Lanes+:Lanes] = low_q[destination_row_i[unit*RowWidth+:RowWidth]];

    exchange_lanes #(
      .Lanes(Lanes),
      .High (Highs[unit]),
      .Low  (Lows[unit])
    ) i_exchange (
      .source_lanes_i     (swap_source_lanes_i[unit*Lanes+:Lanes] & {Lanes{swap_valid_i[unit]}}),
      .destination_lanes_i(swap_destination_lanes_i[unit*Lanes+:Lanes]),
      .source_moves_i     (swap_source_moves_i[unit*Steps*Lanes+:Steps*Lanes]),
      .destination_moves_i(swap_destination_moves_i[unit*Steps*Lanes+:Steps*Lanes]),
      .source_high_i      (high_q[swap_source_i[unit*RowWidth+:RowWidth]]),
      .source_low_i       (low_q[swap_source_i[unit*RowWidth+:RowWidth]]),
      .destination_high_i (high_q[swap_destination_i[unit*RowWidth+:RowWidth]]),
      .destination_low_i  (low_q[swap_destination_i[unit*RowWidth+:RowWidth]]),
      .source_high_o      (new_source_high[unit*Lanes+:Lanes]),
      .source_low_o       (new_source_low[unit*Lanes+:Lanes]),
      .destination_high_o (new_destination_high[unit*Lanes+:Lanes]),
      .destination_low_o  (new_destination_low[unit*Lanes+:Lanes])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int row = 0; row < Rows; row++) begin
        high_q[row] <= '0;
        low_q[row] <= row < FullRows ? '1 : '0;
      end
    end else begin
      // Written out: Verilator 5.006 takes no loop over writes to computed rows.
      if (swap_valid_i[0]) begin
        high_q[swap_source_i[0*RowWidth+:RowWidth]] <= new_source_high[0*Lanes+:Lanes];
        low_q[swap_source_i[0*RowWidth+:RowWidth]] <= new_source_low[0*Lanes+:Lanes];
        high_q[swap_destination_i[0*RowWidth+:RowWidth]] <= new_destination_high[0*Lanes+:Lanes];
        low_q[swap_destination_i[0*RowWidth+:RowWidth]] <= new_destination_low[0*Lanes+:Lanes];
      end
      if (swap_valid_i[1]) begin
        high_q[swap_source_i[1*RowWidth+:RowWidth]] <= new_source_high[1*Lanes+:Lanes];
        low_q[swap_source_i[1*RowWidth+:RowWidth]] <= new_source_low[1*Lanes+:Lanes];
        high_q[swap_destination_i[1*RowWidth+:RowWidth]] <= new_destination_high[1*Lanes+:Lanes];
        low_q[swap_destination_i[1*RowWidth+:RowWidth]] <= new_destination_low[1*Lanes+:Lanes];
      end
      if (swap_valid_i[2]) begin
        high_q[swap_source_i[2*RowWidth+:RowWidth]] <= new_source_high[2*Lanes+:Lanes];
        low_q[swap_source_i[2*RowWidth+:RowWidth]] <= new_source_low[2*Lanes+:Lanes];
        high_q[swap_destination_i[2*RowWidth+:RowWidth]] <= new_destination_high[2*Lanes+:Lanes];
        low_q[swap_destination_i[2*RowWidth+:RowWidth]] <= new_destination_low[2*Lanes+:Lanes];
      end
      if (report_valid_i) begin
        high_q[report_row_i] <= (high_q[report_row_i] & ~report_lanes_i) | (report_high_i & report_lanes_i);
        low_q[report_row_i] <= (low_q[report_row_i] & ~report_lanes_i) | (report_low_i & report_lanes_i);
      end
    end
  end
endmodule
