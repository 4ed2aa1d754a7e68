// The formation area in parts of a warp each (DMK section IV-A.2): which are taken, and the next two that are free.
module partial_warp_pool #(
  parameter int unsigned Regions = 54,
  localparam int unsigned RegionWidth = $clog2(Regions)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [RegionWidth:0]   regions_i,   // so many there are in this launch; does not change after reset
  input  logic [1:0]             take_i,      // none, the first, or both; a part that is not free is not taken
  input  logic [Regions-1:0]     release_i,   // free from the next cycle on
  output logic [1:0]             valid_o,
  output logic [RegionWidth-1:0] first_o,
  output logic [RegionWidth-1:0] second_o,
  // All of it, for properties.
  output logic [Regions-1:0]     taken_o
);
  logic [Regions-1:0] taken_q, present, free, other, mask;
  logic [RegionWidth-1:0] next_q;  // the part to look at first
  logic first_valid, second_valid;
  logic [RegionWidth-1:0] first, second;

  for (genvar region = 0; region < Regions; region++) begin : gen_region
    assign present[region] = (RegionWidth + 1)'(region) < regions_i;
    assign mask[region] = RegionWidth'(region) >= next_q;
    assign other[region] = free[region] & !(first_valid && RegionWidth'(region) == first);
  end
  assign free = present & ~taken_q;
  assign taken_o = taken_q;

  // Round and round from the register on: first those behind it.
  logic [1:0] upper_valid, any_valid;
  logic [RegionWidth-1:0] upper [2], any [2];
  lowest_region #(.Regions(Regions)) i_upper (.regions_i(free & mask), .valid_o(upper_valid[0]), .region_o(upper[0]));
  lowest_region #(.Regions(Regions)) i_any (.regions_i(free), .valid_o(any_valid[0]), .region_o(any[0]));
  lowest_region #(.Regions(Regions)) i_upper_other (.regions_i(other & mask), .valid_o(upper_valid[1]), .region_o(upper[1]));
  lowest_region #(.Regions(Regions)) i_any_other (.regions_i(other), .valid_o(any_valid[1]), .region_o(any[1]));
  assign first_valid = any_valid[0];
  assign first = upper_valid[0] ? upper[0] : any[0];
  assign second_valid = any_valid[1];
  assign second = upper_valid[1] ? upper[1] : any[1];
  assign valid_o = {second_valid, first_valid};
  assign first_o = first;
  assign second_o = second;

  logic [1:0] takes;
  logic [RegionWidth-1:0] last;
  assign takes = {take_i[1] & second_valid, |take_i & first_valid};
  assign last = takes[1] ? second : first;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q <= '0;
      next_q <= '0;
    end else begin
      for (int region = 0; region < Regions; region++) begin
        taken_q[region] <= (taken_q[region] & !release_i[region]) |
                           (takes[0] & first == RegionWidth'(region)) | (takes[1] & second == RegionWidth'(region));
      end
      if (takes[0]) next_q <= (RegionWidth + 1)'(last) + 1'b1 == regions_i ? '0 : last + 1'b1;
    end
  end
endmodule
