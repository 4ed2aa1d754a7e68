// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The testbench that replays golden vectors of a Benes network, in SystemVerilog that any simulator reads.

#include <string_view>

namespace reconverge {

inline constexpr std::string_view network_replay_testbench =
    R"(// Replays vectors.txt, a line a clock, on rtl/benes_network, and compares all outputs that are valid.
// verilator lint_off WIDTH
// verilator lint_off BLKSEQ
module replay;
  `include "parameters.svh"
  localparam int Levels = $clog2(NumPorts);
  localparam int Settings = (2 * Levels - 1) * NumPorts / 2;
  localparam int Field = NumPorts * 32;  // the longest field of a line

  reg clk = 0, rst_n = 0;
  reg valid = 0;
  reg [1:0] mode = 0;
  reg [NumPorts-1:0] active = 0, taken = 0;
  reg [Levels-1:0] first = 0, second = 0;
  reg [Settings-1:0] crossed = 0;
  reg [NumPorts*DataWidth-1:0] data_in = 0;
  wire ready;
  wire [Levels-1:0] next_first, next_second;
  wire [NumPorts-1:0] reads, read_bank, arrived, bank;
  wire [NumPorts*DataWidth-1:0] data_out;

`ifdef NETLIST  // has its parameters within
  benes_network i_block (
`else
  benes_network #(.NumPorts(NumPorts), .DataWidth(DataWidth), .RegisterEvery(RegisterEvery)) i_block (
`endif
    .clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .ready_o(ready), .mode_i(mode), .active_i(active), .taken_i(taken),
    .first_i(first), .second_i(second), .cross_i(crossed), .data_i(data_in), .next_first_o(next_first),
    .next_second_o(next_second), .read_o(reads), .read_bank_o(read_bank), .valid_o(arrived), .bank_o(bank),
    .data_o(data_out)
  );

  // A field of a line.
  reg [Field-1:0] field;
  integer file, cycle, port, differences;

  task next;
    if ($fscanf(file, "%h", field) != 1) field = 0;
  endtask

  // An output that has to be what the next field says, where it matters.
  task check(input reg [Field-1:0] seen, input reg matters);
    begin
      next;
      if (matters && seen !== field) begin
        $display("cycle %0d: %0h instead of %0h", cycle, seen, field);
        differences = differences + 1;
      end
    end
  endtask

  initial begin
    file = $fopen("vectors.txt", "r");
    if (file == 0) begin
      $display("FAILED: no vectors.txt here");
      $finish;
    end
    differences = 0;
    cycle = 0;
    #1 rst_n = 1;
    #1 rst_n = 0;
    // The pipeline runs empty.
    for (port = 0; port < 2 * Levels; port = port + 1) begin
      #1 clk = 1;
      #1 clk = 0;
    end
    #1 rst_n = 1;
    while ($fscanf(file, "%h", field) == 1) begin
      valid = field[0];
      next; mode = field[1:0];
      next; active = field[NumPorts-1:0];
      next; taken = field[NumPorts-1:0];
      next; first = field[Levels-1:0];
      next; second = field[Levels-1:0];
      next; crossed = field[Settings-1:0];
      next;
      for (port = 0; port < NumPorts; port = port + 1) data_in[port*DataWidth+:DataWidth] = field[port*32+:DataWidth];
      #1;
      check(ready, 1);
      check(next_first, valid && mode != 3);
      check(next_second, valid && mode != 3);
      check(reads, 1);
      check(read_bank & reads, 1);
      check(arrived, 1);
      check(bank & arrived, 1);
      next;
      for (port = 0; port < NumPorts; port = port + 1) begin
        if (arrived[port] && data_out[port*DataWidth+:DataWidth] !== field[port*32+:DataWidth]) begin
          $display("cycle %0d: port %0d has %0h instead of %0h", cycle, port, data_out[port*DataWidth+:DataWidth],
                   field[port*32+:DataWidth]);
          differences = differences + 1;
        end
      end
      clk = 1;
      #1 clk = 0;
      cycle = cycle + 1;
    end
    if (differences == 0 && cycle > 0) $display("PASSED: %0d cycles", cycle);
    else $display("FAILED: %0d differences in %0d cycles", differences, cycle);
    $finish;
  end
endmodule
)";

}  // namespace reconverge
