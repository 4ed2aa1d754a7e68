// SPDX-License-Identifier: Apache-2.0
// The states that the source's lanes take when a swap ends: those of the rays that come from the destination, the i-th of
// its lanes to the i-th of the source's.
module exchange_lanes #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned Steps = $clog2(Lanes)
) (
  input  logic [Steps*Lanes-1:0] source_moves_i,       // that bring the lanes together
  input  logic [Steps*Lanes-1:0] destination_moves_i,
  input  logic [Lanes-1:0]       high_i,               // of the destination
  input  logic [Lanes-1:0]       low_i,
  output logic [Lanes-1:0]       high_o,               // undefined in lanes that take no part
  output logic [Lanes-1:0]       low_o
);
  `include "lane_bits.svh"

  assign high_o = expand(source_moves_i, compress(destination_moves_i, high_i));
  assign low_o = expand(source_moves_i, compress(destination_moves_i, low_i));
endmodule
