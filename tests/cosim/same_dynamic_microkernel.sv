// SPDX-License-Identifier: Apache-2.0
// Two mutants with the same inputs, from spawns and a scheduler that obey the block's contract.
module same #(
  parameter int unsigned Mutant = 0
) (
  input logic        clk_i,
  input logic        spawn_valid_i,
  input logic        spawn_commit_i,
  input logic [3:0]  spawn_pc_i,
  input logic [31:0] spawn_lanes_i,
  input logic        pop_i,
  input logic        force_i,
  input logic [5:0]  release_i
);
  (* anyconst *) logic [3:0] regions;
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [1:0] stall [2];
  logic [255:0] address [2];
  logic completes [2];
  logic full_valid [2];
  logic [3:0] full_pc [2];
  logic [2:0] full_region [2];
  logic partial_valid [2];
  logic [3:0] partial_pc [2];
  logic [2:0] partial_region [2];
  logic [4:0] partial_threads [2];

  for (genvar i = 0; i < 2; i++) begin : gen_block
    dynamic_microkernel_mutants i_block (
      .mutsel           (i == 0 ? 8'd0 : 8'(Mutant)),
      .clk_i            (clk_i),
      .rst_ni           (started_q),
      .regions_i        (regions),
      .spawn_valid_i    (spawn_valid_i & started_q),
      .spawn_commit_i   (spawn_commit_i),
      .spawn_pc_i       (spawn_pc_i),
      .spawn_lanes_i    (spawn_lanes_i),
      .spawn_stall_o    (stall[i]),
      .spawn_address_o  (address[i]),
      .spawn_completes_o(completes[i]),
      .pop_i            (pop_i & started_q),
      .full_valid_o     (full_valid[i]),
      .full_pc_o        (full_pc[i]),
      .full_region_o    (full_region[i]),
      .force_i          (force_i & started_q),
      .partial_valid_o  (partial_valid[i]),
      .partial_pc_o     (partial_pc[i]),
      .partial_region_o (partial_region[i]),
      .partial_threads_o(partial_threads[i]),
      .release_i        (release_i & {6{started_q}})
    );
  end

  // Parts of running warps.
  logic [5:0] out_q;
  always_ff @(posedge clk_i) begin
    if (!started_q) begin
      out_q <= '0;
    end else begin
      out_q <= (out_q & ~release_i) | (6'(pop_i) << full_region[0]) | (6'(force_i) << partial_region[0]);
    end
  end

  logic different;
  always_comb begin
    different = full_valid[0] != full_valid[1] || partial_valid[0] != partial_valid[1];
    if (full_valid[0]) different = different || full_pc[0] != full_pc[1] || full_region[0] != full_region[1];
    if (partial_valid[0]) begin
      different = different || partial_pc[0] != partial_pc[1] || partial_region[0] != partial_region[1] ||
                  partial_threads[0] != partial_threads[1];
    end
    if (spawn_valid_i) begin
      different = different || stall[0] != stall[1];
      if (stall[0] == 2'd0) begin
        different = different || completes[0] != completes[1];
        for (int lane = 0; lane < 32; lane++) begin
          different = different || (spawn_lanes_i[lane] && address[0][lane*8+:8] != address[1][lane*8+:8]);
        end
      end
    end
    assert (!started_q || !different);
    assume (regions >= 4'd1 && regions <= 4'd6);
    assume (spawn_valid_i ? spawn_lanes_i != '0 : !spawn_commit_i);
    assume (!started_q || !(spawn_valid_i && spawn_commit_i) || (stall[0] == 2'd0 && !force_i));
    assume (!started_q || ((!pop_i || full_valid[0]) && (!force_i || partial_valid[0]) && !(pop_i && force_i)));
    assume (!started_q || (release_i & ~out_q) == '0);
  end
endmodule
