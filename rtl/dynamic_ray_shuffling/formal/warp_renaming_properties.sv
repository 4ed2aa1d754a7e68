// SPDX-License-Identifier: Apache-2.0
// Properties of the rows of warps, for all changes after the first contents. Bound to warp_renaming. Proved for one arbitrary
// warp. Only this warp is looked up: a look-up changes nothing.
module warp_renaming_properties #(
  parameter int unsigned Warps = 58,
  parameter int unsigned Rows = 61,
  parameter int unsigned Wrong = 0,  // 6: a wrong property, which the proof must refute
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 start_i,
  input logic [RowWidth-1:0]  start_row_i,
  input logic [WarpWidth-1:0] look_up_warp_i,
  input logic                 look_up_bound,
  input logic [RowWidth-1:0]  look_up_row,
  input logic                 change_i,
  input logic [WarpWidth-1:0] change_warp_i,
  input logic                 bind_i,
  input logic [RowWidth-1:0]  bind_row_i
);
  (* anyconst *) logic [WarpWidth-1:0] warp;

  // Reset is active in the first cycle.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    assume (rst_ni == started_q);
    assume (32'(warp) < Warps && look_up_warp_i == warp);
    assume (!start_i || !change_i);
  end

  logic known_q, bound_q;
  logic [RowWidth-1:0] row_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q <= 1'b0;
      bound_q <= 1'b1;
    end else begin
      if (start_i && start_row_i == RowWidth'(warp)) begin
        known_q <= 1'b1;
        row_q <= start_row_i;
      end
      if (change_i && change_warp_i == warp) begin
        bound_q <= bind_i;
        if (bind_i) begin
          known_q <= 1'b1;
          row_q <= bind_row_i;
        end
      end
    end
  end

  always_comb begin
    if (rst_ni) begin
      bound_as_changed : assert (look_up_bound == bound_q);
      row_as_changed : assert (!known_q || look_up_row == row_q);
      if (Wrong == 6) assert (!known_q || look_up_row == RowWidth'(warp));
    end
  end
endmodule

bind warp_renaming warp_renaming_properties #(
  .Warps(Warps),
  .Rows (Rows)
) i_properties (
  .clk_i         (clk_i),
  .rst_ni        (rst_ni),
  .start_i       (start_i),
  .start_row_i   (start_row_i),
  .look_up_warp_i(look_up_warp_i),
  .look_up_bound (look_up_bound_o),
  .look_up_row   (look_up_row_o),
  .change_i      (change_i),
  .change_warp_i (change_warp_i),
  .bind_i        (bind_i),
  .bind_row_i    (bind_row_i)
);
