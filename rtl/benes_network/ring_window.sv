// SPDX-License-Identifier: Apache-2.0
// The places of a ring from a first one up to an end, which is the first place behind them.
module ring_window #(
  parameter int unsigned Size = 16
) (
  input  logic [Size-1:0] from_first_i,  // the first place and those above it
  input  logic [Size-1:0] from_end_i,    // the end and those above it
  input  logic            wraps_i,       // the end is the place 0, or beyond it
  input  logic            full_i,        // all
  output logic [Size-1:0] places_o
);
  assign places_o = {Size{full_i}} | (wraps_i ? from_first_i | ~from_end_i : from_first_i & ~from_end_i);
endmodule
