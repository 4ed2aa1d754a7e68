// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The testbench that replays golden vectors of a subwarp scheduler, in SystemVerilog that any simulator reads.

#include <string_view>

namespace reconverge {

inline constexpr std::string_view subwarp_replay_testbench =
    R"(// Replays vectors.txt, a line a cycle, on rtl/subwarp_interleaving, and compares all outputs that are valid.
// verilator lint_off WIDTH
// verilator lint_off BLKSEQ
module replay;
  `include "parameters.svh"
  localparam int ScoreboardBits = 3;
  localparam int CountBits = 6;
  localparam int WarpWidth = Warps > 1 ? $clog2(Warps) : 1;
  localparam int EntryWidth = $clog2(Entries);

  reg clk = 0, rst_n = 0;
  reg [1:0] trigger = 0;
  reg [Warps*Entries-1:0] set = 0;
  reg [3*Warps*Entries-1:0] set_state = 0;
  reg [Entries-1:0] stall = 0, peers = 0;
  reg [WarpWidth-1:0] stall_warp = 0;
  reg [ScoreboardBits-1:0] stall_scoreboard = 0;
  reg [Entries*CountBits-1:0] stall_counts = 0;
  reg [2*Entries-1:0] result = 0;
  reg [2*WarpWidth-1:0] result_warp = 0;
  reg [2*ScoreboardBits-1:0] result_scoreboard = 0;
  reg [Warps-1:0] waits = 0;
  reg take = 0;
  wire offer_valid;
  wire [WarpWidth-1:0] offer_warp;
  wire [EntryWidth-1:0] offer_leader;
  wire [3*Warps*Entries-1:0] states;

`ifdef NETLIST  // has its parameters within
  subwarp_interleaving i_block (
`else
  subwarp_interleaving #(
    .Warps(Warps), .Entries(Entries), .ScoreboardBits(ScoreboardBits), .CountBits(CountBits)
  ) i_block (
`endif
    .clk_i(clk), .rst_ni(rst_n), .trigger_i(trigger), .set_i(set), .set_state_i(set_state), .stall_i(stall),
    .stall_warp_i(stall_warp), .stall_scoreboard_i(stall_scoreboard), .stall_counts_i(stall_counts),
    .result_i(result), .result_warp_i(result_warp), .result_scoreboard_i(result_scoreboard), .waits_i(waits),
    .offer_valid_o(offer_valid), .offer_warp_o(offer_warp), .offer_leader_o(offer_leader), .take_i(take),
    .take_peers_i(peers), .states_o(states)
  );

  // Inputs are put together here and change as a whole: Verilator 5.006 misses changes of parts.
  reg [Warps*Entries-1:0] next_set;
  reg [3*Warps*Entries-1:0] next_set_state;
  reg [Entries*CountBits-1:0] next_stall_counts;
  reg [2*Entries-1:0] next_result;
  reg [2*WarpWidth-1:0] next_result_warp;
  reg [2*ScoreboardBits-1:0] next_result_scoreboard;

  // A field of a line.
  reg [63:0] field;
  integer file, cycle, warp, entry, number, differences;

  task next;
    if ($fscanf(file, "%h", field) != 1) field = 0;
  endtask

  // An output that has to be what the next field says, where it matters.
  task check(input reg [63:0] seen, input reg matters);
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
      trigger = field[1:0];
      for (warp = 0; warp < Warps; warp = warp + 1) begin
        next; next_set[warp*Entries+:Entries] = field[Entries-1:0];
        for (number = 0; number < 3; number = number + 1) begin
          next; next_set_state[(3*warp+number)*Entries+:Entries] = field[Entries-1:0];
        end
      end
      next; stall = field[Entries-1:0];
      next; stall_warp = field[WarpWidth-1:0];
      next; stall_scoreboard = field[ScoreboardBits-1:0];
      for (entry = 0; entry < Entries; entry = entry + 1) begin
        next; next_stall_counts[entry*CountBits+:CountBits] = field[CountBits-1:0];
      end
      for (number = 0; number < 2; number = number + 1) begin
        next; next_result[number*Entries+:Entries] = field[Entries-1:0];
        next; next_result_warp[number*WarpWidth+:WarpWidth] = field[WarpWidth-1:0];
        next; next_result_scoreboard[number*ScoreboardBits+:ScoreboardBits] = field[ScoreboardBits-1:0];
      end
      next; waits = field[Warps-1:0];
      next; take = field[0];
      next; peers = field[Entries-1:0];
      set = next_set;
      set_state = next_set_state;
      stall_counts = next_stall_counts;
      result = next_result;
      result_warp = next_result_warp;
      result_scoreboard = next_result_scoreboard;
      #1;
      check(offer_valid, 1);
      check(offer_warp, offer_valid);
      check(offer_leader, offer_valid);
      for (warp = 0; warp < Warps; warp = warp + 1) begin
        for (number = 0; number < 3; number = number + 1) check(states[(3*warp+number)*Entries+:Entries], 1);
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
