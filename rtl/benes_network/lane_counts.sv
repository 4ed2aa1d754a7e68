// SPDX-License-Identifier: Apache-2.0
// Counts the members of a set below each lane and in each aligned block of lanes, with a tree of sums of 2, 4, 8 and more lanes.
module lane_counts #(
  parameter int unsigned Lanes = 16,  // a power of two
  localparam int unsigned Levels = $clog2(Lanes),
  localparam int unsigned CountWidth = Levels + 1
) (
  input  logic [Lanes-1:0]                     set_i,    // members
  output logic [(Lanes+1)*Levels-1:0]          below_o,  // modulo Lanes; the last entry counts all lanes
  output logic [Lanes*CountWidth-1:CountWidth] blocks_o  // node n is the parent of nodes 2n and 2n + 1; node 1 counts all lanes
);
  logic [Lanes*CountWidth-1:0] up_to;  // members up to and including each lane

  always_comb begin
    up_to = '0;
    for (int lane = 0; lane < Lanes; lane++) up_to[lane*CountWidth] = set_i[lane];
    for (int step = 0; step < Levels; step++) begin
      for (int lane = 0; lane < Lanes; lane++) begin
        if (((lane >> step) & 1) == 1) begin
          up_to[lane*CountWidth+:CountWidth] = up_to[lane*CountWidth+:CountWidth] +
                                               up_to[((lane >> step << step) - 1)*CountWidth+:CountWidth];
        end
      end
      for (int block = 0; block < Lanes >> (step + 1); block++) begin
        blocks_o[((Lanes >> (step + 1)) + block)*CountWidth+:CountWidth] =
            up_to[((block + 1 << (step + 1)) - 1)*CountWidth+:CountWidth];
      end
    end
    below_o[0+:Levels] = '0;
    for (int lane = 0; lane < Lanes; lane++) below_o[(lane+1)*Levels+:Levels] = up_to[lane*CountWidth+:Levels];
  end
endmodule
