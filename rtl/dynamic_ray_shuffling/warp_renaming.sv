// SPDX-License-Identifier: Apache-2.0
// The row of rays of each warp (DRS section 3.2.3, Fig. 4b), with one port to look up a warp and one to change it.
module warp_renaming #(
  parameter int unsigned Warps = 58,  // of the SM
  parameter int unsigned Rows = 61,   // of rays, more than warps
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // After reset, warp i gets row i. These numbers have no reset: they are written one after another.
  input  logic                 start_i,
  input  logic [RowWidth-1:0]  start_row_i,
  input  logic [WarpWidth-1:0] look_up_warp_i,
  output logic                 look_up_bound_o,
  output logic [RowWidth-1:0]  look_up_row_o,
  // The warp releases its row, if it has one, and with bind_i gets another.
  input  logic                 change_i,
  input  logic [WarpWidth-1:0] change_warp_i,
  input  logic                 release_i,       // its row, as looked up before
  input  logic [RowWidth-1:0]  release_row_i,
  input  logic                 bind_i,
  input  logic [RowWidth-1:0]  bind_row_i,      // must not be bound
  output logic [Rows-1:0]      bound_o
);
  logic [RowWidth-1:0] row_q [Warps];
  logic [Warps-1:0] has_row_q;
  logic [Rows-1:0] bound_d, bound_q;

  assign look_up_bound_o = has_row_q[look_up_warp_i];
  assign look_up_row_o = row_q[look_up_warp_i];
  assign bound_o = bound_q;

  always_comb begin
    bound_d = bound_q;
    if (change_i && release_i) bound_d[release_row_i] = 1'b0;
    if (change_i && bind_i) bound_d[bind_row_i] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      has_row_q <= '1;
      bound_q <= {{(Rows - Warps){1'b0}}, {Warps{1'b1}}};
    end else begin
      bound_q <= bound_d;
      if (change_i) has_row_q[change_warp_i] <= bind_i;
    end
  end

  logic write;
  logic [RowWidth-1:0] write_warp, write_row;
  assign write = start_i | (change_i & bind_i);
  assign write_warp = start_i ? start_row_i : RowWidth'(change_warp_i);
  assign write_row = start_i ? start_row_i : bind_row_i;

  always_ff @(posedge clk_i) begin
    for (int warp = 0; warp < Warps; warp++) begin
      if (write && write_warp == RowWidth'(warp)) row_q[warp] <= write_row;
    end
  end
endmodule
