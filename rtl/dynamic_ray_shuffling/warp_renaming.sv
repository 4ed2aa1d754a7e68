// SPDX-License-Identifier: Apache-2.0
// The row of rays of each warp (DRS section 3.2.3, Fig. 4b). After reset, warp i has row i.
module warp_renaming #(
  parameter int unsigned Warps = 58,
  parameter int unsigned Rows = 61,
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // The warp releases its row, if it has one, and with bind_i gets another.
  input  logic                 change_i,
  input  logic                 bind_i,
  input  logic [WarpWidth-1:0] warp_i,
  input  logic [RowWidth-1:0]  row_i,           // must not be bound
  // The rows of the warps at rdctrl and at a report.
  output logic                 control_bound_o,
  output logic [RowWidth-1:0]  control_row_o,
  input  logic [WarpWidth-1:0] report_warp_i,
  output logic [RowWidth-1:0]  report_row_o,
  output logic [Rows-1:0]      bound_o,
  // The whole state, for properties.
  output logic [Warps-1:0]          has_row_o,
  output logic [Warps*RowWidth-1:0] rows_o
);
  logic [RowWidth-1:0] row_q [Warps];
  logic [Warps-1:0] has_row_q;
  logic [Rows-1:0] bound_d, bound_q;

  assign control_bound_o = has_row_q[warp_i];
  assign control_row_o = row_q[warp_i];
  assign report_row_o = row_q[report_warp_i];
  assign bound_o = bound_q;
  assign has_row_o = has_row_q;
  for (genvar warp = 0; warp < Warps; warp++) begin : gen_warp
    assign rows_o[warp*RowWidth+:RowWidth] = row_q[warp];
  end

  always_comb begin
    bound_d = bound_q;
    if (change_i && has_row_q[warp_i]) bound_d[row_q[warp_i]] = 1'b0;
    if (change_i && bind_i) bound_d[row_i] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int warp = 0; warp < Warps; warp++) row_q[warp] <= RowWidth'(warp);
      has_row_q <= '1;
      bound_q <= {{(Rows - Warps){1'b0}}, {Warps{1'b1}}};
    end else begin
      bound_q <= bound_d;
      if (change_i) begin
        has_row_q[warp_i] <= bind_i;
        if (bind_i) row_q[warp_i] <= row_i;
      end
    end
  end
endmodule
