// SPDX-License-Identifier: Apache-2.0
// Properties of an arbitrary entry of an arbitrary warp, and of its counter for an arbitrary scoreboard, for all behaviour of
// divergence handling, scoreboards and selection within the contract of the ports. Bound to the block.
module subwarp_interleaving_properties #(
  parameter int unsigned Warps = 8,
  parameter int unsigned Entries = 32,
  parameter int unsigned ScoreboardBits = 3,
  parameter int unsigned CountBits = 6,
  parameter int unsigned Wrong = 0,  // 1, 2: a wrong property, which the proof must refute
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned EntryWidth = $clog2(Entries)
) (
  input logic                                    clk_i,
  input logic                                    rst_ni,
  input logic [Warps*Entries-1:0]                set_i,
  input logic [3*Warps*Entries-1:0]              set_state_i,
  input logic [Entries-1:0]                      stall_i,
  input logic [WarpWidth-1:0]                    stall_warp_i,
  input logic [ScoreboardBits-1:0]               stall_scoreboard_i,
  input logic [Entries*CountBits-1:0]            stall_counts_i,
  input logic [2*Entries-1:0]                    result_i,
  input logic [2*WarpWidth-1:0]                  result_warp_i,
  input logic [2*ScoreboardBits-1:0]             result_scoreboard_i,
  // Internal signals of the block.
  input logic [3*Warps*Entries-1:0]              states,
  input logic [Warps*Entries*ScoreboardBits-1:0] scoreboards,
  input logic [Warps*Entries*CountBits-1:0]      counts,
  input logic [Warps*Entries-1:0]                take
);
  localparam logic [2:0] Active = 3'd1;
  localparam logic [2:0] Ready = 3'd2;
  localparam logic [2:0] Stalled = 3'd4;

  (* anyconst *) logic [WarpWidth-1:0] warp;
  (* anyconst *) logic [EntryWidth-1:0] entry;
  (* anyconst *) logic [ScoreboardBits-1:0] scoreboard;
  (* anyseq *) logic issues;  // issue of an operation that the scoreboard counts

  // Reset is active in the first cycle.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // --- The contents of the entry, and its inputs.
  logic [2:0] state, set_state;
  logic [ScoreboardBits-1:0] held;
  logic [CountBits-1:0] count, stall_count;
  logic set, stall, told;
  logic [3*Entries-1:0] states_of_warp, set_states_of_warp;
  logic [Entries*ScoreboardBits-1:0] held_of_warp;
  logic [Entries*CountBits-1:0] counts_of_warp;
  logic [Entries-1:0] sets_of_warp, takes_of_warp;
  assign states_of_warp = states[3*Entries*warp+:3*Entries];
  assign set_states_of_warp = set_state_i[3*Entries*warp+:3*Entries];
  assign held_of_warp = scoreboards[Entries*ScoreboardBits*warp+:Entries*ScoreboardBits];
  assign counts_of_warp = counts[Entries*CountBits*warp+:Entries*CountBits];
  assign sets_of_warp = set_i[Entries*warp+:Entries];
  assign takes_of_warp = take[Entries*warp+:Entries];
  assign state = {states_of_warp[2*Entries+entry], states_of_warp[Entries+entry], states_of_warp[entry]};
  assign set_state = {set_states_of_warp[2*Entries+entry], set_states_of_warp[Entries+entry], set_states_of_warp[entry]};
  assign held = held_of_warp[ScoreboardBits*entry+:ScoreboardBits];
  assign count = counts_of_warp[CountBits*entry+:CountBits];
  assign stall_count = stall_counts_i[CountBits*entry+:CountBits];
  assign set = sets_of_warp[entry];
  assign stall = stall_i[entry] & stall_warp_i == warp;
  assign told = set | (takes_of_warp[entry] & !stall);

  // --- The SM's counter. In a cycle, issue counts before results.
  logic [1:0] hit, hits;
  logic [CountBits-1:0] counter_q, issued;
  for (genvar port = 0; port < 2; port++) begin : gen_port
    logic [Entries-1:0] results;
    assign results = result_i[port*Entries+:Entries];
    assign hit[port] = results[entry] & result_warp_i[port*WarpWidth+:WarpWidth] == warp &
                       result_scoreboard_i[port*ScoreboardBits+:ScoreboardBits] == scoreboard;
  end
  assign hits = 2'(hit[0]) + 2'(hit[1]);
  assign issued = counter_q + CountBits'(issues);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) counter_q <= '0;
    else counter_q <= issued - CountBits'(hits);
  end

  // --- Expectations from the last cycle.
  logic waits, seen_q, ready_q, stalled_q, woken;
  assign waits = stall ? stall_scoreboard_i == scoreboard : state == Stalled & held == scoreboard;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      seen_q <= 1'b0;
    end else begin
      seen_q <= waits & !told;
      ready_q <= issued == CountBits'(hits);
      stalled_q <= state == Stalled;
    end
  end
  assign woken = state == Ready & stalled_q;

  always_comb begin
    assume (rst_ni == started_q);
    assume (32'(warp) < Warps && 32'(entry) < Entries);
    // The contract of the ports.
    assume (!set || (set_state < Stalled && !stall));
    assume (!issues || (state == Active && counter_q != '1));
    assume (CountBits'(hits) <= counter_q);
    assume (!stall || stall_scoreboard_i != scoreboard || stall_count == issued);
  end

  always_comb begin
    if (rst_ni) begin
      has_a_state : assert (state <= Stalled);
      waits_for_something : assert (state != Stalled || count != '0);
      counts_what_the_scoreboard_counts : assert (state != Stalled || held != scoreboard || count == counter_q);
      never_below_zero :
      assert (!waits || CountBits'(hits) <= (stall ? stall_count : count));
      ready_at_zero : assert (!seen_q || !ready_q || state == Ready);
      stalled_until_zero : assert (!seen_q || ready_q || (state == Stalled && held == scoreboard));
      if (Wrong == 1) assert (!woken);
      if (Wrong == 2) assert (hits != 2'd2 || state != Stalled || held != scoreboard);
    end
  end
endmodule

bind subwarp_interleaving subwarp_interleaving_properties #(
  .Warps         (Warps),
  .Entries       (Entries),
  .ScoreboardBits(ScoreboardBits),
  .CountBits     (CountBits)
) i_properties (
  .clk_i              (clk_i),
  .rst_ni             (rst_ni),
  .set_i              (set_i),
  .set_state_i        (set_state_i),
  .stall_i            (stall_i),
  .stall_warp_i       (stall_warp_i),
  .stall_scoreboard_i (stall_scoreboard_i),
  .stall_counts_i     (stall_counts_i),
  .result_i           (result_i),
  .result_warp_i      (result_warp_i),
  .result_scoreboard_i(result_scoreboard_i),
  .states             (states_o),
  .scoreboards        (scoreboards),
  .counts             (counts),
  .take               (take)
);
