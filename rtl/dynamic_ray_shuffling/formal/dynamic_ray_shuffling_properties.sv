// SPDX-License-Identifier: Apache-2.0
// Properties of warps and rows in every cycle, for all behaviour of warps and register file within the contract of the ports.
// Bound to the block. swap_units_properties has those of swaps, followed_rays_properties those of rays.
module dynamic_ray_shuffling_properties #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  localparam int unsigned Units = 3,
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           control_valid_i,
  input logic [WarpWidth-1:0]           control_warp_i,
  input logic [1:0]                     control_answer,
  input logic [RowWidth-1:0]            control_row,
  input logic [Lanes-1:0]               control_high,
  input logic [Lanes-1:0]               control_low,
  input logic                           has_answer,
  input logic                           report_valid_i,
  input logic [WarpWidth-1:0]           report_warp_i,
  input logic [RowWidth-1:0]            report_row,
  input logic [Units-1:0]               read_valid,
  input logic [Units-1:0]               read_grant_i,
  input logic [Units-1:0]               write_valid,
  input logic [Units-1:0]               write_grant_i,
  // Internal signals of the block.
  input logic [Units-1:0]               busy,
  input logic [Units-1:0]               start,
  input logic [Rows-1:0]                bound,
  input logic [Rows-1:0]                swapping,
  input logic [Units*RowWidth-1:0]      source,
  input logic [Units*RowWidth-1:0]      destination,
  input logic                           quiet,
  input logic [Warps-1:0]               has_row,
  input logic [Warps*RowWidth-1:0]      row_of_warp
);
  // Reset is active in the first cycle.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // A warp with a row reports or executes rdctrl; any other warp only executes rdctrl.
  logic [Warps-1:0] runs_q, has_q;
  logic [Warps*RowWidth-1:0] rows_q;
  logic row_given;

  assign row_given = control_answer == 2'd1;

  always_comb begin
    if (rst_ni) begin
      assume (!control_valid_i || 32'(control_warp_i) < Warps);
      assume (!report_valid_i || (32'(report_warp_i) < Warps && runs_q[report_warp_i]));
      assume (!report_valid_i || !control_valid_i || report_warp_i != control_warp_i);
      assume ((read_grant_i & ~read_valid) == '0 && (write_grant_i & ~write_valid) == '0);
    end else begin
      assume (!control_valid_i && !report_valid_i && read_grant_i == '0 && write_grant_i == '0);
    end
  end

  always_ff @(posedge clk_i) begin
    for (int warp = 0; warp < Warps; warp++) begin
      if (!rst_ni) begin
        runs_q[warp] <= 1'b0;
        has_q[warp] <= 1'b1;
        rows_q[warp*RowWidth+:RowWidth] <= RowWidth'(warp);
      end else if (control_valid_i && control_warp_i == WarpWidth'(warp)) begin
        runs_q[warp] <= row_given;
        has_q[warp] <= row_given;
        if (row_given) rows_q[warp*RowWidth+:RowWidth] <= control_row;
      end
    end
  end

  logic fetch, inner, leaf;
  assign fetch = |(~control_high & control_low);
  assign inner = |(control_high & ~control_low);
  assign leaf = |(control_high & control_low);

  logic shared_row, bound_as_told, swapping_as_told, as_told;
  always_comb begin
    as_told = has_row == has_q;
    for (int warp = 0; warp < Warps; warp++) begin
      as_told = as_told & (~has_q[warp] | (32'(rows_q[warp*RowWidth+:RowWidth]) < Rows &
                                           row_of_warp[warp*RowWidth+:RowWidth] == rows_q[warp*RowWidth+:RowWidth]));
    end
  end

  // The rows of all swaps, one bit for each row.
  logic [Rows-1:0] rows_of_units;
  always_comb begin
    rows_of_units = '0;
    for (int unit = 0; unit < Units; unit++) begin
      if (busy[unit]) begin
        rows_of_units = rows_of_units | (Rows'(1) << source[unit*RowWidth+:RowWidth]) |
                        (Rows'(1) << destination[unit*RowWidth+:RowWidth]);
      end
    end
  end

  // An arbitrary row, for which the properties are inductive.
  (* anyconst *) logic [RowWidth-1:0] some_row;
  logic has_warp, has_this;
  assign bound_as_told = bound[some_row] == has_warp;
  assign swapping_as_told = (rows_of_units & ~swapping) == '0 && (!swapping[some_row] || rows_of_units[some_row]);
  always_comb begin
    assume (32'(some_row) < Rows);
    // A property of any row holds for the reported row. (This excludes no state, because a report is never required.)
    assume (!rst_ni || !report_valid_i || bound[report_row]);
    has_warp = 1'b0;
    shared_row = 1'b0;
    for (int warp = 0; warp < Warps; warp++) begin
      has_this = has_q[warp] & rows_q[warp*RowWidth+:RowWidth] == some_row;
      shared_row = shared_row | (has_warp & has_this);
      has_warp = has_warp | has_this;
    end
  end

  always_comb begin
    if (rst_ni) begin
      rows_as_told : assert (as_told);
      row_of_one_warp : assert (!shared_row);
      rows_of_warps_are_bound : assert (bound_as_told);
      who_runs_has_a_row : assert ((runs_q & ~has_q) == '0);
      row_of_one_state : assert (!control_valid_i || !row_given || !((fetch && inner) || (fetch && leaf) || (inner && leaf)));
      answer_as_told : assert (!control_valid_i || has_q[control_warp_i] || has_answer == (control_answer != 2'd0));
      bound_rows_stay : assert ((bound & swapping) == '0);
      swapping_rows : assert (swapping_as_told);
      quiet_starts_nothing : assert (!quiet || (start == '0 && busy == '0));
    end
  end
endmodule

bind dynamic_ray_shuffling dynamic_ray_shuffling_properties #(
  .Warps     (Warps),
  .BackupRows(BackupRows),
  .Lanes     (Lanes)
) i_properties (
  .clk_i            (clk_i),
  .rst_ni           (rst_ni),
  .control_valid_i  (control_valid_i),
  .control_warp_i   (control_warp_i),
  .control_answer   (control_answer_o),
  .control_row      (control_row_o),
  .control_high     (control_high_o),
  .control_low      (control_low_o),
  .has_answer       (has_answer_o),
  .report_valid_i   (report_valid_i),
  .report_warp_i    (report_warp_i),
  .report_row       (report_row),
  .read_valid       (read_valid_o),
  .read_grant_i     (read_grant_i),
  .write_valid      (write_valid_o),
  .write_grant_i    (write_grant_i),
  .busy             (busy),
  .start            (start),
  .bound            (bound),
  .swapping         (swapping_q),
  .source           (swap_source),
  .destination      (swap_destination),
  .quiet            (quiet_q),
  .has_row          (has_row),
  .row_of_warp      (rows_of_warps)
);
