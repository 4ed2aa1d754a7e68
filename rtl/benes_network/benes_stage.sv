// SPDX-License-Identifier: Apache-2.0
// One stage of switches. Each switch connects two ports and passes their records straight or crossed, with two multiplexers.
module benes_stage #(
  parameter int unsigned NumPorts = 16,  // a power of two
  parameter int unsigned Width = 32,     // bits that move together
  parameter int unsigned Distance = 1    // between the two ports of a switch; a power of two
) (
  input  logic [NumPorts/2-1:0]     cross_i,  // one bit for each switch, in the order of their lower ports
  input  logic [NumPorts*Width-1:0] in_i,     // words of the ports
  output logic [NumPorts*Width-1:0] out_o     // words of the ports after the switches
);
  for (genvar number = 0; number < NumPorts / 2; number++) begin : gen_switch
    localparam int unsigned Low = number / Distance * 2 * Distance + number % Distance;
    localparam int unsigned High = Low + Distance;
    assign out_o[Low*Width+:Width] = cross_i[number] ? in_i[High*Width+:Width] : in_i[Low*Width+:Width];
    assign out_o[High*Width+:Width] = cross_i[number] ? in_i[Low*Width+:Width] : in_i[High*Width+:Width];
  end
endmodule
