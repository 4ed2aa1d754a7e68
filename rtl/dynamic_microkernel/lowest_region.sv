// The lowest of a set of parts.
module lowest_region #(
  parameter int unsigned Regions = 54,
  localparam int unsigned RegionWidth = $clog2(Regions)
) (
  input  logic [Regions-1:0]     regions_i,
  output logic                   valid_o,  // there is one
  output logic [RegionWidth-1:0] region_o  // 0 when there is none
);
  logic [Regions-1:0] lowest;
  assign lowest = regions_i & (~regions_i + Regions'(1));
  assign valid_o = |regions_i;
  for (genvar i = 0; i < RegionWidth; i++) begin : gen_bit
    logic [Regions-1:0] numbers;  // those with this bit
    for (genvar region = 0; region < Regions; region++) begin : gen_region
      assign numbers[region] = 1'(region >> i);
    end
    assign region_o[i] = |(lowest & numbers);
  end
endmodule
