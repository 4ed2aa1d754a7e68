// SPDX-License-Identifier: Apache-2.0
// Properties of the choice of two rows for a swap. Bound to the block. Proved with dynamic_ray_shuffling_properties and
// swaps_properties.
module choices_properties #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  localparam int unsigned Units = 3,
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic [Rows-1:0]           bound,
  input logic [Rows-1:0]           swapping,
  input logic [Rows-1:0]           full,
  input logic [Rows-1:0]           leaf,
  input logic [Rows-1:0]           fetch,
  input logic [Rows-1:0]           inner,
  input logic [2:0]                control,
  input logic [3:0]                read_summary,     // of the row that the table reads: {leaf, inner, fetch, none}
  // The choice.
  input logic [3:0]                stage,
  input logic [1:0]                unit,
  input logic [Units-1:0]          special_valid,
  input logic [Units*RowWidth-1:0] special_row,
  input logic [Rows-1:0]           others,
  input logic [Rows-1:0]           some,
  input logic [Rows-1:0]           pure_rows,
  input logic [Rows-1:0]           spare,
  input logic [Rows-1:0]           pick,
  input logic                      held,
  input logic                      blocked,
  input logic                      kept,
  input logic                      first_valid,
  input logic [RowWidth-1:0]       first_row,
  input logic [RowWidth-1:0]       second_row,
  input logic [RowWidth-1:0]       choice_source,
  input logic [RowWidth-1:0]       choice_destination,
  input logic [Lanes-1:0]          source_lanes,
  input logic [Lanes-1:0]          destination_lanes
);
  localparam logic [1:0] Inner = 2'd2;
  localparam logic [3:0] Weigh = 4'd1;
  localparam logic [3:0] First = 4'd2;
  localparam logic [3:0] Second = 4'd3;
  localparam logic [3:0] Lock = 4'd4;
  localparam logic [3:0] ReadFirst = 4'd5;
  localparam logic [3:0] TakeFirst = 4'd6;
  localparam logic [3:0] ReadSecond = 4'd7;
  localparam logic [3:0] TakeSecond = 4'd8;
  localparam logic [3:0] Match = 4'd10;
  localparam logic [2:0] ControlNone = 3'd0;
  localparam logic [2:0] ControlLookUp = 3'd1;
  localparam logic [2:0] ControlRead = 3'd4;
  localparam logic [2:0] ControlAnswer = 3'd5;

  function automatic logic [Rows-1:0] only(input logic [RowWidth-1:0] row);
    only = Rows'(1) << row;
  endfunction

  logic collects, selecting, has_first, chosen;
  logic [Rows-1:0] wanted, own_special;
  assign collects = unit != Inner;
  assign selecting = stage >= Weigh && stage <= Lock;
  assign has_first = (stage == Second && first_valid && !blocked) || stage == Lock;
  assign chosen = stage >= ReadFirst;
  assign wanted = unit == 2'd0 ? leaf : unit == 2'd1 ? fetch : inner;
  assign own_special = only(unit == 2'd0 ? special_row[0+:RowWidth] : unit == 2'd1 ? special_row[RowWidth+:RowWidth]
                                                                               : special_row[2*RowWidth+:RowWidth]);

  // A warp that got one of the sampled rows has not released it.
  logic just_bound;
  always_comb begin
    just_bound = control == ControlRead;
    if (stage != Weigh) just_bound = just_bound || control == ControlAnswer;
    if (stage >= Second) just_bound = just_bound || control == ControlNone;
    if (stage == Lock) just_bound = just_bound || control == ControlLookUp;
  end

  // Rows are as they were sampled: neither swapping nor full, unless a warp got them.
  function automatic logic as_sampled(input logic [Rows-1:0] rows);
    as_sampled = (rows & swapping) == '0 && (rows & full & ~bound) == '0 && (just_bound || (rows & bound) == '0);
  endfunction

  // What the last read found.
  logic [3:0] read_q;
  always_ff @(posedge clk_i) read_q <= read_summary;

  always_comb begin
    if (rst_ni) begin
      special_rows_differ : assert (!(special_valid[0] && special_valid[1]) ||
          special_row[0+:RowWidth] != special_row[RowWidth+:RowWidth]);
      special_in_range : assert (32'(special_row[0+:RowWidth]) < Rows && 32'(special_row[RowWidth+:RowWidth]) < Rows &&
                                 32'(special_row[2*RowWidth+:RowWidth]) < Rows);
      unit_in_range : assert (unit <= Inner);
      held_is_valid : assert (!(selecting && held) || |(special_valid & (Units'(1) << unit)));
      kept_if_blocked : assert (!(stage == First || stage == Second) || ((!blocked || kept) && (!kept || held)));
      blocked_is_held : assert (!selecting || !blocked || held);
      sampled_some : assert (!selecting || as_sampled(some));
      sampled_wanted : assert (!selecting || (some & ~wanted & ~bound) == '0);
      sampled_pure : assert (stage != Weigh || (pure_rows & ~some) == '0);
      sampled_spare : assert (stage != Weigh || as_sampled(spare));
      sampled_special : assert (stage != Weigh || !held || blocked || as_sampled(own_special));
      ordinary_picks : assert (stage != Weigh || ((pure_rows | spare) & others) == '0);
      ordinary_some : assert (!selecting || collects || (some & others) == '0);
      picked : assert (stage != First || blocked || as_sampled(pick));
      pick_not_other : assert (stage != First || blocked || (pick & others) == '0);
      pick_to_eject : assert (stage != First || collects || blocked || (pick & ~some) == '0);
      first : assert (!has_first || (32'(first_row) < Rows && as_sampled(only(first_row))));
      first_not_other : assert (!has_first || !others[first_row]);
      first_to_eject : assert (!has_first || collects || some[first_row]);
      second : assert (stage != Lock || (32'(second_row) < Rows && some[second_row] && second_row != first_row));

      // The source has rays to move, but is not full of them; the destination has lanes for them.
      source_has_rays : assert (!chosen || wanted[choice_source]);
      not_full : assert (!chosen || (!full[choice_source] && !full[choice_destination]));
      read_destination : assert (stage != TakeFirst || {read_q[3] + read_q[2] + read_q[1] > 1, read_q[0]} != 2'b00);
      read_source : assert (stage != TakeSecond || (|(read_q[3:1] & {unit == 2'd0, unit == 2'd2, unit == 2'd1}) &&
          (read_q[0] || |(read_q[3:1] & ~{unit == 2'd0, unit == 2'd2, unit == 2'd1}))));
      lanes_for_rays : assert (!(stage >= ReadSecond && stage <= Match) || destination_lanes != '0);
      rays_for_lanes : assert (!(stage > TakeSecond && stage <= Match) || source_lanes != '0);
      fits_a_buffer : assert (!(stage > TakeSecond && stage <= Match) || !(&source_lanes));
    end
  end
endmodule

bind dynamic_ray_shuffling choices_properties #(
  .Warps     (Warps),
  .BackupRows(BackupRows),
  .Lanes     (Lanes)
) i_choices_properties (
  .clk_i             (clk_i),
  .rst_ni            (rst_ni),
  .bound             (bound),
  .swapping          (swapping),
  .full              (full),
  .leaf              (leaf),
  .fetch             (fetch),
  .inner             (inner),
  .control           (control_q),
  .read_summary      ({leaf[table_row], inner[table_row], fetch[table_row], none[table_row]}),
  .stage             (i_control.stage_q),
  .unit              (i_control.unit_q),
  .special_valid     (i_control.special_valid_q),
  .special_row       (i_control.special_row_q),
  .others            (i_control.others),
  .some              (i_control.i_rows.some_q),
  .pure_rows         (i_control.i_rows.pure_q),
  .spare             (i_control.i_rows.spare_q),
  .pick              (i_control.i_rows.pick_q),
  .held              (i_control.i_rows.held_q),
  .blocked           (i_control.i_rows.blocked_q),
  .kept              (i_control.i_rows.kept_q),
  .first_valid       (i_control.i_rows.first_valid_q),
  .first_row         (i_control.first_row),
  .second_row        (i_control.second_row),
  .choice_source     (i_control.choice_source),
  .choice_destination(i_control.choice_destination),
  .source_lanes      (swap_source_lanes),
  .destination_lanes (swap_destination_lanes)
);
