// SPDX-License-Identifier: Apache-2.0
// Follows a ray or an empty entry through rows and lanes, by the swaps and reports. An empty entry moves opposite to the ray
// that fills it.
module followed_ray #(
  parameter int unsigned Rows = 61,
  parameter int unsigned Lanes = 32,
  localparam int unsigned Units = 3,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned LaneWidth = $clog2(Lanes),
  localparam int unsigned MovesWidth = Lanes * $clog2(Lanes)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [RowWidth-1:0]         first_row_i,
  input  logic [LaneWidth-1:0]        first_lane_i,
  input  logic [1:0]                  first_state_i,
  input  logic                        report_valid_i,
  input  logic [RowWidth-1:0]         report_row_i,
  input  logic [Lanes-1:0]            report_lanes_i,
  input  logic [Lanes-1:0]            report_high_i,
  input  logic [Lanes-1:0]            report_low_i,
  // Swaps in progress.
  input  logic [Units-1:0]            busy_i,
  input  logic [Units-1:0]            ends_i,
  input  logic [Units*RowWidth-1:0]   source_i,
  input  logic [Units*RowWidth-1:0]   destination_i,
  input  logic [Units*Lanes-1:0]      source_lanes_i,
  input  logic [Units*Lanes-1:0]      destination_lanes_i,
  input  logic [Units*MovesWidth-1:0] source_moves_i,
  input  logic [Units*MovesWidth-1:0] destination_moves_i,
  output logic [RowWidth-1:0]         row_o,
  output logic [LaneWidth-1:0]        lane_o,
  output logic [1:0]                  state_o,
  output logic                        lives_o,    // it began as a ray, and the ray has not ended
  output logic                        moves_o,    // at the end of this cycle, to next_row_o, next_lane_o
  output logic [RowWidth-1:0]         next_row_o,
  output logic [LaneWidth-1:0]        next_lane_o,
  // The swap that moves it, if there is one: from source to destination or back, its destination lane, its position between
  // the networks, and whether the networks bring its words and state there.
  output logic [Units-1:0]            leaves_o,
  output logic [Units-1:0]            returns_o,
  output logic [Units*Lanes-1:0]      partner_o,
  output logic [Units*LaneWidth-1:0]  below_o,
  output logic [Units-1:0]            agrees_o
);
  logic [1:0] state_d;

  for (genvar unit = 0; unit < Units; unit++) begin : gen_unit
    logic [Lanes-1:0] from, to;
    logic [MovesWidth-1:0] from_moves, to_moves;
    logic [4:0] agrees;
    assign from = source_lanes_i[unit*Lanes+:Lanes];
    assign to = destination_lanes_i[unit*Lanes+:Lanes];
    assign from_moves = source_moves_i[unit*MovesWidth+:MovesWidth];
    assign to_moves = destination_moves_i[unit*MovesWidth+:MovesWidth];
    assign leaves_o[unit] = busy_i[unit] && source_i[unit*RowWidth+:RowWidth] == row_o && from[lane_o];
    assign returns_o[unit] = busy_i[unit] && destination_i[unit*RowWidth+:RowWidth] == row_o && to[lane_o];
    assign agrees_o[unit] = &agrees;

    lane_way #(
      .Lanes(Lanes)
    ) i_way (
      .from_i      (leaves_o[unit] ? from : to),
      .to_i        (leaves_o[unit] ? to : from),
      .from_moves_i(leaves_o[unit] ? from_moves : to_moves),
      .to_moves_i  (leaves_o[unit] ? to_moves : from_moves),
      .lane_i      (lane_o),
      .below_o     (below_o[unit*LaneWidth+:LaneWidth]),
      .partner_o   (partner_o[unit*Lanes+:Lanes]),
      .agrees_o    (agrees)
    );
  end

  assign moves_o = |(ends_i & (leaves_o | returns_o));

  always_comb begin
    next_row_o = row_o;
    next_lane_o = lane_o;
    state_d = state_o;
    for (int unit = 0; unit < Units; unit++) begin
      if (ends_i[unit] && (leaves_o[unit] || returns_o[unit])) begin
        next_row_o = leaves_o[unit] ? destination_i[unit*RowWidth+:RowWidth] : source_i[unit*RowWidth+:RowWidth];
        for (int lane = 0; lane < Lanes; lane++) begin
          if (partner_o[unit*Lanes+lane]) next_lane_o = LaneWidth'(lane);
        end
      end
    end
    if (report_valid_i && report_row_i == row_o && report_lanes_i[lane_o]) begin
      state_d = {report_high_i[lane_o], report_low_i[lane_o]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      row_o <= first_row_i;
      lane_o <= first_lane_i;
      state_o <= first_state_i;
      lives_o <= first_state_i != 2'd0;
    end else begin
      row_o <= next_row_o;
      lane_o <= next_lane_o;
      state_o <= state_d;
      lives_o <= lives_o && state_d != 2'd0;
    end
  end
endmodule
