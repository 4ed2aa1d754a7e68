// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The testbench that replays golden vectors of warp formation, in SystemVerilog that any simulator reads.

#include <string_view>

namespace reconverge {

inline constexpr std::string_view formation_replay_testbench =
    R"(// Replays vectors.txt, a line a cycle, on rtl/dynamic_microkernel, and compares all outputs that are valid.
// verilator lint_off WIDTH
// verilator lint_off BLKSEQ
module replay;
  `include "parameters.svh"
  localparam int Lanes = 32;
  localparam int PcWidth = 16;
  localparam int RegionWidth = $clog2(Regions);
  localparam int EntryWidth = $clog2(Lanes);
  localparam int AddressWidth = RegionWidth + EntryWidth;

  reg clk = 0, rst_n = 0;
  reg [RegionWidth:0] regions = 0;
  reg spawn_valid = 0, spawn_commit = 0, pop = 0, force_out = 0;
  reg [PcWidth-1:0] spawn_pc = 0;
  reg [Lanes-1:0] spawn_lanes = 0;
  reg [Regions-1:0] free = 0;
  wire [1:0] stall;
  wire [Lanes*AddressWidth-1:0] address;
  wire completes, full_valid, partial_valid;
  wire [PcWidth-1:0] full_pc, partial_pc;
  wire [RegionWidth-1:0] full_region, partial_region;
  wire [EntryWidth-1:0] partial_threads;

`ifdef NETLIST  // has its parameters within
  dynamic_microkernel i_block (
`else
  dynamic_microkernel #(
    .Lines(Lines), .Regions(Regions), .Fifo(Fifo), .Lanes(Lanes), .PcWidth(PcWidth)
  ) i_block (
`endif
    .clk_i(clk), .rst_ni(rst_n), .regions_i(regions), .spawn_valid_i(spawn_valid), .spawn_commit_i(spawn_commit),
    .spawn_pc_i(spawn_pc), .spawn_lanes_i(spawn_lanes), .spawn_stall_o(stall), .spawn_address_o(address),
    .spawn_completes_o(completes), .pop_i(pop), .full_valid_o(full_valid), .full_pc_o(full_pc),
    .full_region_o(full_region), .force_i(force_out), .partial_valid_o(partial_valid), .partial_pc_o(partial_pc),
    .partial_region_o(partial_region), .partial_threads_o(partial_threads), .release_i(free)
  );

  // A field of a line.
  reg [Lanes*16-1:0] field;
  integer file, cycle, lane, differences;

  task next;
    if ($fscanf(file, "%h", field) != 1) field = 0;
  endtask

  // An output that has to be what the next field says, where it matters.
  task check(input reg [Lanes*16-1:0] seen, input reg matters);
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
    #1 clk = 1;
    #1 clk = 0;
    #1 rst_n = 1;
    while ($fscanf(file, "%h", field) == 1) begin
      regions = field[RegionWidth:0];
      next; spawn_valid = field[0];
      next; spawn_commit = field[0];
      next; spawn_pc = field[PcWidth-1:0];
      next; spawn_lanes = field[Lanes-1:0];
      next; pop = field[0];
      next; force_out = field[0];
      next; free = field[Regions-1:0];
      #1;
      check(full_valid, 1);
      check(full_pc, full_valid);
      check(full_region, full_valid);
      next;  // a full warp has all threads
      check(partial_valid, 1);
      check(partial_pc, partial_valid);
      check(partial_region, partial_valid);
      check(partial_threads, partial_valid);
      check(stall, spawn_valid);
      check(completes, spawn_valid && stall == 0);
      next;
      for (lane = 0; lane < Lanes; lane = lane + 1) begin
        if (spawn_valid && stall == 0 && spawn_lanes[lane] &&
            address[lane*AddressWidth+:AddressWidth] !== field[lane*16+:AddressWidth]) begin
          $display("cycle %0d: lane %0d gets entry %0h instead of %0h", cycle, lane,
                   address[lane*AddressWidth+:AddressWidth], field[lane*16+:AddressWidth]);
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
