// A ray on its way through rows and lanes, as swaps and reports tell of it.
module followed_ray #(
  parameter int unsigned Rows = 61,
  parameter int unsigned Lanes = 32,
  localparam int unsigned Units = 3,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned LaneWidth = $clog2(Lanes)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [RowWidth-1:0]        first_row_i,
  input  logic [LaneWidth-1:0]       first_lane_i,
  input  logic                       report_valid_i,
  input  logic [RowWidth-1:0]        report_row_i,
  input  logic [Lanes-1:0]           report_lanes_i,
  input  logic [Lanes-1:0]           report_high_i,
  input  logic [Lanes-1:0]           report_low_i,
  input  logic [Units-1:0]           busy_i,
  input  logic [Units-1:0]           ends_i,
  input  logic [Units*RowWidth-1:0]  source_i,
  input  logic [Units*RowWidth-1:0]  destination_i,
  input  logic [Units*Lanes-1:0]     source_lanes_i,
  input  logic [Units*Lanes-1:0]     destination_lanes_i,
  output logic [RowWidth-1:0]        row_o,
  output logic [LaneWidth-1:0]       lane_o,
  output logic [1:0]                 state_o,    // 0: it has ended
  // The swap that it takes part in, if one does: from source to destination or back, to which place, and how many rays
  // that go its way have lower lanes.
  output logic [Units-1:0]           leaves_o,
  output logic [Units-1:0]           returns_o,
  output logic [Units*Lanes-1:0]     partner_o,
  output logic [Units*LaneWidth-1:0] below_o
);
  logic [RowWidth-1:0] row_d;
  logic [LaneWidth-1:0] lane_d;
  logic [1:0] state_d;

  for (genvar unit = 0; unit < Units; unit++) begin : gen_unit
    logic [Lanes-1:0] from, to;
    assign from = source_lanes_i[unit*Lanes+:Lanes];
    assign to = destination_lanes_i[unit*Lanes+:Lanes];
    assign leaves_o[unit] = busy_i[unit] && source_i[unit*RowWidth+:RowWidth] == row_o && from[lane_o];
    assign returns_o[unit] = busy_i[unit] && destination_i[unit*RowWidth+:RowWidth] == row_o && to[lane_o];

    lane_partner #(
      .Lanes(Lanes)
    ) i_partner (
      .from_i   (leaves_o[unit] ? from : to),
      .to_i     (leaves_o[unit] ? to : from),
      .lane_i   (lane_o),
      .below_o  (below_o[unit*LaneWidth+:LaneWidth]),
      .partner_o(partner_o[unit*Lanes+:Lanes])
    );
  end

  always_comb begin
    row_d = row_o;
    lane_d = lane_o;
    state_d = state_o;
    for (int unit = 0; unit < Units; unit++) begin
      if (ends_i[unit] && (leaves_o[unit] || returns_o[unit])) begin
        row_d = leaves_o[unit] ? destination_i[unit*RowWidth+:RowWidth] : source_i[unit*RowWidth+:RowWidth];
        for (int lane = 0; lane < Lanes; lane++) begin
          if (partner_o[unit*Lanes+lane]) lane_d = LaneWidth'(lane);
        end
      end
    end
    if (report_valid_i && report_row_i == row_o && report_lanes_i[lane_o] && state_o != 2'd0) begin
      state_d = {report_high_i[lane_o], report_low_i[lane_o]};
    end
  end

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
