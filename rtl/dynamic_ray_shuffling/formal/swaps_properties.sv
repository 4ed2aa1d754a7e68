// SPDX-License-Identifier: Apache-2.0
// Properties of the choice, the swap and the update of the table, for all behaviour of warps and register file within the contract
// of the ports. Bound to the block. Proved without rays; the proof that follows rays assumes them.
module swaps_properties #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  parameter int unsigned RayRegisters = 17,
  parameter int unsigned SwapBuffers = 6,
  parameter int unsigned Wrong = 0,  // 1: a wrong property, which the proof must refute
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned Most = 2 * RayRegisters > SwapBuffers ? 2 * RayRegisters : SwapBuffers,
  localparam int unsigned CountWidth = $clog2(Most + 1),
  localparam int unsigned GrantsWidth = $clog2(4 * RayRegisters + 1)
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  read_valid,
  input logic                  read_grant_i,
  input logic                  write_valid,
  input logic                  write_grant_i,
  // Internal signals of the block.
  input logic                  starts,
  input logic [RowWidth:0]     start_row,
  input logic                  started,
  input logic [1:0]            report,
  input logic [RowWidth-1:0]   report_row,
  input logic [Rows-1:0]       bound,
  input logic [Rows-1:0]       swapping,
  // The choice.
  input logic [3:0]            stage,
  input logic [$clog2(Lanes)-1:0] step,
  input logic [RowWidth-1:0]   first_row,
  input logic [RowWidth-1:0]   second_row,
  input logic [RowWidth-1:0]   choice_source,
  input logic [RowWidth-1:0]   choice_destination,
  // The chosen swap, until the next choice has read its rows.
  input logic                  offered,
  input logic                  taken,
  input logic [RowWidth-1:0]   offered_source,
  input logic [RowWidth-1:0]   offered_destination,
  input logic [Lanes-1:0]      offered_source_lanes,
  input logic [Lanes-1:0]      offered_destination_lanes,
  input logic                  offered_both_ways,
  // The update of the table.
  input logic [2:0]            update,
  input logic                  table_read,
  input logic [RowWidth-1:0]   table_row,
  input logic                  table_write,
  input logic [RowWidth-1:0]   write_row,
  input logic                  pending,      // a row changes at the end of this cycle
  input logic [RowWidth-1:0]   pending_row,
  // The swap in the buffers.
  input logic                  busy,
  input logic                  ends,
  input logic [RowWidth-1:0]   source,
  input logic [RowWidth-1:0]   destination,
  input logic                  both_ways,
  input logic [CountWidth-1:0] read_count,
  input logic [CountWidth-1:0] written_count
);
  localparam logic [3:0] Lock = 4'd4;
  localparam logic [3:0] ReadFirst = 4'd5;
  localparam logic [3:0] Pack = 4'd9;
  localparam logic [3:0] Match = 4'd10;
  localparam logic [2:0] UpdateNone = 3'd0;
  localparam logic [2:0] UpdateWriteDestination = 3'd2;
  localparam logic [2:0] UpdateReadSource = 3'd3;
  localparam logic [2:0] UpdateWriteSource = 3'd4;
  localparam logic [1:0] ReportNone = 2'd0;
  localparam logic [1:0] ReportRead = 2'd2;
  localparam logic [1:0] ReportWrite = 2'd3;

  function automatic logic [Rows-1:0] pair(input logic valid, input logic [RowWidth-1:0] one, input logic [RowWidth-1:0] other);
    pair = valid ? (Rows'(1) << one) | (Rows'(1) << other) : '0;
  endfunction

  function automatic logic are_two(input logic [RowWidth-1:0] one, input logic [RowWidth-1:0] other);
    are_two = 32'(one) < Rows && 32'(other) < Rows && one != other;
  endfunction

  always_comb begin
    if (rst_ni) assume (!(read_grant_i && !read_valid) && !(write_grant_i && !write_valid));
    else assume (!read_grant_i && !write_grant_i);
  end

  // The rows of each swap, one bit for each row.
  logic choosing, updates, updates_write;
  logic [Rows-1:0] chosen, next, moving;
  assign choosing = stage >= ReadFirst;
  assign updates = update != UpdateNone;
  assign updates_write = update == UpdateWriteDestination || update == UpdateWriteSource;
  assign chosen = pair(choosing, choice_source, choice_destination);
  assign next = pair(offered, offered_source, offered_destination);
  assign moving = pair(busy, source, destination);

  // The last cycle.
  logic read_q, offered_q;
  logic [RowWidth-1:0] read_row_q, offered_source_q, offered_destination_q;
  logic [Lanes-1:0] offered_source_lanes_q, offered_destination_lanes_q;
  logic offered_both_ways_q;

  always_ff @(posedge clk_i) begin
    read_q <= rst_ni && table_read;
    read_row_q <= table_row;
    offered_q <= rst_ni && offered && !taken;
    offered_source_q <= offered_source;
    offered_destination_q <= offered_destination;
    offered_source_lanes_q <= offered_source_lanes;
    offered_destination_lanes_q <= offered_destination_lanes;
    offered_both_ways_q <= offered_both_ways;
  end

  // Granted accesses of the swap in the buffers.
  logic [GrantsWidth-1:0] grants_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || taken) grants_q <= '0;
    else grants_q <= grants_q + GrantsWidth'(read_grant_i) + GrantsWidth'(write_grant_i);
  end

  always_comb begin
    if (rst_ni) begin
      stages : assert (stage <= Match && update <= UpdateWriteSource);
      steps_of_pack : assert (stage == Pack ? $onehot(step) : step == '0);
      start_first : assert (started || (stage == '0 && !offered && !updates && !busy && report == ReportNone && swapping == '0));
      started_after : assert (32'(start_row) <= Rows && (!started || !starts));

      // Each swap has two rows, which no other swap and no warp has.
      two_rows_to_lock : assert (stage != Lock || are_two(first_row, second_row));
      two_rows_chosen : assert (!choosing || are_two(choice_source, choice_destination));
      two_rows_offered : assert (!(offered || updates) || are_two(offered_source, offered_destination));
      two_rows_moving : assert (!busy || are_two(source, destination));
      free_rows_to_lock : assert (stage != Lock || (pair(1'b1, first_row, second_row) & swapping) == '0);
      rows_of_one_swap : assert ((chosen & next) == '0 && (chosen & moving) == '0 && (next & moving) == '0);
      rows_are_locked : assert (swapping == (chosen | next | moving));
      bound_rows_stay : assert ((bound & swapping) == '0);

      // The chosen swap is stable until it is taken.
      offer_stays : assert (!offered_q || (offered && offered_source == offered_source_q &&
          offered_destination == offered_destination_q &&
                                           offered_source_lanes == offered_source_lanes_q &&
                                           offered_destination_lanes == offered_destination_lanes_q &&
                                           offered_both_ways == offered_both_ways_q));
      one_at_a_time : assert (!(offered || updates) || stage <= ReadFirst);

      // The table: at most one write in a cycle, after a read of the same row. Rows of a choice or swap only change by its update,
      // and stay locked until the table shows it.
      update_of_swap : assert (!updates || offered || (busy && source == offered_source && destination == offered_destination &&
                                                       both_ways == offered_both_ways));
      one_write : assert (!(updates_write && report == ReportWrite) && !(starts && (updates_write || report != ReportNone)));
      write_after_read : assert (!table_write || starts || (read_q && write_row == read_row_q));
      write_to_locked_row : assert (!started || !table_write || bound[write_row] ||
                                    (swapping[write_row] && updates_write &&
                                     write_row == (update == UpdateWriteDestination ? offered_destination : offered_source)));
      locked_until_written : assert (!started || !pending || bound[pending_row] ||
                                     (swapping[pending_row] && (update == UpdateNone || update == UpdateReadSource) &&
                                      pending_row == (update == UpdateNone ? offered_source : offered_destination) &&
                                      (offered || (busy && source == offered_source && destination == offered_destination))));
      report_to_bound_row : assert (!(report == ReportRead || report == ReportWrite) || (32'(report_row) < Rows &&
          bound[report_row]));
      report_is_over : assert (!started || !pending || swapping[pending_row] || report == ReportNone);
      locked_until_shown : assert (!ends || !updates);

      // A swap requests accesses until they are done, a known number; then it ends.
      requests_until_done : assert ((busy &&
          !(written_count == CountWidth'((both_ways ? 2 : 1) * RayRegisters))) == (read_valid || write_valid));
      ends_when_done : assert (ends == (busy && !updates && grants_q == GrantsWidth'((both_ways ? 4 : 2) * RayRegisters)));
      grants_as_counted : assert (!busy || grants_q == GrantsWidth'(read_count) + GrantsWidth'(written_count));
    end
  end

  // Wrong properties: they exclude events that do happen. A proof of one would show that the assumptions make proofs vacuous.
  always_comb begin
    if (rst_ni) begin
      if (Wrong == 1) assert (!(ends && !both_ways));
    end
  end
endmodule

bind dynamic_ray_shuffling swaps_properties #(
  .Warps       (Warps),
  .BackupRows  (BackupRows),
  .Lanes       (Lanes),
  .RayRegisters(RayRegisters),
  .SwapBuffers (SwapBuffers)
) i_swaps_properties (
  .clk_i                    (clk_i),
  .rst_ni                   (rst_ni),
  .read_valid               (read_valid_o),
  .read_grant_i             (read_grant_i),
  .write_valid              (write_valid_o),
  .write_grant_i            (write_grant_i),
  .starts                   (starts),
  .start_row                (start_row_q),
  .started                  (started_q),
  .report                   (report_q),
  .report_row               (report_row_q),
  .bound                    (bound),
  .swapping                 (swapping),
  .stage                    (i_control.stage_q),
  .step                     (i_control.step_q),
  .first_row                (i_control.first_row),
  .second_row               (i_control.second_row),
  .choice_source            (i_control.choice_source),
  .choice_destination       (i_control.choice_destination),
  .offered                  (swap_valid),
  .taken                    (swap_valid & swap_ready),
  .offered_source           (swap_source),
  .offered_destination      (swap_destination),
  .offered_source_lanes     (swap_source_lanes),
  .offered_destination_lanes(swap_destination_lanes),
  .offered_both_ways        (swap_both_ways),
  .update                   (i_control.update_q),
  .table_read               (table_read),
  .table_row                (table_row),
  .table_write              (table_write),
  .write_row                (write_row),
  .pending                  (table_writes),
  .pending_row              (i_table.write_row_q),
  .busy                     (busy),
  .ends                     (ends),
  .source                   (end_source),
  .destination              (end_destination),
  .both_ways                (i_buffers.both_ways_q),
  .read_count               (i_buffers.read_q),
  .written_count            (i_buffers.written_q)
);
