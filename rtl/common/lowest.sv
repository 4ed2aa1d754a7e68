// SPDX-License-Identifier: Apache-2.0
// The lowest of a set, as a tree: each node says whether there is one below it, and where.
module lowest #(
  parameter int unsigned Width = 64,
  localparam int unsigned Levels = $clog2(Width),
  localparam int unsigned IndexWidth = Width > 1 ? Levels : 1
) (
  input  logic [Width-1:0]      set_i,
  output logic                  valid_o,  // there is one
  output logic [IndexWidth-1:0] index_o   // 0 when there is none
);
  // Bit i of `some`: there is one among the next 2^level from i on. Of `where`, by bits of the index: how far behind i the
  // lowest of them is. Whole words are shifted, which simulators do fast; places that nothing reads are no gates.
  logic [Width-1:0] some;
  logic [IndexWidth*Width-1:0] where;

  always_comb begin
    some = set_i;
    where = '0;
    for (int level = 0; level < Levels; level++) begin
      for (int i = 0; i < level; i++) begin
        where[i*Width+:Width] = (where[i*Width+:Width] & some) | ((where[i*Width+:Width] >> (1 << level)) & ~some);
      end
      where[level*Width+:Width] = ~some;
      some = some | (some >> (1 << level));
    end
    valid_o = some[0];
    for (int i = 0; i < IndexWidth; i++) index_o[i] = where[i*Width] & valid_o;
  end
endmodule
