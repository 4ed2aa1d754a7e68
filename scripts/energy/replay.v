// SPDX-License-Identifier: Apache-2.0
// Applies the vectors of a run to the netlist, and counts the cycles in which its outputs differ from those of the run.
// A cycle takes 10 ns. The library's flip-flops get a delay, so that no clock edge overtakes the data, and a first value.
`timescale 1ns/10ps
module replay #(
  parameter Inputs = 1,
  parameter Outputs = 1
);
  reg clk = 1, rst_n = 0, reset;
  reg [Inputs-1:0] in = 0, next;
  wire [Outputs-1:0] out;
  reg [Outputs-1:0] expected;
  integer file, cycles = 0, wrong = 0;

  dynamic_ray_shuffling dut(.clk_i (clk), .rst_ni (rst_n)
`include "ports.v"
  );

  initial begin
    file = $fopen("vectors.txt", "r");
    $dumpfile("replay.vcd");
    $dumpvars(1, dut);
    while ($fscanf(file, "%b %b %b", reset, next, expected) == 3) begin
      #1 in = next;
      if (reset) rst_n = 0;
      #1 rst_n = 1;
      #2 clk = 0;  // clock gates take their enables
      #2 if (|(out ^ expected) || ^out === 1'bx) wrong = wrong + 1;
      #2 clk = 1;
      #2 cycles = cycles + 1;
    end
    $display("replayed %0d cycles, %0d differ from the run", cycles, wrong);
    $finish;
  end
endmodule

module DFFPOSX1(input CLK, input D, output reg Q);
  initial Q = 0;
  always @(posedge CLK) Q <= #1 D === 1;
endmodule

module DFFNEGX1(input CLK, input D, output reg Q);
  initial Q = 0;
  always @(negedge CLK) Q <= #1 D === 1;
endmodule

module DFFSR(input CLK, input D, input R, input S, output reg Q);
  initial Q = 0;
  always @(posedge CLK or negedge R or negedge S) Q <= #1 R === 1 && (S === 0 || D === 1);
endmodule
