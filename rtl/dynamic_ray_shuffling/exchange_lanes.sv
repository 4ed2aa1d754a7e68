// States of two rows after a swap: the i-th of the source's lanes and the i-th of the destination's change places. All
// that the source gives is in one state, so the destination's are known.
module exchange_lanes #(
  parameter int unsigned Lanes = 32,
  parameter logic High = 1'b0,  // what the source gives
  parameter logic Low = 1'b0,
  localparam int unsigned Steps = $clog2(Lanes)
) (
  input  logic [Lanes-1:0]       source_lanes_i,
  input  logic [Lanes-1:0]       destination_lanes_i,  // as many
  input  logic [Steps*Lanes-1:0] source_moves_i,       // that bring the lanes together
  input  logic [Steps*Lanes-1:0] destination_moves_i,
  input  logic [Lanes-1:0]       source_high_i,
  input  logic [Lanes-1:0]       source_low_i,
  input  logic [Lanes-1:0]       destination_high_i,
  input  logic [Lanes-1:0]       destination_low_i,
  output logic [Lanes-1:0]       source_high_o,
  output logic [Lanes-1:0]       source_low_o,
  output logic [Lanes-1:0]       destination_high_o,
  output logic [Lanes-1:0]       destination_low_o
);
  `include "lane_bits.svh"

  always_comb begin
    source_high_o = source_high_i;
    source_low_o = source_low_i;
    if (|source_lanes_i) begin  // most often there are none, and a simulator may skip this
      source_high_o = (source_high_i & ~source_lanes_i) |
                      (expand(source_moves_i, compress(destination_moves_i, destination_high_i)) & source_lanes_i);
      source_low_o = (source_low_i & ~source_lanes_i) |
                     (expand(source_moves_i, compress(destination_moves_i, destination_low_i)) & source_lanes_i);
    end
  end
  assign destination_high_o = (destination_high_i & ~destination_lanes_i) | (destination_lanes_i & {Lanes{High}});
  assign destination_low_o = (destination_low_i & ~destination_lanes_i) | (destination_lanes_i & {Lanes{Low}});
endmodule
