// SPDX-License-Identifier: Apache-2.0
// Chooses which of the waiting paths of a warp runs next: the one with the most lanes. Paths with equally many lanes take turns:
// the search starts after the path that was taken last. The choice depends on inputs of the same cycle.
module own_block #(
  parameter int unsigned Paths = 4,   // waiting paths that the block sees, a power of two, 2 to 32
  parameter int unsigned Lanes = 32,  // of a warp, 1 to 64
  localparam int unsigned PathWidth = $clog2(Paths),
  localparam int unsigned CountWidth = $clog2(Lanes + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [Paths*Lanes-1:0] lanes_i,  // lanes of each path, the oldest path in the lowest bits; no lanes: no path
  input  logic                   take_i,   // the path is taken; only if valid_o
  output logic                   valid_o,  // a path waits
  output logic [PathWidth-1:0]   path_o    // the path that runs next; meaningless if none waits
);
  // Legal sizes.
  if (Paths < 2 || Paths > 32 || 32'd1 << PathWidth != Paths) begin : gen_paths
    $error("Paths must be a power of two, 2 to 32");
  end
  if (Lanes < 1 || Lanes > 64) begin : gen_lanes
    $error("Lanes must be 1 to 64");
  end

  logic [PathWidth-1:0] turn_q, turn_d;  // the first path among equal ones

  logic [Paths*CountWidth-1:0] counts;
  logic [CountWidth-1:0] most;
  logic [Paths-1:0] largest, from_turn, candidates;

  always_comb begin
    counts = '0;
    most = '0;
    for (int path = 0; path < Paths; path++) begin
      for (int lane = 0; lane < Lanes; lane++) begin
        counts[path*CountWidth+:CountWidth] = counts[path*CountWidth+:CountWidth] + CountWidth'(lanes_i[path*Lanes+lane]);
      end
      if (counts[path*CountWidth+:CountWidth] > most) most = counts[path*CountWidth+:CountWidth];
    end
    for (int path = 0; path < Paths; path++) largest[path] = counts[path*CountWidth+:CountWidth] == most;
  end

  // The first of the largest paths from the turn on; the search wraps around.
  assign from_turn = largest & ('1 << turn_q);
  assign candidates = from_turn != '0 ? from_turn : largest;
  always_comb begin
    path_o = '0;
    for (int path = Paths - 1; path >= 0; path--) begin
      if (candidates[path]) path_o = PathWidth'(path);
    end
  end
  assign valid_o = most != '0;

`ifdef OWN_BLOCK_FAULT
  assign turn_d = path_o;  // a planted fault, which a test must find: the path keeps the turn
`else
  assign turn_d = path_o + PathWidth'(1);
`endif
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q <= '0;
    end else if (take_i) begin
      turn_q <= turn_d;
    end
  end
endmodule
