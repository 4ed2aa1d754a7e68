// SPDX-License-Identifier: Apache-2.0
// Follows a ray or an empty entry through rows and lanes, by the swaps and reports. An empty entry moves opposite to the ray
// that fills it. A swap moves it when it ends; a report changes its state when it writes the table.
module followed_ray #(
  parameter int unsigned Rows = 61,
  parameter int unsigned Lanes = 32,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned LaneWidth = $clog2(Lanes),
  localparam int unsigned MovesWidth = Lanes * $clog2(Lanes)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [RowWidth-1:0]   first_row_i,
  input  logic [LaneWidth-1:0]  first_lane_i,
  input  logic [1:0]            first_state_i,
  input  logic                  report_writes_i,
  input  logic [RowWidth-1:0]   report_row_i,
  input  logic [Lanes-1:0]      report_lanes_i,
  input  logic [Lanes-1:0]      report_high_i,
  input  logic [Lanes-1:0]      report_low_i,
  // Two swaps, of different rows: the one offered, or in the buffers.
  input  logic [1:0]            valid_i,
  input  logic                  ends_i,               // the second
  input  logic [2*RowWidth-1:0] source_i,
  input  logic [2*RowWidth-1:0] destination_i,
  input  logic [2*Lanes-1:0]    source_lanes_i,
  input  logic [2*Lanes-1:0]    destination_lanes_i,
  input  logic [2*MovesWidth-1:0] source_moves_i,
  input  logic [2*MovesWidth-1:0] destination_moves_i,
  output logic [RowWidth-1:0]   row_o,
  output logic [LaneWidth-1:0]  lane_o,
  output logic [1:0]            state_o,
  output logic                  lives_o,              // it began as a ray, and the ray has not ended
  output logic                  moves_o,              // at the end of this cycle
  // The swap that moves it, if any: whether the swap is still offered; whether it moves from source to destination (leaves) or
  // back; its destination; its position between the networks; and whether the networks bring its words and state there.
  output logic                  offered_o,
  output logic                  leaves_o,
  output logic                  returns_o,
  output logic [RowWidth-1:0]   partner_row_o,
  output logic [Lanes-1:0]      partner_o,
  output logic [LaneWidth-1:0]  place_o,
  output logic                  agrees_o
);
  logic [RowWidth-1:0] source, destination;
  logic [Lanes-1:0] source_lanes, destination_lanes;
  logic [MovesWidth-1:0] source_moves, destination_moves;
  logic [4:0] agrees;
  logic [1:0] state_d;
  logic [LaneWidth-1:0] lane_d;

  assign offered_o = valid_i[0] && (source_i[0+:RowWidth] == row_o || destination_i[0+:RowWidth] == row_o);
  assign source = offered_o ? source_i[0+:RowWidth] : source_i[RowWidth+:RowWidth];
  assign destination = offered_o ? destination_i[0+:RowWidth] : destination_i[RowWidth+:RowWidth];
  assign source_lanes = offered_o ? source_lanes_i[0+:Lanes] : source_lanes_i[Lanes+:Lanes];
  assign destination_lanes = offered_o ? destination_lanes_i[0+:Lanes] : destination_lanes_i[Lanes+:Lanes];
  assign source_moves = offered_o ? source_moves_i[0+:MovesWidth] : source_moves_i[MovesWidth+:MovesWidth];
  assign destination_moves = offered_o ? destination_moves_i[0+:MovesWidth] : destination_moves_i[MovesWidth+:MovesWidth];

  assign leaves_o = (offered_o || valid_i[1]) && source == row_o && source_lanes[lane_o];
  assign returns_o = (offered_o || valid_i[1]) && destination == row_o && destination_lanes[lane_o];
  assign partner_row_o = leaves_o ? destination : source;
  assign agrees_o = &agrees;
  assign moves_o = ends_i && !offered_o && (leaves_o || returns_o);

  lane_way #(
    .Lanes(Lanes)
  ) i_way (
    .from_i      (leaves_o ? source_lanes : destination_lanes),
    .to_i        (leaves_o ? destination_lanes : source_lanes),
    .from_moves_i(leaves_o ? source_moves : destination_moves),
    .to_moves_i  (leaves_o ? destination_moves : source_moves),
    .lane_i      (lane_o),
    .below_o     (place_o),
    .partner_o,
    .agrees_o    (agrees)
  );

  always_comb begin
    lane_d = lane_o;
    for (int lane = 0; lane < Lanes; lane++) begin
      if (moves_o && partner_o[lane]) lane_d = LaneWidth'(lane);
    end
    state_d = state_o;
    if (report_writes_i && report_row_i == row_o &&
    report_lanes_i[lane_o]) state_d = {report_high_i[lane_o], report_low_i[lane_o]};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      row_o <= first_row_i;
      lane_o <= first_lane_i;
      state_o <= first_state_i;
      lives_o <= first_state_i != 2'd0;
    end else begin
      if (moves_o) row_o <= partner_row_o;
      lane_o <= lane_d;
      state_o <= state_d;
      lives_o <= lives_o && state_d != 2'd0;
    end
  end
endmodule
