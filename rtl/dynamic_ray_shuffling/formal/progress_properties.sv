// SPDX-License-Identifier: Apache-2.0
// Bounds of all waits within the block: only the register file can delay a swap for longer. Bound to the block. Proved for any
// rows, bindings and swaps.
module progress_properties #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  parameter int unsigned Wrong = 0,  // 8, 9: a wrong property, which the proof must refute
  localparam int unsigned Steps = $clog2(Lanes),
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                control_valid_i,
  input logic                control_ready,
  input logic                answer_valid,
  input logic [1:0]          answer,
  input logic [RowWidth-1:0] answer_row,
  input logic [2*Lanes-1:0]  answer_states,
  input logic                report_valid_i,
  input logic                report_ready,
  // Internal signals of the block.
  input logic                started,
  input logic [RowWidth:0]   start_row,
  input logic [2:0]          control,
  input logic [1:0]          decided,
  input logic                locks,
  input logic [1:0]          report,
  // The choice.
  input logic [3:0]          stage,
  input logic [Steps-1:0]    step,
  input logic [2:0]          update,
  input logic                reads,
  input logic                read_grant,
  input logic                offered,
  input logic                offer_ready,
  input logic                busy
);
  localparam logic [2:0] ControlNone = 3'd0;
  localparam logic [2:0] ControlLookUp = 3'd1;
  localparam logic [2:0] ControlLook = 3'd2;
  localparam logic [2:0] ControlDecide = 3'd3;
  localparam logic [2:0] ControlRead = 3'd4;
  localparam logic [2:0] ControlAnswer = 3'd5;
  localparam logic [1:0] ReportNone = 2'd0;
  localparam logic [1:0] ReportWrite = 2'd3;
  localparam logic [1:0] Stall = 2'd0;
  localparam logic [1:0] Row = 2'd1;
  localparam logic [1:0] Exit = 2'd2;
  localparam logic [3:0] Sample = 4'd0;
  localparam logic [3:0] ReadFirst = 4'd5;
  localparam logic [3:0] TakeFirst = 4'd6;
  localparam logic [3:0] ReadSecond = 4'd7;
  localparam logic [3:0] TakeSecond = 4'd8;
  localparam logic [3:0] Pack = 4'd9;
  localparam logic [3:0] Match = 4'd10;
  localparam logic [2:0] UpdateNone = 3'd0;
  localparam logic [2:0] UpdateReadDestination = 3'd1;
  localparam logic [2:0] UpdateWriteDestination = 3'd2;
  localparam logic [2:0] UpdateReadSource = 3'd3;
  localparam logic [2:0] UpdateWriteSource = 3'd4;

  // Reset is active in the first cycle.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // Cycle counts: since reset; since the rdctrl and the report in progress were accepted; of the wait of the choice's read; of
  // the update; of the choice, without its wait for the last choice.
  logic [RowWidth:0] cycle_q;
  logic [3:0] control_age_q;
  logic [1:0] report_age_q;
  logic [1:0] waits_q;
  logic [3:0] update_age_q;
  logic [4:0] choice_age_q;
  logic asked_q, waits_for_last;
  assign waits_for_last = stage == ReadFirst && (offered || update != UpdateNone);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_q <= '0;
      asked_q <= 1'b0;
      control_age_q <= '0;
      report_age_q <= '0;
      waits_q <= '0;
      update_age_q <= '0;
      choice_age_q <= '0;
    end else begin
      if (32'(cycle_q) <= Rows) cycle_q <= cycle_q + (RowWidth + 1)'(1);
      if (control_valid_i && control_ready) asked_q <= 1'b1;
      else if (answer_valid) asked_q <= 1'b0;
      if (control_valid_i && control_ready) control_age_q <= 4'd1;
      else if (answer_valid) control_age_q <= '0;
      else if (control_age_q != '0) control_age_q <= control_age_q + 4'd1;
      if ((report_valid_i && report_ready) || report_age_q != '0) report_age_q <= report_age_q + 2'd1;
      waits_q <= reads && !read_grant ? waits_q + 2'd1 : '0;
      update_age_q <= stage == Match ? 4'd1 : update == UpdateNone || update == UpdateWriteSource ? '0 : update_age_q + 4'd1;
      if (stage == Sample) choice_age_q <= 5'd1;
      else if (!waits_for_last) choice_age_q <= choice_age_q + 5'd1;
    end
  end

  // The number of the step in Pack.
  logic [4:0] step_number;
  always_comb begin
    step_number = '0;
    for (int unsigned i = 0; i < Steps; i++) begin
      if (step[i]) step_number = 5'(i);
    end
  end

  always_comb begin
    if (rst_ni) begin
      // The block takes requests from the cycle after its tables have their first contents.
      starts_in_time : assert (started == (32'(cycle_q) > Rows) && 32'(start_row) == (started ? Rows : 32'(cycle_q)));
      nothing_before : assert (started || (control == ControlNone && report == ReportNone && stage == Sample &&
          update == UpdateNone && !offered));

      // Each rdctrl gets one answer, after 4 to 10 cycles.
      one_answer : assert (asked_q == (control != ControlNone) && asked_q == (control_age_q != '0) && (!answer_valid || asked_q));
      ready_until_asked : assert (control_ready == (started && !asked_q));
      answer_in_time : assert (control_age_q <= 4'd10 && (!answer_valid || control_age_q >= (answer == Row ? 4'd5 : 4'd4)));
      answer_is_told : assert (answer_valid == (control == ControlAnswer) && (answer == Stall || answer == Exit ||
          answer == Row) &&
                               (answer_valid || answer == Stall) && (answer == Row || (answer_row == '0 && answer_states == '0)));
      decided_in_range : assert (!(control == ControlRead && decided != Row) && !(control == ControlAnswer && decided > Exit));
      // Reports of other warps, a choice that locks its rows, and a report that reads delay it.
      age_of_look_up : assert (control != ControlLookUp || (control_age_q >= 4'd1 &&
          control_age_q <= (report == ReportNone ? 4'd4 : 4'(report))));
      age_of_look : assert (control != ControlLook || (control_age_q >= 4'd2 && control_age_q <= 4'd5));
      age_of_decision : assert (control != ControlDecide || (control_age_q >= 4'd3 && control_age_q <= (locks ? 4'd6 : 4'd7)));
      age_of_read : assert (control != ControlRead || (control_age_q >= 4'd4 &&
          control_age_q <= (report == ReportWrite ? 4'd9 : 4'd8)));

      // A report takes three cycles more.
      report_in_time : assert (report == report_age_q && report_ready == (started && report_age_q == '0));

      // A read of the choice or of its update waits two cycles at most.
      reads_are_granted : assert (waits_q <= 2'd2);
      reads_before : assert (waits_q == 2'd0 || report == ReportWrite || control == ControlAnswer);
      both_read_before : assert (waits_q != 2'd2 || (report == ReportWrite && control == ControlNone) ||
                                 (report == ReportNone && control == ControlAnswer));
      waits_if_it_reads : assert (waits_q == '0 || reads);

      // An update takes eight cycles at most. The choice waits for its rows only until the last choice's update is done and the swap
      // before it has ended.
      update_in_time : assert ((update_age_q != '0) == (update != UpdateNone) && update_age_q <= 4'd8 &&
                               (update != UpdateReadDestination || update_age_q <= 4'd1 + 4'(waits_q)) &&
                               (update != UpdateWriteDestination || update_age_q <= 4'd4) &&
                               (update != UpdateReadSource || update_age_q <= 4'd5 + 4'(waits_q)));
      last_one_moves : assert (!offered || offer_ready || busy);
      choice_in_time : assert (stage == Sample || choice_age_q <= 5'(13 + Steps));
      age_of_choice : assert ((stage == Sample || stage >= ReadFirst || choice_age_q == 5'(stage)) &&
                              (stage != ReadFirst || choice_age_q <= 5'd5 + (waits_for_last ? 5'd0 : 5'(waits_q))) &&
                              (stage != TakeFirst || choice_age_q <= 5'd8) &&
                              (stage != ReadSecond || choice_age_q <= 5'd9 + 5'(waits_q)) &&
                              (stage != TakeSecond || choice_age_q <= 5'd12) &&
                              (stage != Pack || (choice_age_q <= 5'd13 + step_number && $onehot(step))));
      stages : assert (stage <= Match && update <= UpdateWriteSource && control <= ControlAnswer);
      one_reader : assert (update == UpdateNone || stage <= ReadFirst);

      if (Wrong == 8) assert (control_age_q < 4'd10);
      if (Wrong == 9) assert (stage == Sample || choice_age_q < 5'(11 + Steps));
    end
  end
endmodule

bind dynamic_ray_shuffling progress_properties #(
  .Warps     (Warps),
  .BackupRows(BackupRows),
  .Lanes     (Lanes)
) i_progress_properties (
  .clk_i          (clk_i),
  .rst_ni         (rst_ni),
  .control_valid_i(control_valid_i),
  .control_ready  (control_ready_o),
  .answer_valid   (answer_valid_o),
  .answer         (answer_o),
  .answer_row     (answer_row_o),
  .answer_states  ({answer_high_o, answer_low_o}),
  .report_valid_i (report_valid_i),
  .report_ready   (report_ready_o),
  .started        (started_q),
  .start_row      (start_row_q),
  .control        (control_q),
  .decided        (answer_q),
  .locks          (locks),
  .report         (report_q),
  .stage          (i_control.stage_q),
  .step           (i_control.step_q),
  .update         (i_control.update_q),
  .reads          (choice_reads),
  .read_grant     (choice_reads & ~report_reads & ~control_reads),
  .offered        (swap_valid),
  .offer_ready    (swap_ready),
  .busy           (busy)
);
