// SPDX-License-Identifier: Apache-2.0
// Two mutants with the same inputs, from divergence handling and scoreboards that obey the block's contract.
module same #(
  parameter int unsigned Mutant = 0
) (
  input logic        clk_i,
  input logic [11:0] set_i,
  input logic [35:0] set_state_i,
  input logic [3:0]  stall_i,
  input logic [1:0]  stall_warp_i,
  input logic        stall_scoreboard_i,
  input logic [7:0]  result_i,
  input logic [3:0]  result_warp_i,
  input logic [1:0]  result_scoreboard_i,
  input logic [2:0]  waits_i,
  input logic        take_i,
  input logic [3:0]  take_peers_i,
  // Operations of a warp that a scoreboard counts.
  input logic [3:0]  issue_i,
  input logic [1:0]  issue_warp_i,
  input logic        issue_scoreboard_i
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  (* anyconst *) logic [1:0] trigger;

  // --- Counters of each entry and scoreboard: at the start of the cycle, after issue, and after the cycle's results.
  logic [1:0] counter_q [24];
  logic [1:0] issued [24];
  logic [1:0] left [24];
  logic counts_well;
  logic [7:0] stall_counts;
  always_comb begin
    counts_well = 1'b1;
    stall_counts = '0;
    for (int warp = 0; warp < 3; warp++) begin
      for (int entry = 0; entry < 4; entry++) begin
        for (int board = 0; board < 2; board++) begin
          issued[8*warp+2*entry+board] = counter_q[8*warp+2*entry+board];
          left[8*warp+2*entry+board] = counter_q[8*warp+2*entry+board];
          if (issue_i[entry] && 32'(issue_warp_i) == warp && 32'(issue_scoreboard_i) == board) begin
            counts_well = counts_well && issued[8*warp+2*entry+board] != 2'd3;
            issued[8*warp+2*entry+board] = issued[8*warp+2*entry+board] + 2'd1;
          end
          for (int number = 0; number < 2; number++) begin
            if (result_i[4*number+entry] && 32'(result_warp_i[2*number+:2]) == warp && 32'(result_scoreboard_i[number]) == board) begin
              counts_well = counts_well && left[8*warp+2*entry+board] != 2'd0;
              left[8*warp+2*entry+board] = left[8*warp+2*entry+board] - 2'd1;
            end
          end
          if (32'(stall_warp_i) == warp && 32'(stall_scoreboard_i) == board) begin
            stall_counts[2*entry+:2] = issued[8*warp+2*entry+board];
          end
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 24; i++) begin
      counter_q[i] <= started_q ? left[i] + (issued[i] - counter_q[i]) : 2'd0;
    end
  end

  logic offer_valid [2];
  logic [1:0] offer_warp [2];
  logic [1:0] offer_leader [2];
  logic [35:0] states [2];
  for (genvar i = 0; i < 2; i++) begin : gen_block
    subwarp_interleaving_mutants i_block (
      .mutsel             (i == 0 ? 8'd0 : 8'(Mutant)),
      .clk_i              (clk_i),
      .rst_ni             (started_q),
      .trigger_i          (trigger),
      .set_i              (set_i & {12{started_q}}),
      .set_state_i        (set_state_i),
      .stall_i            (stall_i & {4{started_q}}),
      .stall_warp_i       (stall_warp_i),
      .stall_scoreboard_i (stall_scoreboard_i),
      .stall_counts_i     (stall_counts),
      .result_i           (result_i & {8{started_q}}),
      .result_warp_i      (result_warp_i),
      .result_scoreboard_i(result_scoreboard_i),
      .waits_i            (waits_i),
      .offer_valid_o      (offer_valid[i]),
      .offer_warp_o       (offer_warp[i]),
      .offer_leader_o     (offer_leader[i]),
      .take_i             (take_i & started_q),
      .take_peers_i       (take_peers_i),
      .states_o           (states[i])
    );
  end

  // --- For each warp, the lowest bit of its entries' states, then the next bit.
  logic [3:0] active [3];
  logic [3:0] ready [3];
  logic well;
  always_comb begin
    well = trigger != 2'd3 && counts_well;
    for (int warp = 0; warp < 3; warp++) begin
      active[warp] = states[0][12*warp+:4] & ~states[0][12*warp+4+:4] & ~states[0][12*warp+8+:4];
      ready[warp] = ~states[0][12*warp+:4] & states[0][12*warp+4+:4] & ~states[0][12*warp+8+:4];
      well = well && (set_i[4*warp+:4] & set_state_i[12*warp+8+:4]) == '0;
      if (32'(issue_warp_i) == warp) well = well && (issue_i & ~active[warp]) == '0;
      // An entry that stalls gets no other command.
      if (32'(stall_warp_i) == warp) well = well && (stall_i & set_i[4*warp+:4]) == '0;
      if (take_i && 32'(offer_warp[0]) == warp) begin
        well = well && offer_valid[0] && take_peers_i[offer_leader[0]] && (take_peers_i & ~ready[warp]) == '0;
      end
    end
    well = well && stall_warp_i != 2'd3 && issue_warp_i != 2'd3 && result_warp_i[1:0] != 2'd3 && result_warp_i[3:2] != 2'd3;
    assume (!started_q || well);
    assert (!started_q || (states[0] == states[1] && offer_valid[0] == offer_valid[1] &&
            (!offer_valid[0] || (offer_warp[0] == offer_warp[1] && offer_leader[0] == offer_leader[1]))));
  end
endmodule
