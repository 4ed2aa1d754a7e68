// SPDX-License-Identifier: Apache-2.0
// The properties in `formal/` as concurrent assertions for simulation. Bound to the block.
//
// The assertions count the results that entries wait for independently, and follow every turn.
module subwarp_interleaving_assertions #(
  parameter int unsigned Warps = 8,
  parameter int unsigned Entries = 32,
  parameter int unsigned ScoreboardBits = 3,
  parameter int unsigned CountBits = 6,
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned EntryWidth = $clog2(Entries)
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic [1:0]                   trigger_i,
  input logic [Warps*Entries-1:0]     set_i,
  input logic [3*Warps*Entries-1:0]   set_state_i,
  input logic [Entries-1:0]           stall_i,
  input logic [WarpWidth-1:0]         stall_warp_i,
  input logic [ScoreboardBits-1:0]    stall_scoreboard_i,
  input logic [Entries*CountBits-1:0] stall_counts_i,
  input logic [2*Entries-1:0]         result_i,
  input logic [2*WarpWidth-1:0]       result_warp_i,
  input logic [2*ScoreboardBits-1:0]  result_scoreboard_i,
  input logic                         offer_valid,
  input logic [WarpWidth-1:0]         offer_warp,
  input logic                         take_i,
  input logic [Entries-1:0]           take_peers_i,
  input logic [3*Warps*Entries-1:0]   states,
  // Internal signals of the block.
  input logic [Warps*Entries-1:0]     take,
  input logic [Warps-1:0]             waits,
  input logic [Warps*EntryWidth-1:0]  nexts
);
  logic running_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) running_q <= 1'b0;
    else running_q <= 1'b1;
  end

  // --- An entry is STALLED while it waits for results. The counts of all entries are kept here as bit slices.
  localparam int unsigned All = Warps * Entries;
  logic [All-1:0] stalled_entries, stall_at, borrow;
  logic [2*All-1:0] result_at;
  logic [CountBits*All-1:0] left_q, left;
  logic [ScoreboardBits*All-1:0] scoreboard_q, scoreboard;
  logic [All-1:0] missing, told;
  for (genvar warp = 0; warp < Warps; warp++) begin : gen_stalled
    assign stalled_entries[warp*Entries+:Entries] = states[(3*warp+2)*Entries+:Entries];
  end
  assign stall_at = All'(stall_i) << (int'(stall_warp_i) * Entries);
  for (genvar number = 0; number < 2; number++) begin : gen_result
    assign result_at[number*All+:All] =
        All'(result_i[number*Entries+:Entries]) << (int'(result_warp_i[number*WarpWidth+:WarpWidth]) * Entries);
  end
  assign told = set_i | take;
  always_comb begin
    missing = '0;
    for (int i = 0; i < CountBits; i++) begin
      missing = missing | left_q[i*All+:All];
      left[i*All+:All] = left_q[i*All+:All] & ~(told | stall_at);
      for (int entry = 0; entry < Entries; entry++) begin
        left[i*All+:All] = left[i*All+:All] | (stall_at & {Warps{Entries'(stall_counts_i[entry*CountBits+i]) << entry}});
      end
    end
    for (int i = 0; i < ScoreboardBits; i++) begin
      scoreboard[i*All+:All] = (scoreboard_q[i*All+:All] & ~stall_at) | (stall_at & {All{stall_scoreboard_i[i]}});
    end
    for (int number = 0; number < 2; number++) begin
      borrow = result_at[number*All+:All] & (stall_at | (stalled_entries & ~told));
      for (int i = 0; i < ScoreboardBits; i++) begin
        borrow = borrow & ~(scoreboard[i*All+:All] ^ {All{result_scoreboard_i[number*ScoreboardBits+i]}});
      end
      for (int i = 0; i < CountBits; i++) begin
        left[i*All+:All] = left[i*All+:All] ^ borrow;
        borrow = borrow & left[i*All+:All];
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
    end else begin
      left_q <= left;
      scoreboard_q <= scoreboard;
    end
  end
  // An entry is STALLED while it waits for results.
  stalled_for_its_results : assert property (@(posedge clk_i) disable iff (!running_q) stalled_entries == missing);

  // --- An entry takes the state that divergence handling sets.
  logic [Warps*Entries-1:0] told_q;
  logic [3*Warps*Entries-1:0] told_state_q;
  logic forgotten;
  always_ff @(posedge clk_i) begin
    told_q <= set_i;
    told_state_q <= set_state_i;
  end
  always_comb begin
    forgotten = 1'b0;
    for (int warp = 0; warp < Warps; warp++) begin
      for (int bit_of = 0; bit_of < 3; bit_of++) begin
        forgotten = forgotten | |(told_q[warp*Entries+:Entries] & (told_state_q[(3*warp+bit_of)*Entries+:Entries] ^
                                                                    states[(3*warp+bit_of)*Entries+:Entries]));
      end
    end
  end
  told_state_holds : assert property (@(posedge clk_i) disable iff (!running_q) !forgotten);

  // --- Warps, and the one that switches.
  logic [Warps-1:0] live, active, ready, stalled, several, taken;
  for (genvar warp = 0; warp < Warps; warp++) begin : gen_warp
    logic [Entries-1:0] low, middle, high, runs;
    assign {high, middle, low} = states[3*warp*Entries+:3*Entries];
    assign runs = low & ~middle & ~high;
    assign live[warp] = |(low | middle | high);
    assign active[warp] = |runs;
    assign ready[warp] = |(middle & ~low & ~high);
    // With fewer entries than threads, an entry is a subwarp.
    assign several[warp] = Entries < 32 && (runs & (runs - 1'b1)) != '0;
    assign taken[warp] = |take[warp*Entries+:Entries];
  end
  assign stalled = live & (~active | waits);
  // At most one subwarp of a warp is ACTIVE.
  one_subwarp_is_active :
  assert property (@(posedge clk_i) disable iff (!running_q) several == '0 && (taken & active) == '0);

  logic [Warps-1:0] could, lower;
  logic triggers;
  assign could = ready & ~active;
  assign lower = could & ((Warps'(1) << offer_warp) - Warps'(1));
  always_comb begin
    triggers = stalled != '0;
    if (trigger_i == 2'd1) triggers = 2 * $countones(stalled) >= $countones(live);
    if (trigger_i == 2'd2) triggers = stalled == live;
  end
  // The lowest-numbered warp that can switch is offered.
  lowest_warp_changes :
  assert property (@(posedge clk_i) disable iff (!running_q) offer_valid |-> could[offer_warp] && lower == '0);
  // There is an offer exactly if a warp can switch and the trigger holds.
  as_the_trigger_says :
  assert property (@(posedge clk_i) disable iff (!running_q) offer_valid == (could != '0 && triggers));

  // --- A switch of the warp brings each READY entry that is not taken nearer to its turn.
  logic [Warps*EntryWidth-1:0] nexts_q;
  logic [Entries-1:0] passed_q;
  logic [WarpWidth-1:0] warp_q;
  logic passed_by;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      passed_q <= '0;
    end else begin
      passed_q <= '0;
      if (take_i) begin
        passed_q <= states[(3*int'(offer_warp)+1)*Entries+:Entries] & ~states[3*int'(offer_warp)*Entries+:Entries] &
                    ~take_peers_i;
      end
      warp_q <= offer_warp;
      nexts_q <= nexts;
    end
  end
  function automatic int distance(input int entry, input logic [EntryWidth-1:0] next);
    distance = (entry + Entries - int'(next)) % Entries;
  endfunction
  always_comb begin
    passed_by = 1'b0;
    for (int entry = 0; entry < Entries; entry++) begin
      if (passed_q[entry] && distance(entry, nexts[int'(warp_q)*EntryWidth+:EntryWidth]) >=
          distance(entry, nexts_q[int'(warp_q)*EntryWidth+:EntryWidth])) begin
        passed_by = 1'b1;
      end
    end
  end
  // A switch of a warp brings each READY entry that is not taken nearer to its turn.
  ready_entries_get_a_turn : assert property (@(posedge clk_i) disable iff (!running_q) !passed_by);
endmodule

bind subwarp_interleaving subwarp_interleaving_assertions #(
  .Warps         (Warps),
  .Entries       (Entries),
  .ScoreboardBits(ScoreboardBits),
  .CountBits     (CountBits)
) i_assertions (
  .clk_i              (clk_i),
  .rst_ni             (rst_ni),
  .trigger_i          (trigger_i),
  .set_i              (set_i),
  .set_state_i        (set_state_i),
  .stall_i            (stall_i),
  .stall_warp_i       (stall_warp_i),
  .stall_scoreboard_i (stall_scoreboard_i),
  .stall_counts_i     (stall_counts_i),
  .result_i           (result_i),
  .result_warp_i      (result_warp_i),
  .result_scoreboard_i(result_scoreboard_i),
  .offer_valid        (offer_valid_o),
  .offer_warp         (offer_warp_o),
  .take_i             (take_i),
  .take_peers_i       (take_peers_i),
  .states             (states_o),
  .take               (take),
  .waits              (waits),
  .nexts              (next)
);
