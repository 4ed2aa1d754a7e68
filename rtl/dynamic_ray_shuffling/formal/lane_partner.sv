// Of the lanes `to_i`, the one with as many of them below it as `lane_i` has of the lanes `from_i`.
module lane_partner #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned LaneWidth = $clog2(Lanes)
) (
  input  logic [Lanes-1:0]     from_i,
  input  logic [Lanes-1:0]     to_i,
  input  logic [LaneWidth-1:0] lane_i,
  output logic [LaneWidth-1:0] below_o,   // how many
  output logic [Lanes-1:0]     partner_o  // a bit for each lane; none where there is no such lane
);
  logic [LaneWidth-1:0] below_other;

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
endmodule
