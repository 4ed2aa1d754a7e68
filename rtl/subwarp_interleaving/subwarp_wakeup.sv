// SPDX-License-Identifier: Apache-2.0
// Subwarp wakeup (SI section III-C.2, Fig. 8b) of one warp. Each entry has two comparators of scoreboards, one of the state, one
// of the count with zero, a subtractor, and multiplexers for the count and the state. Two matching results in a cycle subtract two.
module subwarp_wakeup #(
  parameter int unsigned Entries = 32,        // of the table
  parameter int unsigned ScoreboardBits = 3,  // bits of a scoreboard's number
  parameter int unsigned CountBits = 6        // bits of the number of results that an entry waits for
) (
  // Results that are written for this warp: the entries and the scoreboards. An entry gets at most as many as it waits for.
  input  logic [2*Entries-1:0]              result_i,
  input  logic [2*ScoreboardBits-1:0]       result_scoreboard_i,
  // Entries, from subwarp_stall.
  input  logic [3*Entries-1:0]              state_i,
  input  logic [Entries*ScoreboardBits-1:0] scoreboards_i,
  input  logic [Entries*CountBits-1:0]      held_i,
  output logic [3*Entries-1:0]              state_o,
  output logic [Entries*CountBits-1:0]      held_o
);
  localparam logic [2:0] Ready = 3'd2;
  localparam logic [2:0] Stalled = 3'd4;

  for (genvar entry = 0; entry < Entries; entry++) begin : gen_entry
    logic [2:0] state, woken;
    logic [1:0] same, match;
    logic [ScoreboardBits-1:0] scoreboard;
    logic [CountBits-1:0] count, left;
    logic is_stalled, is_zero;

    assign state = {state_i[2*Entries+entry], state_i[Entries+entry], state_i[entry]};
    assign scoreboard = scoreboards_i[entry*ScoreboardBits+:ScoreboardBits];
    assign count = held_i[entry*CountBits+:CountBits];
    assign is_stalled = state == Stalled;
    assign same[0] = scoreboard == result_scoreboard_i[0+:ScoreboardBits];
    assign same[1] = scoreboard == result_scoreboard_i[ScoreboardBits+:ScoreboardBits];
    assign match = same & {result_i[Entries+entry], result_i[entry]} & {2{is_stalled}};
    assign left = |match ? count - CountBits'({&match, ^match}) : count;
    assign is_zero = left == '0;
    assign woken = is_stalled & is_zero ? Ready : state;

    assign held_o[entry*CountBits+:CountBits] = left;
    assign state_o[entry] = woken[0];
    assign state_o[Entries+entry] = woken[1];
    assign state_o[2*Entries+entry] = woken[2];
  end
endmodule
