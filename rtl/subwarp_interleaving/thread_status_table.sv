// SPDX-License-Identifier: Apache-2.0
// The thread status table of one warp (SI section III-C.1, Fig. 8a). Each entry has a state, the scoreboard on which it stalled,
// and the number of results that it waits for. States: 0 INACTIVE, 1 ACTIVE, 2 READY, 3 BLOCKED, 4 STALLED.
module thread_status_table #(
  parameter int unsigned Entries = 32,        // of the table
  parameter int unsigned ScoreboardBits = 3,  // bits of a scoreboard's number
  parameter int unsigned CountBits = 6        // bits of the number of results that an entry waits for
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,      // all entries become INACTIVE
  // set_i takes precedence over wakeup. Entries of take_i become ACTIVE unless they are in set_i or stall_i.
  input  logic [Entries-1:0]                set_i,
  input  logic [3*Entries-1:0]              set_state_i, // the lowest bit of all entries, then the next bit
  input  logic [Entries-1:0]                take_i,
  input  logic [Entries-1:0]                stall_i,
  // The other entries, from stall and wakeup.
  input  logic [3*Entries-1:0]              state_i,
  input  logic [Entries*ScoreboardBits-1:0] scoreboards_i,
  input  logic [Entries*CountBits-1:0]      counts_i,
  output logic [3*Entries-1:0]              state_o,
  output logic [Entries*ScoreboardBits-1:0] scoreboards_o,
  output logic [Entries*CountBits-1:0]      counts_o
);
  logic [3*Entries-1:0] state_q;
  logic [Entries*ScoreboardBits-1:0] scoreboards_q;
  logic [Entries*CountBits-1:0] counts_q;

  logic [Entries-1:0] taken, others;
  assign taken = take_i & ~(set_i | stall_i);
  assign others = ~(set_i | taken);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= '0;
    end else begin
      state_q <= (state_i & {3{others}}) | (set_state_i & {3{set_i}}) | (3*Entries)'(taken);
    end
  end

  always_ff @(posedge clk_i) begin
    scoreboards_q <= scoreboards_i;
    counts_q <= counts_i;
  end

  assign state_o = state_q;
  assign scoreboards_o = scoreboards_q;
  assign counts_o = counts_q;
endmodule
