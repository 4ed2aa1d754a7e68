// SPDX-License-Identifier: Apache-2.0
// The properties in `formal/` as concurrent assertions for simulation. Bound to the block.
//
// A simulation cannot follow one arbitrary ray, so the assertions count rays by state and sum the words of a swap.
module dynamic_ray_shuffling_assertions #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  parameter int unsigned RayRegisters = 17,
  parameter int unsigned WordWidth = 32,
  localparam int unsigned Units = 3,
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input logic                             clk_i,
  input logic                             rst_ni,
  input logic                             control_valid_i,
  input logic [1:0]                       control_answer,
  input logic [Lanes-1:0]                 control_high,
  input logic [Lanes-1:0]                 control_low,
  input logic                             report_valid_i,
  input logic [RowWidth-1:0]              report_row,
  input logic [Lanes-1:0]                 report_lanes_i,
  input logic [Lanes-1:0]                 report_high_i,
  input logic [Lanes-1:0]                 report_low_i,
  input logic [Units-1:0]                 read_valid,
  input logic [Units*Lanes-1:0]           read_lanes,
  input logic [Units-1:0]                 read_grant_i,
  input logic [Units*Lanes*WordWidth-1:0] read_words_i,
  input logic [Units-1:0]                 write_valid,
  input logic [Units*Lanes-1:0]           write_lanes,
  input logic [Units*Lanes*WordWidth-1:0] write_words,
  input logic [Units-1:0]                 write_grant_i,
  // Internal signals of the block.
  input logic [Rows*Lanes-1:0]            all_high,
  input logic [Rows*Lanes-1:0]            all_low,
  input logic [Units-1:0]                 both_ways,
  input logic [Units-1:0]                 busy,
  input logic [Units-1:0]                 start,
  input logic [Units-1:0]                 ends,
  input logic [Rows-1:0]                  bound,
  input logic [Rows-1:0]                  swapping,
  input logic [Warps-1:0]                 has_row,
  input logic [Warps*RowWidth-1:0]        row_of_warp
);
  logic running_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) running_q <= 1'b0;
    else running_q <= 1'b1;
  end

  // --- No row is bound to two warps.
  logic [Rows-1:0] rows_of_warps;
  logic shared_row;
  always_comb begin
    rows_of_warps = '0;
    shared_row = 1'b0;
    for (int warp = 0; warp < Warps; warp++) begin
      if (has_row[warp]) begin
        shared_row = shared_row | rows_of_warps[row_of_warp[warp*RowWidth+:RowWidth]];
        rows_of_warps[row_of_warp[warp*RowWidth+:RowWidth]] = 1'b1;
      end
    end
  end
  row_of_one_warp : assert property (@(posedge clk_i) disable iff (!running_q) !shared_row && bound == rows_of_warps);

  // --- A row is given in one state, and does not swap while a warp has it.
  logic fetch, inner, leaf;
  assign fetch = |(~control_high & control_low);
  assign inner = |(control_high & ~control_low);
  assign leaf = |(control_high & control_low);
  row_of_one_state :
  assert property (@(posedge clk_i) disable iff (!running_q) control_valid_i && control_answer == 2'd1 |-> $onehot({fetch, inner, leaf}));
  bound_rows_stay : assert property (@(posedge clk_i) disable iff (!running_q) (bound & swapping) == '0);

  // --- No ray is lost or copied: only reports change the number of rays in a state.
  localparam int unsigned CountWidth = $clog2(Rows * Lanes + 1);
  logic [Lanes-1:0] old_high, old_low;
  logic [CountWidth-1:0] high_count, low_count, both_count;
  logic [CountWidth-1:0] high_expected_q, low_expected_q, both_expected_q;
  assign old_high = all_high[report_row*Lanes+:Lanes] & report_lanes_i & {Lanes{report_valid_i}};
  assign old_low = all_low[report_row*Lanes+:Lanes] & report_lanes_i & {Lanes{report_valid_i}};
  // One bit for the assertion: Verilator 5.006 generates C++ that does not compile if the assertion reads the table itself.
  logic as_expected;
  always_comb begin
    high_count = '0;
    low_count = '0;
    both_count = '0;
    for (int row = 0; row < Rows; row++) begin
      high_count = high_count + CountWidth'($countones(all_high[row*Lanes+:Lanes]));
      low_count = low_count + CountWidth'($countones(all_low[row*Lanes+:Lanes]));
      both_count = both_count + CountWidth'($countones(all_high[row*Lanes+:Lanes] & all_low[row*Lanes+:Lanes]));
    end
    as_expected = high_count == high_expected_q && low_count == low_expected_q && both_count == both_expected_q;
  end

  function automatic logic [CountWidth-1:0] ones(input logic [Lanes-1:0] lanes);
    ones = report_valid_i ? CountWidth'($countones(lanes & report_lanes_i)) : '0;
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      high_expected_q <= '0;
      low_expected_q <= '0;
      both_expected_q <= '0;
    end else begin
      high_expected_q <= high_count - ones(old_high) + ones(report_high_i);
      low_expected_q <= low_count - ones(old_low) + ones(report_low_i);
      both_expected_q <= both_count - ones(old_high & old_low) + ones(report_high_i & report_low_i);
    end
  end
  rays_stay : assert property (@(posedge clk_i) disable iff (!running_q) as_expected);

  for (genvar unit = 0; unit < Units; unit++) begin : gen_unit
    // --- A ray keeps its words: a swap writes the words that it read.
    logic [WordWidth-1:0] sum_q, read_sum, write_sum;
    always_comb begin
      read_sum = '0;
      write_sum = '0;
      for (int lane = 0; lane < Lanes; lane++) begin
        if (read_grant_i[unit] && read_lanes[unit*Lanes+lane]) read_sum = read_sum + read_words_i[(unit*Lanes+lane)*WordWidth+:WordWidth];
        if (write_grant_i[unit] && write_lanes[unit*Lanes+lane]) write_sum = write_sum + write_words[(unit*Lanes+lane)*WordWidth+:WordWidth];
      end
    end

    // --- A swap requests accesses until it ends, and ends after the expected number of grants.
    localparam int unsigned GrantsWidth = $clog2(4 * RayRegisters + 1);
    logic [GrantsWidth-1:0] grants, grants_q;
    assign grants = grants_q + GrantsWidth'(read_grant_i[unit]) + GrantsWidth'(write_grant_i[unit]);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni || start[unit]) begin
        sum_q <= '0;
        grants_q <= '0;
      end else begin
        sum_q <= sum_q + read_sum - write_sum;
        grants_q <= grants;
      end
    end
    words_stay : assert property (@(posedge clk_i) disable iff (!running_q) ends[unit] |-> sum_q + read_sum == write_sum);
    wants_until_it_ends :
    assert property (@(posedge clk_i) disable iff (!running_q) busy[unit] == (read_valid[unit] || write_valid[unit]));
    ends_after_grants :
    assert property (@(posedge clk_i) disable iff (!running_q)
                     busy[unit] |-> ends[unit] == (grants == GrantsWidth'((both_ways[unit] ? 4 : 2) * RayRegisters)));
  end
endmodule

bind dynamic_ray_shuffling dynamic_ray_shuffling_assertions #(
  .Warps       (Warps),
  .BackupRows  (BackupRows),
  .Lanes       (Lanes),
  .RayRegisters(RayRegisters),
  .WordWidth   (WordWidth)
) i_assertions (
  .clk_i           (clk_i),
  .rst_ni          (rst_ni),
  .control_valid_i (control_valid_i),
  .control_answer  (control_answer_o),
  .control_high    (control_high_o),
  .control_low     (control_low_o),
  .report_valid_i  (report_valid_i),
  .report_row      (report_row),
  .report_lanes_i  (report_lanes_i),
  .report_high_i   (report_high_i),
  .report_low_i    (report_low_i),
  .read_valid      (read_valid_o),
  .read_lanes      (read_lanes_o),
  .read_grant_i    (read_grant_i),
  .read_words_i    (read_words_i),
  .write_valid     (write_valid_o),
  .write_lanes     (write_lanes_o),
  .write_words     (write_words_o),
  .write_grant_i   (write_grant_i),
  .all_high        (all_high),
  .all_low         (all_low),
  .both_ways       (swap_both_ways),
  .busy            (busy),
  .start           (start),
  .ends            (ends),
  .bound           (bound),
  .swapping        (swapping_q),
  .has_row         (has_row),
  .row_of_warp     (rows_of_warps)
);
