// SPDX-License-Identifier: Apache-2.0
// The positions of a ring from a first position up to an end, which is not included.
module ring_window #(
  parameter int unsigned Size = 16  // positions, a power of two
) (
  input  logic [Size-1:0] from_first_i,  // the first position and all above it
  input  logic [Size-1:0] from_end_i,    // the end and all above it
  input  logic            wraps_i,       // the end is at position 0 or after it
  input  logic            full_i,        // all positions
  output logic [Size-1:0] places_o       // the positions
);
  assign places_o = {Size{full_i}} | (wraps_i ? from_first_i | ~from_end_i : from_first_i & ~from_end_i);
endmodule
