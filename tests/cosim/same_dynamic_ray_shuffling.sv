// SPDX-License-Identifier: Apache-2.0
// Two mutants with the same inputs, from warps and a register file that obey the block's contract.
// Internal signals that scripts/mutants makes ports of the block:
// expose w:i_control.given_q w:update w:update_lanes
// cut w:update_high w:update_low
module same #(
  parameter int unsigned Mutant = 0
) (
  input  logic         clk_i,
  input  logic         control_valid_i,
  input  logic [1:0]   control_warp_i,
  input  logic         report_valid_i,
  input  logic [1:0]   report_warp_i,
  input  logic [7:0]   report_lanes_i,
  input  logic [7:0]   report_high_i,
  input  logic [7:0]   report_low_i,
  input  logic         read_grant_i,
  input  logic         write_grant_i,
  input  logic [255:0] read_words_i
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic control_ready [2];
  logic report_ready [2];
  logic answer_valid [2];
  logic [1:0] answer [2];
  logic [2:0] row [2];
  logic [7:0] high [2];
  logic [7:0] low [2];
  logic read_valid [2];
  logic write_valid [2];
  logic [2:0] read_row [2];
  logic [2:0] write_row [2];
  logic [4:0] read_register [2];
  logic [4:0] write_register [2];
  logic [7:0] read_lanes [2];
  logic [7:0] write_lanes [2];
  logic [255:0] write_words [2];
  logic idle [2];
  logic has_answer [2];
  logic [7:0] given [2];
  logic update [2];
  logic [7:0] update_lanes [2];
  logic [7:0] update_high [2];
  logic [7:0] update_low [2];
  logic control_valid, report_valid, read_grant, write_grant;

  // Warps that got a row and have not executed rdctrl since, and the lanes with rays that each has.
  logic [3:0] runs_q;
  logic [7:0] rays_q [4];
  logic [1:0] asked_q;
  logic [7:0] lanes;

  // Both get only what the contract allows. As gates, abc finds equal signals faster than with assumptions.
  assign control_valid = control_valid_i & started_q & control_ready[0];
  assign report_valid = report_valid_i & started_q & report_ready[0] & runs_q[report_warp_i] &
                        ~(control_valid & (report_warp_i == control_warp_i));
  assign lanes = report_lanes_i & rays_q[report_warp_i];
  assign read_grant = read_grant_i & started_q & read_valid[0];
  assign write_grant = write_grant_i & started_q & write_valid[0];

  for (genvar i = 0; i < 2; i++) begin : gen_block
    dynamic_ray_shuffling_mutants i_block (
      .mutsel          (i == 0 ? 8'd0 : 8'(Mutant)),
      .clk_i           (clk_i),
      .rst_ni          (started_q),
      .control_valid_i (control_valid),
      .control_ready_o (control_ready[i]),
      .control_warp_i  (control_warp_i),
      .answer_valid_o  (answer_valid[i]),
      .answer_o        (answer[i]),
      .answer_row_o    (row[i]),
      .answer_high_o   (high[i]),
      .answer_low_o    (low[i]),
      .report_valid_i  (report_valid),
      .report_ready_o  (report_ready[i]),
      .report_warp_i   (report_warp_i),
      .report_lanes_i  (lanes),
      .report_high_i   (report_high_i),
      .report_low_i    (report_low_i),
      .read_valid_o    (read_valid[i]),
      .read_row_o      (read_row[i]),
      .read_register_o (read_register[i]),
      .read_lanes_o    (read_lanes[i]),
      .read_grant_i    (read_grant),
      .read_words_i    (read_words_i),
      .write_valid_o   (write_valid[i]),
      .write_row_o     (write_row[i]),
      .write_register_o(write_register[i]),
      .write_lanes_o   (write_lanes[i]),
      .write_words_o   (write_words[i]),
      .write_grant_i   (write_grant),
      .idle_o          (idle[i]),
      .has_answer_o    (has_answer[i]),
      .update          (update[i]),
      .update_lanes    (update_lanes[i]),
      .update_high     (update_high[i]),
      .update_low      (update_low[i]),
      .\update_high.i (update_high[0]),
      .\update_low.i (update_low[0]),
      .\i_control.given_q (given[i])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!started_q) begin
      runs_q <= '0;
    end else begin
      if (control_valid) begin
        asked_q <= control_warp_i;
        runs_q[control_warp_i] <= 1'b0;
      end
      if (answer_valid[0] && answer[0] == 2'd1) begin
        runs_q[asked_q] <= 1'b1;
        rays_q[asked_q] <= high[0] | low[0];
      end
      if (report_valid) rays_q[report_warp_i] <= rays_q[report_warp_i] & (~lanes | report_high_i | report_low_i);
    end
  end

  logic different;
  always_comb begin
    different = control_ready[0] != control_ready[1] || report_ready[0] != report_ready[1] ||
                answer_valid[0] != answer_valid[1] || answer[0] != answer[1] || row[0] != row[1] || high[0] != high[1] ||
                low[0] != low[1] || idle[0] != idle[1] || has_answer[0] != has_answer[1] ||
                read_valid[0] != read_valid[1] || write_valid[0] != write_valid[1];
    if (read_valid[0]) begin
      different = different || read_row[0] != read_row[1] || read_register[0] != read_register[1] ||
                  read_lanes[0] != read_lanes[1];
    end
    if (write_valid[0]) begin
      different = different || write_row[0] != write_row[1] || write_register[0] != write_register[1] ||
                  write_lanes[0] != write_lanes[1];
      for (int lane = 0; lane < 8; lane++) begin
        different = different ||
                    (write_lanes[0][lane] && write_words[0][lane*32+:32] != write_words[1][lane*32+:32]);
      end
    end
    // Both tables get the update of the first block, so the lanes that it writes have to be equal.
    different = different || update[0] != update[1] || (update[0] && update_lanes[0] != update_lanes[1]);
    if (update[0]) begin
      different = different || ((update_high[0] ^ update_high[1]) & update_lanes[0]) != '0 ||
                  ((update_low[0] ^ update_low[1]) & update_lanes[0]) != '0;
    end
    assert (!started_q || !different);
    // A swap never moves all rays of a row: `fits_a_buffer` in rtl/dynamic_ray_shuffling/formal/choices_properties.sv.
    assume (given[0] != '1);
  end
endmodule
