// SPDX-License-Identifier: Apache-2.0
// Finds the lowest member of a set with a tree: each node finds whether its part of the set has a member, and the lowest one.
module lowest #(
  parameter int unsigned Width = 64,  // largest number of members
  localparam int unsigned Levels = $clog2(Width),
  localparam int unsigned IndexWidth = Width > 1 ? Levels : 1
) (
  input  logic [Width-1:0]      set_i,    // members
  output logic                  valid_o,  // the set has a member
  output logic [IndexWidth-1:0] index_o   // 0 if it has none
);
  // Bit i of `some`: the set has a member among the 2^level positions from i on.
  // Bit i of word k of `where`: bit k of the distance from i to the lowest of these members.
  // Shifts of whole words are fast in simulators; synthesis makes no gates for positions that nothing reads.
  logic [Width-1:0] some;
  logic [IndexWidth*Width-1:0] where;

  always_comb begin
    some = set_i;
    where = '0;
    for (int level = 0; level != Levels; level++) begin
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
