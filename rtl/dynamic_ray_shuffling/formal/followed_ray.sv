// A ray on its way through rows and lanes, as swaps and reports tell of it.
module followed_ray #(
  parameter int unsigned Rows = 61,
  parameter int unsigned Lanes = 32,
  localparam int unsigned Units = 3,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned LaneWidth = $clog2(Lanes)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [RowWidth-1:0]       first_row_i,
  input  logic [LaneWidth-1:0]      first_lane_i,
  input  logic                      report_valid_i,
  input  logic [RowWidth-1:0]       report_row_i,
  input  logic [Lanes-1:0]          report_lanes_i,
  input  logic [Lanes-1:0]          report_high_i,
  input  logic [Lanes-1:0]          report_low_i,
  input  logic [Units-1:0]          ends_i,
  input  logic [Units*RowWidth-1:0] source_i,
  input  logic [Units*RowWidth-1:0] destination_i,
  input  logic [Units*Lanes-1:0]    source_lanes_i,
  input  logic [Units*Lanes-1:0]    destination_lanes_i,
  output logic [RowWidth-1:0]       row_o,
  output logic [LaneWidth-1:0]      lane_o,
  output logic [1:0]                state_o  // 0: it has ended
);
  logic [RowWidth-1:0] row_d;
  logic [LaneWidth-1:0] lane_d;
  logic [1:0] state_d;
  logic [Lanes-1:0] from, to, below;
  logic leaves;

  always_comb begin
    row_d = row_o;
    lane_d = lane_o;
    state_d = state_o;
    from = '0;
    to = '0;
    below = '0;
    leaves = 1'b0;
    for (int unit = 0; unit < Units; unit++) begin
      from = source_lanes_i[unit*Lanes+:Lanes];
      to = destination_lanes_i[unit*Lanes+:Lanes];
      leaves = ends_i[unit] && source_i[unit*RowWidth+:RowWidth] == row_o && from[lane_o];
      if (leaves) row_d = destination_i[unit*RowWidth+:RowWidth];
      if (ends_i[unit] && destination_i[unit*RowWidth+:RowWidth] == row_o && to[lane_o]) begin
        leaves = 1'b1;
        row_d = source_i[unit*RowWidth+:RowWidth];
        from = destination_lanes_i[unit*Lanes+:Lanes];
        to = source_lanes_i[unit*Lanes+:Lanes];
      end
      // The lane with as many others below it.
      below = from & ((Lanes'(1) << lane_o) - Lanes'(1));
      for (int lane = 0; lane < Lanes; lane++) begin
        if (leaves && to[lane] && count(to & ((Lanes'(1) << lane) - Lanes'(1))) == count(below)) lane_d = LaneWidth'(lane);
      end
    end
    if (report_valid_i && report_row_i == row_o && report_lanes_i[lane_o] && state_o != 2'd0) begin
      state_d = {report_high_i[lane_o], report_low_i[lane_o]};
    end
  end

  function automatic logic [LaneWidth:0] count(input logic [Lanes-1:0] lanes);
    count = '0;
    for (int lane = 0; lane < Lanes; lane++) count = count + (LaneWidth + 1)'(lanes[lane]);
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      row_o <= first_row_i;
      lane_o <= first_lane_i;
      state_o <= 2'd1;  // to be fetched
    end else begin
      row_o <= row_d;
      lane_o <= lane_d;
      state_o <= state_d;
    end
  end
endmodule
