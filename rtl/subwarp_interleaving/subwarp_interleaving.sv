// SPDX-License-Identifier: Apache-2.0
// The subwarp scheduler of a sub-core (Damani et al., HPCA 2022, section III-C, Figs. 6 to 8): a thread status table with stall
// and wakeup for each warp, and the selection of a subwarp. Inputs take effect in the next cycle.
//
// set_i and stall_i must be disjoint; both take precedence over take_peers_i. With fewer than 32 entries, an entry is a subwarp.
module subwarp_interleaving #(
  parameter int unsigned Warps = 8,           // of the sub-core, 1 to 64
  parameter int unsigned Entries = 32,        // of the thread status table of a warp, 2 to 32
  parameter int unsigned ScoreboardBits = 3,  // bits of a scoreboard's number, 1 to 8
  parameter int unsigned CountBits = 6,       // bits of the number of results that an entry waits for, 1 to 16
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned EntryWidth = $clog2(Entries)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [1:0]                   trigger_i,     // of selection; constant after reset
  // Divergence handling: sets the state of entries of any warps, to any state except STALLED.
  input  logic [Warps*Entries-1:0]     set_i,
  input  logic [3*Warps*Entries-1:0]   set_state_i,   // for each warp: the lowest bit of all entries, then the next bit
  // ACTIVE entries of a warp stall, with the counters of a scoreboard before the results of this cycle.
  input  logic [Entries-1:0]           stall_i,
  input  logic [WarpWidth-1:0]         stall_warp_i,
  input  logic [ScoreboardBits-1:0]    stall_scoreboard_i,
  input  logic [Entries*CountBits-1:0] stall_counts_i,
  // Results that are written, at two ports: entries whose counters decrease by one. These counters must not be zero.
  input  logic [2*Entries-1:0]         result_i,
  input  logic [2*WarpWidth-1:0]       result_warp_i,
  input  logic [2*ScoreboardBits-1:0]  result_scoreboard_i,
  // Warps whose ACTIVE subwarp cannot issue.
  input  logic [Warps-1:0]             waits_i,
  // The warp that can switch to another subwarp, and an entry of this subwarp. take_i switches to the entries with its pc.
  output logic                         offer_valid_o,
  output logic [WarpWidth-1:0]         offer_warp_o,
  output logic [EntryWidth-1:0]        offer_leader_o,
  input  logic                         take_i,        // only if offer_valid_o
  input  logic [Entries-1:0]           take_peers_i,  // READY entries, including the leader
  output logic [3*Warps*Entries-1:0]   states_o       // in the layout of set_state_i
);
  // Legal sizes.
  if (Warps < 1 || Warps > 64) begin : gen_warps
    $error("Warps must be 1 to 64");
  end
  if (Entries < 2 || Entries > 32) begin : gen_entries
    $error("Entries must be 2 to 32");
  end
  if (ScoreboardBits < 1 || ScoreboardBits > 8) begin : gen_scoreboard_bits
    $error("ScoreboardBits must be 1 to 8");
  end
  if (CountBits < 1 || CountBits > 16) begin : gen_count_bits
    $error("CountBits must be 1 to 16");
  end

  logic [Warps*Entries-1:0] take;

  // State of the modules, for properties.
  // verilator lint_off UNUSEDSIGNAL
  logic [Warps*Entries*CountBits-1:0] counts;
  logic [Warps*Entries*ScoreboardBits-1:0] scoreboards;
`ifdef RECONVERGE_STATE_PORTS
  logic [Warps*EntryWidth-1:0] next;
  logic [Warps-1:0] waits;
`endif
  // verilator lint_on UNUSEDSIGNAL

  for (genvar warp = 0; warp < Warps; warp++) begin : gen_warp
    logic [Entries-1:0] stall;
    logic [2*Entries-1:0] result;
    logic [3*Entries-1:0] state, seen_state, woken;
    logic [Entries*ScoreboardBits-1:0] scoreboard, seen_scoreboard;
    logic [Entries*CountBits-1:0] count, seen_count, left;

    assign stall = stall_i & {Entries{stall_warp_i == WarpWidth'(warp)}};
    assign result[0+:Entries] = result_i[0+:Entries] & {Entries{result_warp_i[0+:WarpWidth] == WarpWidth'(warp)}};
    assign result[Entries+:Entries] =
        result_i[Entries+:Entries] & {Entries{result_warp_i[WarpWidth+:WarpWidth] == WarpWidth'(warp)}};
    assign states_o[3*warp*Entries+:3*Entries] = state;
    assign counts[warp*Entries*CountBits+:Entries*CountBits] = count;
    assign scoreboards[warp*Entries*ScoreboardBits+:Entries*ScoreboardBits] = scoreboard;

    subwarp_stall #(.Entries(Entries), .ScoreboardBits(ScoreboardBits), .CountBits(CountBits)) i_stall (
      .stall_i(stall), .scoreboard_i(stall_scoreboard_i), .counts_i(stall_counts_i),
      .state_i(state), .scoreboards_i(scoreboard), .held_i(count),
      .state_o(seen_state), .scoreboards_o(seen_scoreboard), .held_o(seen_count)
    );
    subwarp_wakeup #(.Entries(Entries), .ScoreboardBits(ScoreboardBits), .CountBits(CountBits)) i_wakeup (
      .result_i(result), .result_scoreboard_i,
      .state_i(seen_state), .scoreboards_i(seen_scoreboard), .held_i(seen_count),
      .state_o(woken), .held_o(left)
    );
    thread_status_table #(.Entries(Entries), .ScoreboardBits(ScoreboardBits), .CountBits(CountBits)) i_table (
      .clk_i, .rst_ni,
      .set_i(set_i[warp*Entries+:Entries]), .set_state_i(set_state_i[3*warp*Entries+:3*Entries]),
      .take_i(take[warp*Entries+:Entries]), .stall_i(stall),
      .state_i(woken), .scoreboards_i(seen_scoreboard), .counts_i(left),
      .state_o(state), .scoreboards_o(scoreboard), .counts_o(count)
    );
  end

  subwarp_selection #(.Warps(Warps), .Entries(Entries)) i_selection (
    .clk_i, .rst_ni,
`ifdef RECONVERGE_STATE_PORTS
    .waits_o(waits), .next_o(next),
`endif
    .trigger_i, .waits_i, .states_i(states_o),
    .offer_valid_o, .offer_warp_o, .offer_leader_o,
    .take_i, .take_peers_i, .take_o(take)
  );
endmodule
