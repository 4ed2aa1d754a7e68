// SPDX-License-Identifier: Apache-2.0
// Subwarp selection (SI section III-C.3): if the trigger holds, the lowest-numbered warp with a READY entry and without an ACTIVE
// one switches to a READY subwarp. READY entries of a warp take turns. The offer depends only on registers.
module subwarp_selection #(
  parameter int unsigned Warps = 8,     // of the sub-core
  parameter int unsigned Entries = 32,  // of the table of a warp
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned EntryWidth = $clog2(Entries)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
`ifdef RECONVERGE_STATE_PORTS
  // The whole state, for properties.
  output logic [Warps-1:0]            waits_o,
  output logic [Warps*EntryWidth-1:0] next_o,
`endif
  input  logic [1:0]                  trigger_i,      // 0: a warp is stalled, 1: half of the live warps, 2: all of them
  input  logic [Warps-1:0]            waits_i,        // its ACTIVE subwarp cannot issue; used in the next cycle
  input  logic [3*Warps*Entries-1:0]  states_i,       // for each warp, the states of its table
  output logic                        offer_valid_o,  // a warp can switch
  output logic [WarpWidth-1:0]        offer_warp_o,   // the warp
  output logic [EntryWidth-1:0]       offer_leader_o,  // an entry of the subwarp to switch to
  input  logic                        take_i,         // only if offer_valid_o
  input  logic [Entries-1:0]          take_peers_i,   // READY entries of the warp, including the leader
  output logic [Warps*Entries-1:0]    take_o          // entries that become ACTIVE
);
  localparam int unsigned CountWidth = $clog2(Warps + 1);

  logic [Warps-1:0] waits_q;
  logic [EntryWidth-1:0] next_q [Warps];  // the entry with the next turn in its warp

  logic [Warps*Entries-1:0] ready;
  logic [Warps-1:0] live, active, some_ready, stalled, runs, candidate;
  for (genvar warp = 0; warp < Warps; warp++) begin : gen_warp
    logic [Entries-1:0] low, middle, high;
    assign {high, middle, low} = states_i[3*warp*Entries+:3*Entries];
    assign ready[warp*Entries+:Entries] = ~high & middle & ~low;
    assign live[warp] = |(high | middle | low);
    assign active[warp] = |(~high & ~middle & low);
    assign some_ready[warp] = |ready[warp*Entries+:Entries];
`ifdef RECONVERGE_STATE_PORTS
    assign next_o[warp*EntryWidth+:EntryWidth] = next_q[warp];
`endif
  end
`ifdef RECONVERGE_STATE_PORTS
  assign waits_o = waits_q;
`endif
  assign stalled = live & (~active | waits_q);
  assign runs = live & active & ~waits_q;
  assign candidate = some_ready & ~active;

  // Half of the live warps are stalled if at least as many are stalled as run.
  logic [CountWidth-1:0] stalled_count, runs_count;
  logic triggered;
  always_comb begin
    stalled_count = '0;
    runs_count = '0;
    for (int warp = 0; warp < Warps; warp++) begin
      stalled_count = stalled_count + CountWidth'(stalled[warp]);
      runs_count = runs_count + CountWidth'(runs[warp]);
    end
    triggered = trigger_i == 2'd0;
    if (trigger_i == 2'd1) triggered = stalled_count >= runs_count;
    if (trigger_i == 2'd2) triggered = runs == '0;
  end

  logic some_candidate;
  lowest #(.Width(Warps)) i_warp (.set_i(candidate), .valid_o(some_candidate), .index_o(offer_warp_o));
  assign offer_valid_o = some_candidate & triggered;

  // The READY entries of the offered warp, and the entry with its next turn.
  logic [Entries-1:0] of_warp, behind_next;
  logic [EntryWidth-1:0] next;
  always_comb begin
    of_warp = '0;
    next = '0;
    for (int warp = 0; warp < Warps; warp++) begin
      if (offer_warp_o == WarpWidth'(warp)) begin
        of_warp = of_warp | ready[warp*Entries+:Entries];
        next = next | next_q[warp];
      end
    end
  end
  assign behind_next = '1 << next;
  first_from #(.Entries(Entries)) i_leader (.set_i(of_warp), .behind_i(behind_next), .index_o(offer_leader_o));

  // The next turn goes to the first entry after the leader that is not one of its peers.
  logic [Entries-1:0] behind_leader;
  logic [EntryWidth-1:0] turn;
  assign behind_leader = '1 << offer_leader_o;
  first_from #(.Entries(Entries)) i_turn (.set_i(~take_peers_i), .behind_i(behind_leader), .index_o(turn));

  for (genvar warp = 0; warp < Warps; warp++) begin : gen_take
    assign take_o[warp*Entries+:Entries] = take_peers_i & {Entries{take_i & offer_warp_o == WarpWidth'(warp)}};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q <= '0;
      for (int warp = 0; warp < Warps; warp++) next_q[warp] <= '0;
    end else begin
      waits_q <= waits_i;
      for (int warp = 0; warp < Warps; warp++) begin
        if (take_i && offer_warp_o == WarpWidth'(warp)) next_q[warp] <= turn;
      end
    end
  end
endmodule
