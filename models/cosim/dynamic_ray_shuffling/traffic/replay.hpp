// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The testbench that replays golden vectors, in SystemVerilog that any simulator reads.

#include <string_view>

namespace reconverge {

inline constexpr std::string_view replay_testbench =
    R"(// Replays vectors.txt, a line a cycle, on rtl/dynamic_ray_shuffling, and compares all outputs that are valid.
// verilator lint_off WIDTH
// verilator lint_off BLKSEQ
module replay;
  `include "parameters.svh"
  localparam int Units = 3;
  localparam int Rows = Warps + BackupRows + 2;
  localparam int WarpWidth = Warps > 1 ? $clog2(Warps) : 1;
  localparam int RowWidth = $clog2(Rows);
  localparam int RegisterWidth = $clog2(RayRegisters);
  localparam int RowBits = Lanes * 32;

  reg clk = 0, rst_n = 0;
  reg control_valid = 0, report_valid = 0;
  reg [WarpWidth-1:0] control_warp = 0, report_warp = 0;
  reg [Lanes-1:0] report_lanes = 0, report_high = 0, report_low = 0;
  reg [Units-1:0] read_grant = 0, write_grant = 0;
  reg [Units*RowBits-1:0] read_words = 0;
  wire [1:0] answer;
  wire [RowWidth-1:0] row;
  wire [Lanes-1:0] high, low;
  wire idle, has_answer;
  wire [Units-1:0] read_valid, write_valid;
  wire [Units*RowWidth-1:0] read_row, write_row;
  wire [Units*RegisterWidth-1:0] read_register, write_register;
  wire [Units*Lanes-1:0] read_lanes, write_lanes;
  wire [Units*RowBits-1:0] write_words;

`ifdef NETLIST  // has its parameters within
  dynamic_ray_shuffling i_block (
`else
  dynamic_ray_shuffling #(
    .Warps(Warps), .BackupRows(BackupRows), .Lanes(Lanes), .SwapBuffers(SwapBuffers), .RayRegisters(RayRegisters)
  ) i_block (
`endif
    .clk_i(clk), .rst_ni(rst_n), .control_valid_i(control_valid), .control_warp_i(control_warp),
    .control_answer_o(answer), .control_row_o(row), .control_high_o(high), .control_low_o(low),
    .report_valid_i(report_valid), .report_warp_i(report_warp), .report_lanes_i(report_lanes),
    .report_high_i(report_high), .report_low_i(report_low), .read_valid_o(read_valid), .read_row_o(read_row),
    .read_register_o(read_register), .read_lanes_o(read_lanes), .read_grant_i(read_grant), .read_words_i(read_words),
    .write_valid_o(write_valid), .write_row_o(write_row), .write_register_o(write_register),
    .write_lanes_o(write_lanes), .write_words_o(write_words), .write_grant_i(write_grant), .idle_o(idle),
    .has_answer_o(has_answer)
  );

  // A field of a line.
  reg [RowBits-1:0] field;
  reg [Units-1:0] reads, writes;
  reg [Units*RowBits-1:0] words;
  integer file, cycle, unit, lane, differences;

  task next;
    if ($fscanf(file, "%h", field) != 1) field = 0;
  endtask

  // An output that has to be what the next field says, where it matters.
  task check(input reg [RowBits-1:0] seen, input reg matters);
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
      control_valid = field[0];
      next; control_warp = field[WarpWidth-1:0];
      next; report_valid = field[0];
      next; report_warp = field[WarpWidth-1:0];
      next; report_lanes = field[Lanes-1:0];
      next; report_high = field[Lanes-1:0];
      next; report_low = field[Lanes-1:0];
      for (unit = 0; unit < Units; unit = unit + 1) begin
        next; reads[unit] = field[0];
        next; writes[unit] = field[0];
        next; words[unit*RowBits+:RowBits] = field;
      end
      // At once: Verilator 5.006 does not see that a part of what is bound to a port has changed.
      read_grant = reads;
      write_grant = writes;
      read_words = words;
      #1;
      check(answer, 1);
      check(row, 1);
      check(high, 1);
      check(low, 1);
      check(idle, 1);
      check(has_answer, 1);
      for (unit = 0; unit < Units; unit = unit + 1) begin
        check(read_valid[unit], 1);
        check(read_row[unit*RowWidth+:RowWidth], read_valid[unit]);
        check(read_register[unit*RegisterWidth+:RegisterWidth], read_valid[unit]);
        check(read_lanes[unit*Lanes+:Lanes], read_valid[unit]);
      end
      for (unit = 0; unit < Units; unit = unit + 1) begin
        check(write_valid[unit], 1);
        check(write_row[unit*RowWidth+:RowWidth], write_valid[unit]);
        check(write_register[unit*RegisterWidth+:RegisterWidth], write_valid[unit]);
        check(write_lanes[unit*Lanes+:Lanes], write_valid[unit]);
        next;
        for (lane = 0; lane < Lanes; lane = lane + 1) begin
          if (write_valid[unit] && write_lanes[unit*Lanes+lane] &&
              write_words[(unit*Lanes+lane)*32+:32] !== field[lane*32+:32]) begin
            $display("cycle %0d: unit %0d writes %0h to lane %0d instead of %0h", cycle, unit,
                     write_words[(unit*Lanes+lane)*32+:32], lane, field[lane*32+:32]);
            differences = differences + 1;
          end
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
