// SPDX-License-Identifier: Apache-2.0
// Properties of the block as concurrent assertions for simulation. Bound to the block.
//
// A simulation cannot follow one arbitrary ray, so the assertions count the lanes of a swap and sum its words.
module dynamic_ray_shuffling_assertions #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  parameter int unsigned RayRegisters = 17,
  parameter int unsigned WordWidth = 32,
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic                       answer_valid,
  input logic [1:0]                 answer,
  input logic [Lanes-1:0]           answer_high,
  input logic [Lanes-1:0]           answer_low,
  input logic                       read_valid,
  input logic [Lanes-1:0]           read_lanes,
  input logic                       read_grant_i,
  input logic [Lanes*WordWidth-1:0] read_words_i,
  input logic                       write_valid,
  input logic [Lanes-1:0]           write_lanes,
  input logic [Lanes*WordWidth-1:0] write_words,
  input logic                       write_grant_i,
  // Internal signals of the block.
  input logic [Rows-1:0]            bound,
  input logic [Rows-1:0]            swapping,
  input logic                       control_accept,
  input logic                       starts,       // the tables get their first contents
  input logic                       table_read,
  input logic [RowWidth-1:0]        table_row,
  input logic                       table_write,
  input logic [RowWidth-1:0]        write_row,
  input logic                       swap_valid,
  input logic                       swap_ready,
  input logic [Lanes-1:0]           swap_source_lanes,
  input logic [Lanes-1:0]           swap_destination_lanes,
  input logic                       swap_both_ways,
  input logic                       busy,
  input logic                       ends
);
  logic running_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) running_q <= 1'b0;
    else running_q <= 1'b1;
  end

  // --- A row that a warp has does not swap.
  bound_rows_stay : assert property (@(posedge clk_i) disable iff (!running_q) (bound & swapping) == '0);

  // --- A row is given in one state.
  logic fetch, inner, leaf;
  assign fetch = |(~answer_high & answer_low);
  assign inner = |(answer_high & ~answer_low);
  assign leaf = |(answer_high & answer_low);
  row_of_one_state :
  assert property (@(posedge clk_i) disable iff (!running_q) answer_valid && answer == 2'd1 |-> $onehot({fetch, inner, leaf}));

  // --- There is one answer to each rdctrl.
  logic asked_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) asked_q <= 1'b0;
    else asked_q <= control_accept | (asked_q & ~answer_valid);
  end
  one_answer :
  assert property (@(posedge clk_i) disable iff (!running_q) (!answer_valid || asked_q) && (!control_accept || !asked_q));

  // --- A write of the table follows a read of its row.
  logic read_q;
  logic [RowWidth-1:0] read_row_q;
  always_ff @(posedge clk_i) begin
    read_q <= table_read;
    read_row_q <= table_row;
  end
  write_follows_read :
  assert property (@(posedge clk_i) disable iff (!running_q) table_write && !starts |-> read_q && read_row_q == write_row);

  // --- No ray is lost or copied: a swap takes the same number of lanes of both rows.
  as_many_lanes :
  assert property (@(posedge clk_i) disable iff (!running_q)
                   swap_valid |-> $countones(swap_source_lanes) == $countones(swap_destination_lanes) && swap_source_lanes != '0);

  // --- A ray keeps its words: a swap writes the words that it read.
  logic [WordWidth-1:0] sum_q, read_sum, write_sum;
  always_comb begin
    read_sum = '0;
    write_sum = '0;
    for (int lane = 0; lane < Lanes; lane++) begin
      if (read_grant_i && read_lanes[lane]) read_sum = read_sum + read_words_i[lane*WordWidth+:WordWidth];
      if (write_grant_i && write_lanes[lane]) write_sum = write_sum + write_words[lane*WordWidth+:WordWidth];
    end
  end

  // --- A swap requests accesses until it has made the expected number, and only then ends.
  localparam int unsigned GrantsWidth = $clog2(4 * RayRegisters + 1);
  logic [GrantsWidth-1:0] grants_q, expected_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_q <= '0;
      grants_q <= '0;
      expected_q <= '0;
    end else if (swap_valid && swap_ready) begin
      sum_q <= '0;
      grants_q <= '0;
      expected_q <= GrantsWidth'((swap_both_ways ? 4 : 2) * RayRegisters);
    end else begin
      sum_q <= sum_q + read_sum - write_sum;
      grants_q <= grants_q + GrantsWidth'(read_grant_i) + GrantsWidth'(write_grant_i);
    end
  end
  // A swap writes the words that it has read, and no others.
  words_stay : assert property (@(posedge clk_i) disable iff (!running_q) ends && grants_q == expected_q |-> sum_q == '0);
  // A swap requests accesses until it has made the expected number.
  wants_until_it_is_done :
  assert property (@(posedge clk_i) disable iff (!running_q) busy |-> (read_valid || write_valid) == (grants_q != expected_q));
  // A swap ends only after all its accesses.
  ends_after_grants : assert property (@(posedge clk_i) disable iff (!running_q) ends |-> grants_q == expected_q);
endmodule

bind dynamic_ray_shuffling dynamic_ray_shuffling_assertions #(
  .Warps       (Warps),
  .BackupRows  (BackupRows),
  .Lanes       (Lanes),
  .RayRegisters(RayRegisters),
  .WordWidth   (WordWidth)
) i_assertions (
  .clk_i                 (clk_i),
  .rst_ni                (rst_ni),
  .answer_valid          (answer_valid_o),
  .answer                (answer_o),
  .answer_high           (answer_high_o),
  .answer_low            (answer_low_o),
  .read_valid            (read_valid_o),
  .read_lanes            (read_lanes_o),
  .read_grant_i          (read_grant_i),
  .read_words_i          (read_words_i),
  .write_valid           (write_valid_o),
  .write_lanes           (write_lanes_o),
  .write_words           (write_words_o),
  .write_grant_i         (write_grant_i),
  .bound                 (bound),
  .swapping              (swapping),
  .control_accept        (control_accept),
  .starts                (starts),
  .table_read            (table_read),
  .table_row             (table_row),
  .table_write           (table_write),
  .write_row             (write_row),
  .swap_valid            (swap_valid),
  .swap_ready            (swap_ready),
  .swap_source_lanes     (swap_source_lanes),
  .swap_destination_lanes(swap_destination_lanes),
  .swap_both_ways        (swap_both_ways),
  .busy                  (busy),
  .ends                  (ends)
);
