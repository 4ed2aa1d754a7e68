// SPDX-License-Identifier: Apache-2.0
// Finds the first member of a set from a position on; the search wraps around.
module first_from #(
  parameter int unsigned Entries = 32,  // positions
  localparam int unsigned EntryWidth = $clog2(Entries)
) (
  input  logic [Entries-1:0]    set_i,     // members
  input  logic [Entries-1:0]    behind_i,  // the position and all after it
  output logic [EntryWidth-1:0] index_o    // 0 if the set is empty
);
  logic some_behind, some;
  logic [EntryWidth-1:0] behind, any;
  lowest #(.Width(Entries)) i_behind (.set_i(set_i & behind_i), .valid_o(some_behind), .index_o(behind));
  lowest #(.Width(Entries)) i_any (.set_i, .valid_o(some), .index_o(any));
  assign index_o = some_behind ? behind : any & {EntryWidth{some}};
endmodule
