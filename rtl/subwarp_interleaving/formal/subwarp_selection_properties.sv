// SPDX-License-Identifier: Apache-2.0
// Properties of selection for all states of entries. Proved for an arbitrary entry of an arbitrary warp. Bound to selection.
module subwarp_selection_properties #(
  parameter int unsigned Warps = 8,
  parameter int unsigned Entries = 32,
  parameter int unsigned Wrong = 0,  // 4, 5: a wrong property, which the proof must refute
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned EntryWidth = $clog2(Entries)
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic [1:0]                  trigger_i,
  input logic [3*Warps*Entries-1:0]  states_i,
  input logic                        offer_valid,
  input logic [WarpWidth-1:0]        offer_warp,
  input logic [EntryWidth-1:0]       offer_leader,
  input logic                        take_i,
  input logic [Entries-1:0]          take_peers_i,
  input logic [Warps*Entries-1:0]    takes,
  input logic [Warps-1:0]            waits,
  input logic [Warps*EntryWidth-1:0] nexts
);
  (* anyconst *) logic [WarpWidth-1:0] warp;
  (* anyconst *) logic [EntryWidth-1:0] entry;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // --- Warps, by the states of their entries.
  logic [Warps-1:0] live, active, ready, stalled;
  for (genvar i = 0; i < Warps; i++) begin : gen_warp
    logic [Entries-1:0] low, middle, high;
    assign {high, middle, low} = states_i[3*i*Entries+:3*Entries];
    assign live[i] = (high | middle | low) != '0;
    assign active[i] = (low & ~middle & ~high) != '0;
    assign ready[i] = (middle & ~low & ~high) != '0;
  end
  assign stalled = live & (~active | waits);
  logic [31:0] stalled_warps, live_warps;
  logic triggers;
  always_comb begin
    stalled_warps = '0;
    live_warps = '0;
    for (int i = 0; i < Warps; i++) begin
      stalled_warps = stalled_warps + 32'(stalled[i]);
      live_warps = live_warps + 32'(live[i]);
    end
    triggers = trigger_i == 2'd0 ? stalled_warps != '0 : trigger_i == 2'd1 ? 2 * stalled_warps >= live_warps
                                                                          : stalled_warps == live_warps;
  end

  // --- The entry and its turn: its distance from the pointer of its warp, and the switches that passed it over.
  logic [3*Entries-1:0] states_of_warp;
  logic [EntryWidth-1:0] next;
  logic is_ready, passed, peer;
  logic [EntryWidth:0] before_q, distance;
  assign states_of_warp = states_i[3*Entries*warp+:3*Entries];
  assign is_ready = {states_of_warp[2*Entries+entry], states_of_warp[Entries+entry], states_of_warp[entry]} == 3'd2;
  assign next = nexts[EntryWidth*warp+:EntryWidth];
  assign distance = entry >= next ? (EntryWidth + 1)'(entry) - (EntryWidth + 1)'(next)
                                  : (EntryWidth + 1)'(entry) + (EntryWidth + 1)'(Entries) - (EntryWidth + 1)'(next);
  assign peer = take_peers_i[entry];
  assign passed = take_i & offer_warp == warp & is_ready & !peer;
  // The count restarts when the entry has its turn or is not READY.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) before_q <= '0;
    else if (passed) before_q <= before_q + 1'b1;
    else if (!is_ready || (take_i && offer_warp == warp)) before_q <= '0;
  end

  always_comb begin
    assume (rst_ni == started_q);
    assume (32'(warp) < Warps && 32'(entry) < Entries);
    assume (trigger_i != 2'd3);
    assume (!take_i || (offer_valid && take_peers_i[offer_leader]));
  end

  always_comb begin
    if (rst_ni) begin
      as_the_trigger_says : assert (offer_valid == (triggers && (ready & ~active) != '0));
      changes_from_no_active_subwarp : assert (!offer_valid || offer_warp != warp || (!active[warp] && ready[warp]));
      lowest_warp : assert (!offer_valid || !ready[warp] || active[warp] || offer_warp <= warp);
      leader_is_ready : assert (!offer_valid || offer_warp != warp || offer_leader != entry || is_ready);
      takes_peers_alone :
      assert (takes[Entries*warp+32'(entry)] == (take_i && offer_warp == warp && take_peers_i[entry]));
      a_place_of_the_table : assert (32'(next) < Entries);
      leader_when_it_is_its_turn :
      assert (!offer_valid || offer_warp != warp || !is_ready || distance != '0 || offer_leader == entry);
      passed_by_fewer_than_there_are_entries : assert (!is_ready || 32'(before_q) + 32'(distance) < Entries);
      if (Wrong == 4) assert (!offer_valid || offer_leader == nexts[EntryWidth*offer_warp+:EntryWidth]);
      if (Wrong == 5) assert (before_q == '0);
    end
  end
endmodule

bind subwarp_selection subwarp_selection_properties #(
  .Warps  (Warps),
  .Entries(Entries)
) i_properties (
  .clk_i       (clk_i),
  .rst_ni      (rst_ni),
  .trigger_i   (trigger_i),
  .states_i    (states_i),
  .offer_valid (offer_valid_o),
  .offer_warp  (offer_warp_o),
  .offer_leader(offer_leader_o),
  .take_i      (take_i),
  .take_peers_i(take_peers_i),
  .takes       (take_o),
  .waits       (waits_o),
  .nexts       (next_o)
);
