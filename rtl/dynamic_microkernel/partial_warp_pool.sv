// SPDX-License-Identifier: Apache-2.0
// The parts of the formation area, each for one warp (DMK section IV-A.2): which are taken, and the next two free ones.
module partial_warp_pool #(
  parameter int unsigned Regions = 54,  // parts of the formation area, 2 to 256
  localparam int unsigned RegionWidth = $clog2(Regions)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
`ifdef RECONVERGE_STATE_PORTS
  // The whole state, for properties.
  output logic [Regions-1:0]     taken_o,
`endif
  input  logic [RegionWidth:0]   regions_i,   // parts in this launch; constant after reset
  input  logic [1:0]             take_i,      // none, the first, or both; takes only valid parts
  input  logic [Regions-1:0]     release_i,   // free from the next cycle on
  output logic [1:0]             valid_o,     // whether first_o and second_o are parts
  output logic [RegionWidth-1:0] first_o,     // the next free part
  output logic [RegionWidth-1:0] second_o     // the free part after it
);
  logic [Regions-1:0] taken_q, free, upper, lower;
  logic [RegionWidth-1:0] next_q;  // the search starts at this part

  // The search starts at next_q and wraps around.
  for (genvar region = 0; region < Regions; region++) begin : gen_region
    assign free[region] = (RegionWidth + 1)'(region) < regions_i & ~taken_q[region];
    assign upper[region] = free[region] & (RegionWidth + 1)'(region) >= {1'b0, next_q};
  end
  assign lower = free & ~upper;
`ifdef RECONVERGE_STATE_PORTS
  assign taken_o = taken_q;
`endif

  // All members except the lowest.
  function automatic logic [Regions-1:0] others(input logic [Regions-1:0] set);
    logic [Regions-1:0] behind;
    behind = set << 1;
    for (int step = 0; step < RegionWidth; step++) behind = behind | (behind << (1 << step));
    others = set & behind;
  endfunction

  logic [1:0] upper_valid, lower_valid;
  logic [RegionWidth-1:0] upper_first, upper_second, lower_first, lower_second;
  lowest #(.Width(Regions)) i_upper_first (.set_i(upper), .valid_o(upper_valid[0]), .index_o(upper_first));
  lowest #(.Width(Regions)) i_upper_second (.set_i(others(upper)), .valid_o(upper_valid[1]), .index_o(upper_second));
  lowest #(.Width(Regions)) i_lower_first (.set_i(lower), .valid_o(lower_valid[0]), .index_o(lower_first));
  lowest #(.Width(Regions)) i_lower_second (.set_i(others(lower)), .valid_o(lower_valid[1]), .index_o(lower_second));
  assign first_o = upper_valid[0] ? upper_first : lower_first;
  always_comb begin
    second_o = lower_second;
    if (upper_valid[0]) second_o = lower_first;
    if (upper_valid[1]) second_o = upper_second;
  end
  assign valid_o[0] = upper_valid[0] | lower_valid[0];
  assign valid_o[1] = upper_valid[1] | (upper_valid[0] & lower_valid[0]) | lower_valid[1];

  logic [1:0] takes;
  assign takes = {take_i[1] & valid_o[1], |take_i & valid_o[0]};

  function automatic logic [RegionWidth-1:0] behind_part(input logic [RegionWidth-1:0] region);
    behind_part = (RegionWidth + 1)'(region) + 1'b1 == regions_i ? '0 : region + 1'b1;
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q <= '0;
      next_q <= '0;
    end else begin
      for (int region = 0; region < Regions; region++) begin
        taken_q[region] <= (taken_q[region] & !release_i[region]) |
                           (takes[0] & first_o == RegionWidth'(region)) | (takes[1] & second_o == RegionWidth'(region));
      end
      if (takes[1]) next_q <= behind_part(second_o);
      else if (takes[0]) next_q <= behind_part(first_o);
    end
  end
endmodule
