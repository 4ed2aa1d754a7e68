// SPDX-License-Identifier: Apache-2.0
// The states of the source's lanes at the end of a swap: those of the rays that come from the destination. The ray in the i-th
// of the destination's lanes moves to the i-th of the source's.
module exchange_lanes #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned Steps = $clog2(Lanes)
) (
  input  logic [Steps*Lanes-1:0] source_moves_i,       // that pack the lanes
  input  logic [Steps*Lanes-1:0] destination_moves_i,
  input  logic [Lanes-1:0]       high_i,               // states of the destination
  input  logic [Lanes-1:0]       low_i,
  output logic [Lanes-1:0]       high_o,               // undefined in lanes outside the swap
  output logic [Lanes-1:0]       low_o
);
  `include "lane_bits.svh"

  assign high_o = expand(source_moves_i, compress(destination_moves_i, high_i));
  assign low_o = expand(source_moves_i, compress(destination_moves_i, low_i));
endmodule
