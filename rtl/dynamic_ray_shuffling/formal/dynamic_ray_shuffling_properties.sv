// SPDX-License-Identifier: Apache-2.0
// Properties of the rows, for all contents of the ray state table and all swaps. Bound to the block.
module dynamic_ray_shuffling_properties #(
  parameter int unsigned Rows = 61,
  parameter int unsigned Wrong = 0  // 3: a wrong property, which the proof must refute
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic [Rows-1:0] bound,
  input logic [Rows-1:0] swapping,
  input logic            binds_row,
  input logic            locks_rows
);
  // Reset is active in the first cycle.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    assume (rst_ni == started_q);
    if (rst_ni) begin
      bound_rows_do_not_swap : assert ((bound & swapping) == '0);
      one_takes_rows : assert (!binds_row || !locks_rows);
      if (Wrong == 3) assert (swapping == '0);
    end
  end
endmodule

bind dynamic_ray_shuffling dynamic_ray_shuffling_properties #(
  .Rows(Rows)
) i_properties (
  .clk_i     (clk_i),
  .rst_ni    (rst_ni),
  .bound     (bound),
  .swapping  (swapping),
  .binds_row (decides & binds),
  .locks_rows(locks)
);
