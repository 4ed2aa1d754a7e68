// SPDX-License-Identifier: Apache-2.0
// While the block is idle, no register changes until a warp executes rdctrl or reports. Bound to the block. The proof adds that no
// register of the block changes at the end of a cycle in which `still` is 1.
module idle_properties #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  parameter int unsigned Wrong = 0,  // 10: a wrong property, which the proof must refute
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                control_valid_i,
  input logic                report_valid_i,
  input logic                read_valid,
  input logic                read_grant_i,
  input logic                write_valid,
  input logic                write_grant_i,
  input logic                idle,
  // Internal signals of the block.
  input logic                starts,
  input logic                started,
  input logic [2:0]          control,
  input logic [1:0]          report,
  input logic                at_rest,
  input logic                table_writes,
  input logic [Rows-1:0]     with_rays,
  input logic [Rows-1:0]     bound,
  input logic                rays_unbound,
  input logic [Rows-1:0]     next_candidates,
  input logic [Rows-1:0]     candidates,
  input logic                next_valid,
  input logic [RowWidth-1:0] next_row,
  input logic                valid,
  input logic [RowWidth-1:0] row,
  input logic [1:0]          quiet,
  input logic [3:0]          stage,
  input logic [$clog2(Lanes)-1:0] step
);
  localparam logic [3:0] Pack = 4'd9;

  // Reset is active in the first cycle.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb begin
    assume (rst_ni == started_q);
    assume (!(read_grant_i && !read_valid) && !(write_grant_i && !write_valid));
  end

  (* keep *) logic still;
  logic still_q;
  assign still = rst_ni && idle && !control_valid_i && !report_valid_i;
  always_ff @(posedge clk_i) still_q <= still;

  always_comb begin
    if (rst_ni) begin
      stays_idle : assert (!still_q || idle);
      nothing_to_do : assert (quiet == '0 || (started && control == '0 && report == '0 && at_rest && !table_writes));
      candidates_settled : assert (quiet == '0 || (candidates == next_candidates && rays_unbound == |(with_rays & ~bound)));
      next_row_settled : assert (quiet != 2'd2 || (valid == next_valid && row == next_row));
      quiet_cycles : assert (quiet <= 2'd2 && idle == (quiet == 2'd2));
      steps_of_pack : assert (stage == Pack ? $onehot(step) : step == '0);
      started_once : assert (!started || !starts);
      if (Wrong == 10) assert (!idle);
    end
  end
endmodule

bind dynamic_ray_shuffling idle_properties #(
  .Warps     (Warps),
  .BackupRows(BackupRows),
  .Lanes     (Lanes)
) i_idle_properties (
  .clk_i          (clk_i),
  .rst_ni         (rst_ni),
  .control_valid_i(control_valid_i),
  .report_valid_i (report_valid_i),
  .read_valid     (read_valid_o),
  .read_grant_i   (read_grant_i),
  .write_valid    (write_valid_o),
  .write_grant_i  (write_grant_i),
  .idle           (idle_o),
  .starts         (starts),
  .started        (started_q),
  .control        (control_q),
  .report         (report_q),
  .at_rest        (rests & ~busy),
  .table_writes   (table_writes),
  .with_rays      (with_rays),
  .bound          (bound),
  .rays_unbound   (rays_unbound_q),
  .next_candidates(candidates_d),
  .candidates     (candidates_q),
  .next_valid     (next_valid),
  .next_row       (next_row),
  .valid          (next_valid_q),
  .row            (next_row_q),
  .quiet          (quiet_q),
  .stage          (i_control.stage_q),
  .step           (i_control.step_q)
);
