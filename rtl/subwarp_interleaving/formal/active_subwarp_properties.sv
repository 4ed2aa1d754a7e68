// SPDX-License-Identifier: Apache-2.0
// All ACTIVE entries of a warp belong to one subwarp. Proved for two arbitrary entries of an arbitrary warp, each with the pc of
// its threads. Bound to the block.
module active_subwarp_properties #(
  parameter int unsigned Warps = 8,
  parameter int unsigned Entries = 32,
  parameter int unsigned Wrong = 0,  // 3: a wrong property, which the proof must refute
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned EntryWidth = $clog2(Entries)
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic [Warps*Entries-1:0]   set_i,
  input logic [3*Warps*Entries-1:0] set_state_i,
  input logic [Entries-1:0]         stall_i,
  input logic [WarpWidth-1:0]       stall_warp_i,
  input logic                       offer_valid,
  input logic [WarpWidth-1:0]       offer_warp,
  input logic [EntryWidth-1:0]      offer_leader,
  input logic                       take_i,
  input logic [Entries-1:0]         take_peers_i,
  input logic [3*Warps*Entries-1:0] states
);
  localparam logic [2:0] Active = 3'd1;
  localparam logic [2:0] Ready = 3'd2;
  localparam logic [2:0] Stalled = 3'd4;

  (* anyconst *) logic [WarpWidth-1:0] warp;
  (* anyconst *) logic [EntryWidth-1:0] one, other;
  // One bit models a pc, because only equality matters; running threads may get any next pc.
  (* anyseq *) logic next_pc_one, next_pc_other, leader_pc;
  logic pc_one_q, pc_other_q;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [3*Entries-1:0] states_of_warp, set_states_of_warp;
  logic [Entries-1:0] sets_of_warp;
  logic [2:0] state_one, state_other, set_one, set_other;
  logic sets_one, sets_other, takes, runs_one, runs_other;
  assign states_of_warp = states[3*Entries*warp+:3*Entries];
  assign set_states_of_warp = set_state_i[3*Entries*warp+:3*Entries];
  assign sets_of_warp = set_i[Entries*warp+:Entries];
  assign state_one = {states_of_warp[2*Entries+one], states_of_warp[Entries+one], states_of_warp[one]};
  assign state_other = {states_of_warp[2*Entries+other], states_of_warp[Entries+other], states_of_warp[other]};
  assign set_one = {set_states_of_warp[2*Entries+one], set_states_of_warp[Entries+one], set_states_of_warp[one]};
  assign set_other = {set_states_of_warp[2*Entries+other], set_states_of_warp[Entries+other], set_states_of_warp[other]};
  assign sets_one = sets_of_warp[one];
  assign sets_other = sets_of_warp[other];
  assign takes = take_i & offer_warp == warp;
  // The entry is ACTIVE by divergence handling, regardless of selection.
  assign runs_one = sets_one ? set_one == Active : state_one == Active & !(stall_i[one] & stall_warp_i == warp);
  assign runs_other = sets_other ? set_other == Active : state_other == Active & !(stall_i[other] & stall_warp_i == warp);

  always_ff @(posedge clk_i) begin
    pc_one_q <= next_pc_one;
    pc_other_q <= next_pc_other;
  end

  always_comb begin
    assume (rst_ni == started_q);
    assume (32'(warp) < Warps && 32'(one) < Entries && 32'(other) < Entries);
    // Threads that do not run keep their pc.
    assume (state_one == Active || sets_one || next_pc_one == pc_one_q);
    assume (state_other == Active || sets_other || next_pc_other == pc_other_q);
    // Divergence handling activates at most one subwarp of a warp, and none of a warp that selection switches.
    assume (!set_one[2] && !set_other[2]);
    assume (!runs_one || !runs_other || next_pc_one == next_pc_other);
    assume (!takes || !(sets_one && set_one == Active) && !(sets_other && set_other == Active));
    // Peers are READY, and have the leader's pc.
    assume (!take_i || offer_valid);
    assume (!takes || !take_peers_i[one] || (state_one == Ready && pc_one_q == leader_pc));
    assume (!takes || !take_peers_i[other] || (state_other == Ready && pc_other_q == leader_pc));
  end

  always_comb begin
    if (rst_ni) begin
      one_subwarp_is_active : assert (state_one != Active || state_other != Active || pc_one_q == pc_other_q);
      none_is_active_of_a_warp_that_changes : assert (!offer_valid || offer_warp != warp || state_one != Active);
      leader_is_ready : assert (!offer_valid || offer_warp != warp || offer_leader != one || state_one == Ready);
      has_a_state : assert (state_one <= Stalled && state_other <= Stalled);
      if (Wrong == 3) assert (state_one != Active || state_other == Active || one == other || pc_one_q == pc_other_q);
    end
  end
endmodule

bind subwarp_interleaving active_subwarp_properties #(
  .Warps  (Warps),
  .Entries(Entries)
) i_active_properties (
  .clk_i       (clk_i),
  .rst_ni      (rst_ni),
  .set_i       (set_i),
  .set_state_i (set_state_i),
  .stall_i     (stall_i),
  .stall_warp_i(stall_warp_i),
  .offer_valid (offer_valid_o),
  .offer_warp  (offer_warp_o),
  .offer_leader(offer_leader_o),
  .take_i      (take_i),
  .take_peers_i(take_peers_i),
  .states      (states_o)
);
