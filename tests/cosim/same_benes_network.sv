// SPDX-License-Identifier: Apache-2.0
// Two mutants with the same inputs, from a user that obeys the block's contract.
module same #(
  parameter int unsigned Mutant = 0
) (
  input logic        clk_i,
  input logic        valid_i,
  input logic [1:0]  mode_i,
  input logic [7:0]  active_i,
  input logic [7:0]  taken_i,
  input logic [2:0]  first_i,
  input logic [2:0]  second_i,
  input logic [19:0] cross_i,
  input logic [15:0] data_i
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic ready [2];
  logic [2:0] next_first [2];
  logic [2:0] next_second [2];
  logic [7:0] reads [2];
  logic [7:0] read_bank [2];
  logic [7:0] valid [2];
  logic [7:0] bank [2];
  logic [15:0] data [2];

  for (genvar i = 0; i < 2; i++) begin : gen_block
    benes_network_mutants i_block (
      .mutsel       (i == 0 ? 8'd0 : 8'(Mutant)),
      .clk_i        (clk_i),
      .rst_ni       (started_q),
      .valid_i      (valid_i & started_q),
      .ready_o      (ready[i]),
      .mode_i       (mode_i),
      .active_i     (active_i),
      .taken_i      (taken_i),
      .first_i      (first_i),
      .second_i     (second_i),
      .cross_i      (cross_i),
      .data_i       (data_i),
      .next_first_o (next_first[i]),
      .next_second_o(next_second[i]),
      .read_o       (reads[i]),
      .read_bank_o  (read_bank[i]),
      .valid_o      (valid[i]),
      .bank_o       (bank[i]),
      .data_o       (data[i])
    );
  end

  // A request that is not ready is held.
  logic holds_q;
  logic [24:0] request, request_q;
  assign request = {valid_i, mode_i, active_i, taken_i, first_i, second_i};
  always_ff @(posedge clk_i) begin
    holds_q <= started_q & ~ready[0];
    request_q <= request;
  end

  logic different;
  always_comb begin
    different = ready[0] != ready[1] || reads[0] != reads[1] || valid[0] != valid[1] ||
                ((read_bank[0] ^ read_bank[1]) & reads[0]) != '0 || ((bank[0] ^ bank[1]) & valid[0]) != '0;
    for (int port = 0; port < 8; port++) begin
      different = different || (valid[0][port] && data[0][port*2+:2] != data[1][port*2+:2]);
    end
    if (valid_i && mode_i != 2'd3) begin
      different = different || next_first[0] != next_first[1] || next_second[0] != next_second[1];
    end
    assert (!started_q || !different);
    assume (!started_q || !holds_q || request == request_q);
  end
endmodule
