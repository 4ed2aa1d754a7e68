// SPDX-License-Identifier: Apache-2.0
// Subwarp stall (SI sections III-B and III-C.2) of one warp: the entries as wakeup sees them. Entries that stall in this cycle
// are already STALLED, with the scoreboard and counts that they record, so that a result of this cycle is not lost.
module subwarp_stall #(
  parameter int unsigned Entries = 32,        // of the table
  parameter int unsigned ScoreboardBits = 3,  // bits of a scoreboard's number
  parameter int unsigned CountBits = 6        // bits of the number of results that an entry waits for
) (
  input  logic [Entries-1:0]                stall_i,       // entries that stall in this cycle
  input  logic [ScoreboardBits-1:0]         scoreboard_i,  // on which they stall
  input  logic [Entries*CountBits-1:0]      counts_i,      // results that each waits for
  // Contents of the table.
  input  logic [3*Entries-1:0]              state_i,       // the lowest bit of all entries, then the next bit
  input  logic [Entries*ScoreboardBits-1:0] scoreboards_i,
  input  logic [Entries*CountBits-1:0]      held_i,
  output logic [3*Entries-1:0]              state_o,
  output logic [Entries*ScoreboardBits-1:0] scoreboards_o,
  output logic [Entries*CountBits-1:0]      held_o
);
  // STALLED is 4.
  assign state_o[0+:2*Entries] = state_i[0+:2*Entries] & ~{2{stall_i}};
  assign state_o[2*Entries+:Entries] = state_i[2*Entries+:Entries] | stall_i;
  for (genvar entry = 0; entry < Entries; entry++) begin : gen_entry
    assign scoreboards_o[entry*ScoreboardBits+:ScoreboardBits] =
        stall_i[entry] ? scoreboard_i : scoreboards_i[entry*ScoreboardBits+:ScoreboardBits];
    assign held_o[entry*CountBits+:CountBits] =
        stall_i[entry] ? counts_i[entry*CountBits+:CountBits] : held_i[entry*CountBits+:CountBits];
  end
endmodule
