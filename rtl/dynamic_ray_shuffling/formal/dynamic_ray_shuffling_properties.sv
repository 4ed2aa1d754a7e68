// SPDX-License-Identifier: Apache-2.0
// Properties of warps and rows in every cycle, for all behaviour of warps and register file within the contract of the ports.
// Bound to the block. choices_properties has the properties of the choice of rows, swaps_properties of swaps, and
// followed_rays_properties of rays.
module dynamic_ray_shuffling_properties #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  parameter int unsigned Wrong = 0,  // 7: a wrong property, which the proof must refute
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 control_valid_i,
  input logic                 control_ready,
  input logic [WarpWidth-1:0] control_warp_i,
  input logic                 answer_valid,
  input logic [1:0]           answer,
  input logic [RowWidth-1:0]  answer_row,
  input logic [Lanes-1:0]     answer_high,
  input logic [Lanes-1:0]     answer_low,
  input logic                 report_valid_i,
  input logic                 report_ready,
  input logic [WarpWidth-1:0] report_warp_i,
  input logic [Lanes-1:0]     report_lanes_i,
  input logic [Lanes-1:0]     report_high_i,
  input logic [Lanes-1:0]     report_low_i,
  // Internal signals of the block.
  input logic                 starts,
  input logic                 started,
  input logic [Rows-1:0]      uniform,
  input logic [Rows-1:0]      full,
  input logic [Rows-1:0]      with_rays,
  input logic [3:0]           read_summary,     // of the row that the table reads: {leaf, inner, fetch, none}
  input logic [Rows-1:0]      bound,
  input logic [Rows-1:0]      swapping,
  input logic [Warps-1:0]     has_row,
  // A look-up of the row of a warp, and the change of a binding.
  input logic [WarpWidth-1:0] look_up_warp,
  input logic [RowWidth-1:0]  look_up_row,
  input logic                 change,
  input logic [WarpWidth-1:0] change_warp,
  input logic                 binds,
  input logic [RowWidth-1:0]  bind_row,
  // Reports.
  input logic [1:0]           report,
  input logic [WarpWidth-1:0] report_warp,
  input logic [RowWidth-1:0]  report_row,
  input logic [Lanes-1:0]     report_lanes,
  input logic [Lanes-1:0]     report_high,
  input logic [Lanes-1:0]     report_low,
  // rdctrl.
  input logic [2:0]           control,
  input logic [WarpWidth-1:0] control_warp,
  input logic                 own_bound,
  input logic [RowWidth-1:0]  own_row,
  input logic                 own_full,
  input logic                 own_rays,
  input logic [1:0]           next_answer,      // while it decides
  input logic                 decides,
  input logic [1:0]           decided,          // then
  input logic [RowWidth-1:0]  decided_row,
  // The next row for a warp without one.
  input logic [Rows-1:0]      candidates,
  input logic                 next_valid,
  input logic [RowWidth-1:0]  next_row,
  input logic                 offered_valid,
  input logic [RowWidth-1:0]  offered_row,
  // The choice and the table.
  input logic [3:0]           stage,
  input logic [RowWidth-1:0]  choice_source,
  input logic [RowWidth-1:0]  choice_destination,
  input logic [2:0]           update,
  input logic [RowWidth-1:0]  swap_source,
  input logic                 table_read,
  input logic [Lanes-1:0]     table_high,
  input logic [Lanes-1:0]     table_low,
  input logic                 pending,
  input logic [RowWidth-1:0]  pending_row
);
  localparam logic [2:0] ControlNone = 3'd0;
  localparam logic [2:0] ControlLook = 3'd2;
  localparam logic [2:0] ControlDecide = 3'd3;
  localparam logic [2:0] ControlRead = 3'd4;
  localparam logic [2:0] ControlAnswer = 3'd5;
  localparam logic [1:0] ReportNone = 2'd0;
  localparam logic [1:0] ReportLookUp = 2'd1;
  localparam logic [1:0] ReportWrite = 2'd3;
  localparam logic [3:0] ReadFirst = 4'd5;
  localparam logic [3:0] TakeFirst = 4'd6;
  localparam logic [3:0] ReadSecond = 4'd7;
  localparam logic [3:0] TakeSecond = 4'd8;
  localparam logic [1:0] Row = 2'd1;
  localparam logic [1:0] Exit = 2'd2;

  // Reset is active in the first cycle.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  function automatic logic [Rows-1:0] only(input logic valid, input logic [RowWidth-1:0] row);
    only = valid ? Rows'(1) << row : '0;
  endfunction

  // The row of each warp, one bit for each row: as the block answered, and as the block last bound it.
  logic [Warps*Rows-1:0] told_q, bindings_q;
  logic control_accept, report_accept;
  assign control_accept = control_valid_i && control_ready;
  assign report_accept = report_valid_i && report_ready;

  always_ff @(posedge clk_i) begin
    for (int warp = 0; warp < Warps; warp++) begin
      if (!rst_ni) begin
        told_q[warp*Rows+:Rows] <= Rows'(1) << warp;
        bindings_q[warp*Rows+:Rows] <= Rows'(1) << warp;
      end else begin
        if (answer_valid && control_warp == WarpWidth'(warp)) told_q[warp*Rows+:Rows] <= only(answer == Row, answer_row);
        if (change && change_warp == WarpWidth'(warp)) bindings_q[warp*Rows+:Rows] <= only(binds, bind_row);
      end
    end
  end

  // The rows of the warps of rdctrl, report and look-up, and whether the block is between the change of a binding and the answer.
  logic [Rows-1:0] control_row, reporting_row, look_up_row_of_warp;
  logic decided_or_told;
  always_comb begin
    control_row = '0;
    reporting_row = '0;
    look_up_row_of_warp = '0;
    for (int warp = 0; warp < Warps; warp++) begin
      if (control_warp == WarpWidth'(warp)) control_row = bindings_q[warp*Rows+:Rows];
      if (report_warp == WarpWidth'(warp)) reporting_row = bindings_q[warp*Rows+:Rows];
      if (look_up_warp == WarpWidth'(warp)) look_up_row_of_warp = bindings_q[warp*Rows+:Rows];
    end
  end
  assign decided_or_told = control == ControlRead || control == ControlAnswer;

  // A warp that reports has a row, and no rdctrl in progress.
  logic may_report;
  always_comb begin
    may_report = 1'b0;
    for (int warp = 0; warp < Warps; warp++) begin
      may_report = may_report || (report_warp_i == WarpWidth'(warp) && told_q[warp*Rows+:Rows] != '0);
    end
    if (rst_ni) begin
      assume (!control_accept || 32'(control_warp_i) < Warps);
      assume (!report_accept || may_report);
      assume (!report_accept || control == ControlNone || report_warp_i != control_warp);
      // warp_renaming_properties shows that a look-up returns the row that was last bound.
      assume (!started || look_up_row_of_warp == '0 || look_up_row_of_warp == only(1'b1, look_up_row));
    end
  end

  // ray_state_table_properties shows that a read returns states as in the summary.
  logic read_q;
  logic [3:0] read_summary_q;
  always_ff @(posedge clk_i) begin
    read_q <= rst_ni && started && table_read;
    read_summary_q <= read_summary;
  end
  always_comb begin
    if (read_q) begin
      assume (read_summary_q == {|(table_high & table_low), |(table_high & ~table_low), |(~table_high & table_low), |(~table_high & ~table_low)});
    end
  end

  logic [Rows-1:0] rows_of_warps;
  logic shared_row, as_looked_up, as_told;
  always_comb begin
    rows_of_warps = '0;
    shared_row = 1'b0;
    as_looked_up = 1'b1;
    as_told = 1'b1;
    for (int warp = 0; warp < Warps; warp++) begin
      shared_row = shared_row || (rows_of_warps & bindings_q[warp*Rows+:Rows]) != '0;
      rows_of_warps = rows_of_warps | bindings_q[warp*Rows+:Rows];
      as_looked_up = as_looked_up && has_row[warp] == (bindings_q[warp*Rows+:Rows] != '0);
      if (!(decided_or_told && control_warp == WarpWidth'(warp))) begin
        as_told = as_told && told_q[warp*Rows+:Rows] == bindings_q[warp*Rows+:Rows];
      end
    end
  end

  // The report in progress, as its ports had it.
  logic [1:0] report_age_q;
  logic [WarpWidth-1:0] report_warp_q;
  logic [Lanes-1:0] report_lanes_q, report_high_q, report_low_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) report_age_q <= '0;
    else if (report_accept || report_age_q != '0) report_age_q <= report_age_q + 2'd1;
    if (report_accept) begin
      report_warp_q <= report_warp_i;
      report_lanes_q <= report_lanes_i;
      report_high_q <= report_high_i;
      report_low_q <= report_low_i;
    end
  end

  logic [Rows-1:0] told_next, chosen;
  assign told_next = only(decided_or_told && decided == Row, decided_row);
  assign chosen = only(stage >= ReadFirst, choice_source) | only(stage >= ReadFirst, choice_destination);

  logic [3:0] answer_states;
  assign answer_states = {|(answer_high & answer_low), |(answer_high & ~answer_low), |(~answer_high & answer_low), 1'b0};

  always_comb begin
    if (rst_ni) begin
      // --- Warps and rows.
      row_of_one_warp : assert (!shared_row);
      rows_of_warps_are_bound : assert (bound == rows_of_warps);
      warps_with_rows : assert (as_looked_up);
      rows_as_told : assert (as_told);
      no_change_at_start : assert (!starts || !change);
      // A row is given in one state.
      row_of_one_state : assert (!(answer_valid && answer == Row) || answer_states == 4'b0010 || answer_states == 4'b0100 ||
                                 answer_states == 4'b1000);
      // A warp exits only if no ray is left for it: other warps have all rows with rays.
      exit_without_rays : assert (!(decides && next_answer == Exit) ||
                                  (with_rays & ~(bound & ~only(own_bound, own_row))) == '0);

      // --- rdctrl.
      control_stages : assert (control <= ControlAnswer);
      control_after_start : assert (started || (control == ControlNone && report == ReportNone && candidates == '0 &&
          !next_valid));
      control_warp_in_range : assert (control == ControlNone || 32'(control_warp) < Warps);
      own_row_as_bound : assert (!(control == ControlLook || control == ControlDecide) ||
          control_row == only(own_bound, own_row));
      rows_in_range : assert ((!own_bound || !(control == ControlLook || control == ControlDecide) || 32'(own_row) < Rows) &&
                              (!decided_or_told || decided != Row || 32'(decided_row) < Rows));
      own_row_is_bound : assert (!(control == ControlDecide) || own_bound || (!own_full && !own_rays));
      own_row_is_full : assert (!(control == ControlDecide && own_full) || full[own_row]);
      own_row_with_rays : assert (!(control == ControlDecide && own_bound) || own_rays == with_rays[own_row]);
      decided_as_bound : assert (!decided_or_told || control_row == only(decided == Row, decided_row));
      decided_row_is_uniform : assert (!(decided_or_told && decided == Row) || uniform[decided_row]);
      reads_a_row : assert (control != ControlRead || decided == Row);
      choice_was_read : assert (!(stage == TakeFirst || stage == TakeSecond) || read_q);
      // The answer's states are those of the last cycle's read.
      answer_was_read : assert (!(control == ControlAnswer && decided == Row) ||
                                (read_q && (read_summary_q[3:1] == 3'b001 || read_summary_q[3:1] == 3'b010 ||
                                read_summary_q[3:1] == 3'b100)));

      // --- Reports: a report changes the row of its warp.
      report_in_progress : assert (report == report_age_q && (report == ReportNone || (report_warp == report_warp_q &&
          32'(report_warp) < Warps &&
                                   report_lanes == report_lanes_q && report_high == report_high_q &&
                                   report_low == report_low_q)));
      report_of_bound_row : assert (report == ReportNone || (reporting_row != '0 && (reporting_row & ~bound) == '0));
      report_to_row_of_warp : assert (report == ReportNone || report == ReportLookUp ||
                                      (reporting_row == only(1'b1, report_row) && bound[report_row]));
      report_before_control : assert (report == ReportNone || control < ControlLook || report_warp != control_warp);
      written_before_control : assert (!started || control < ControlLook || !pending ||
          (control_row & only(1'b1, pending_row)) == '0);

      // --- The next row for a warp is in one state and free, or was just taken.
      candidates_uniform : assert ((candidates & ~uniform) == '0);
      candidates_bound : assert ((candidates & bound & ~(control == ControlRead ? told_next : '0)) == '0);
      candidates_swapping : assert ((candidates & swapping & ~(stage == ReadFirst ? chosen : '0)) == '0);
      next_uniform : assert (!next_valid || (32'(next_row) < Rows && uniform[next_row]));
      next_bound : assert (!next_valid || !bound[next_row] || told_next[next_row]);
      next_swapping : assert (!next_valid || !swapping[next_row] || ((stage == ReadFirst || stage == TakeFirst) &&
          chosen[next_row]));
      offered_uniform : assert (!(control == ControlDecide && offered_valid) || (32'(offered_row) < Rows &&
          uniform[offered_row]));
      offered_bound : assert (!(control == ControlDecide && offered_valid) || !bound[offered_row]);
      offered_swapping : assert (!(control == ControlDecide && offered_valid) || !swapping[offered_row] ||
                                 ((stage == ReadFirst || stage == TakeFirst || stage == ReadSecond) && chosen[offered_row]));

      // --- In a swap, the source's entry of the table keeps rays until the destination's entry has its new rays.
      source_keeps_rays : assert (!started || !(update != '0 || (pending && swapping[pending_row])) || with_rays[swap_source]);

      if (Wrong == 7) assert (!change || !binds);
    end
  end
endmodule

bind dynamic_ray_shuffling dynamic_ray_shuffling_properties #(
  .Warps     (Warps),
  .BackupRows(BackupRows),
  .Lanes     (Lanes)
) i_warps_properties (
  .clk_i             (clk_i),
  .rst_ni            (rst_ni),
  .control_valid_i   (control_valid_i),
  .control_ready     (control_ready_o),
  .control_warp_i    (control_warp_i),
  .answer_valid      (answer_valid_o),
  .answer            (answer_o),
  .answer_row        (answer_row_o),
  .answer_high       (answer_high_o),
  .answer_low        (answer_low_o),
  .report_valid_i    (report_valid_i),
  .report_ready      (report_ready_o),
  .report_warp_i     (report_warp_i),
  .report_lanes_i    (report_lanes_i),
  .report_high_i     (report_high_i),
  .report_low_i      (report_low_i),
  .starts            (starts),
  .started           (started_q),
  .uniform           (uniform),
  .full              (full),
  .with_rays         (with_rays),
  .read_summary      ({leaf[table_row], inner[table_row], fetch[table_row], none[table_row]}),
  .bound             (bound),
  .swapping          (swapping),
  .has_row           (i_renaming.has_row_q),
  .look_up_warp      (report_q == ReportLookUp ? report_warp_q : control_warp_q),
  .look_up_row       (look_up_row),
  .change            (decides & ~own_full_q),
  .change_warp       (control_warp_q),
  .binds             (binds),
  .bind_row          (offered_row_q),
  .report            (report_q),
  .report_warp       (report_warp_q),
  .report_row        (report_row_q),
  .report_lanes      (report_lanes_q),
  .report_high       (report_high_q),
  .report_low        (report_low_q),
  .control           (control_q),
  .control_warp      (control_warp_q),
  .own_bound         (own_bound_q),
  .own_row           (own_row_q),
  .own_full          (own_full_q),
  .own_rays          (own_rays_q),
  .next_answer       (answer_d),
  .decides           (decides),
  .decided           (answer_q),
  .decided_row       (answer_row_q),
  .candidates        (candidates_q),
  .next_valid        (next_valid_q),
  .next_row          (next_row_q),
  .offered_valid     (offered_valid_q),
  .offered_row       (offered_row_q),
  .stage             (i_control.stage_q),
  .choice_source     (i_control.choice_source),
  .choice_destination(i_control.choice_destination),
  .update            (i_control.update_q),
  .swap_source       (swap_source),
  .table_read        (table_read),
  .table_high        (table_high),
  .table_low         (table_low),
  .pending           (table_writes),
  .pending_row       (i_table.write_row_q)
);
