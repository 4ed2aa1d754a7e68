// SPDX-License-Identifier: Apache-2.0
// Dynamic ray shuffling (Lü et al., MICRO 2017, section 3): binds warps to rows of rays in one state, and swaps rays
// between rows that are not bound to a warp. It equals its model, models/schemes/dynamic_ray_shuffling, in every cycle.
//
// In a cycle, at most one warp executes rdctrl, and at most one warp, which must have a row, reports states. A warp that
// stalls at rdctrl repeats it. A request to the register file stays valid until it is granted; only valid requests may be
// granted.
module dynamic_ray_shuffling #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  parameter int unsigned SwapBuffers = 6,
  parameter int unsigned RayRegisters = 17,
  parameter int unsigned WordWidth = 32,
  localparam int unsigned Units = 3,  // collect leaf rays, collect fetch rays, eject inner rays
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned RegisterWidth = $clog2(RayRegisters),
  localparam int unsigned RowWords = Lanes * WordWidth,
  localparam int unsigned MovesWidth = Lanes * $clog2(Lanes)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // rdctrl, answered in the same cycle.
  input  logic                           control_valid_i,
  input  logic [WarpWidth-1:0]           control_warp_i,
  output logic [1:0]                     control_answer_o,  // 0: stall; 1: row; 2: exit
  output logic [RowWidth-1:0]            control_row_o,     // 0 without a row
  output logic [Lanes-1:0]               control_high_o,    // states of its lanes; 0 without a row
  output logic [Lanes-1:0]               control_low_o,
  // A report: a write of the ray-state register.
  input  logic                           report_valid_i,
  input  logic [WarpWidth-1:0]           report_warp_i,
  input  logic [Lanes-1:0]               report_lanes_i,
  input  logic [Lanes-1:0]               report_high_i,
  input  logic [Lanes-1:0]               report_low_i,
  // The register file, one port for each unit. Read words arrive with the grant; words to write are valid with the request.
  output logic [Units-1:0]               read_valid_o,
  output logic [Units*RowWidth-1:0]      read_row_o,
  output logic [Units*RegisterWidth-1:0] read_register_o,
  output logic [Units*Lanes-1:0]         read_lanes_o,
  input  logic [Units-1:0]               read_grant_i,
  input  logic [Units*RowWords-1:0]      read_words_i,
  output logic [Units-1:0]               write_valid_o,
  output logic [Units*RowWidth-1:0]      write_row_o,
  output logic [Units*RegisterWidth-1:0] write_register_o,
  output logic [Units*Lanes-1:0]         write_lanes_o,
  output logic [Units*RowWords-1:0]      write_words_o,     // 0 unless valid; undefined outside write_lanes_o
  input  logic [Units-1:0]               write_grant_i,
  // Nothing changes until a warp executes rdctrl or reports.
  output logic                           idle_o,
  // A warp without a row would not stall at rdctrl in this cycle.
  output logic                           has_answer_o
);
  localparam int unsigned Leaf = 0;
  localparam int unsigned Fetch = 1;
  localparam int unsigned Inner = 2;
  // The state that each unit moves: leaf 11, fetch 01, inner 10.
  localparam logic [Units-1:0] Highs = 3'b101;
  localparam logic [Units-1:0] Lows = 3'b011;

  // Properties of rows, one bit for each row.
  logic [Rows-1:0] with_none, with_fetch, with_inner, with_leaf, with_rays, uniform, full, bound;
  logic [Rows-1:0] swapping_d, swapping_q;
  // verilator lint_off UNUSEDSIGNAL
  logic [Rows*Lanes-1:0] all_high, all_low;  // for properties
  logic [Units-1:0] swap_both_ways;
  logic [Warps-1:0] has_row;
  logic [Warps*RowWidth-1:0] rows_of_warps;
  // verilator lint_on UNUSEDSIGNAL
  logic quiet_d, quiet_q, draining_d, draining_q;

  assign with_rays = with_fetch | with_inner | with_leaf;
  assign uniform = with_rays & ~((with_fetch & with_inner) | (with_fetch & with_leaf) | (with_inner & with_leaf));
  assign full = uniform & ~with_none;

  // Answer to rdctrl.
  logic own_bound, own_full, rays_unbound, full_valid, partial_valid, row_valid, leaves, change;
  logic [RowWidth-1:0] own_row, full_row, partial_row, next_row, table_row, report_row;
  logic [Lanes-1:0] table_high, table_low;

  assign own_full = own_bound & full[own_row];
  assign rays_unbound = |(with_rays & ~bound);
  assign leaves = ~own_full & ~(own_bound & with_rays[own_row]) & ~rays_unbound;

  lowest #(.Width(Rows)) i_full (.set_i(full & ~(bound | swapping_q)), .valid_o(full_valid), .index_o(full_row));
  // A row with empty lanes is given only if waiting would not fill them.
  lowest #(
    .Width(Rows)
  ) i_partial (
    .set_i((quiet_q & (draining_q | ~(|bound))) ? uniform & ~(bound | swapping_q) : '0),
    .valid_o(partial_valid),
    .index_o(partial_row)
  );
  assign row_valid = full_valid | partial_valid;
  assign has_answer_o = row_valid | ~rays_unbound;
  assign next_row = full_valid ? full_row : partial_row;
  assign table_row = own_full ? own_row : next_row;
  assign change = control_valid_i & ~own_full;

  always_comb begin
    control_answer_o = 2'd0;
    control_row_o = '0;
    control_high_o = '0;
    control_low_o = '0;
    if (control_valid_i && leaves) begin
      control_answer_o = 2'd2;
    end else if (control_valid_i && (own_full || row_valid)) begin
      control_answer_o = 2'd1;
      control_row_o = table_row;
      control_high_o = table_high;
      control_low_o = table_low;
    end
  end

  warp_renaming #(
    .Warps(Warps),
    .Rows (Rows)
  ) i_renaming (
    .clk_i,
    .rst_ni,
    .change_i       (change),
    .bind_i         (~leaves & row_valid),
    .warp_i         (control_warp_i),
    .row_i          (next_row),
    .control_bound_o(own_bound),
    .control_row_o  (own_row),
    .report_warp_i,
    .report_row_o   (report_row),
    .bound_o        (bound),
    .has_row_o      (has_row),
    .rows_o         (rows_of_warps)
  );

  // Swaps that the units start in this cycle. A later unit sees the rows that earlier units took.
  logic [Units-1:0] busy, ends, start, both_ways;
  logic [Units-1:0] special_valid_d, special_valid_q;
  logic [Units*RowWidth-1:0] special_row_d, special_row_q, source, destination, swap_source, swap_destination;
  logic [Units*Lanes-1:0] source_high, source_low, destination_high, destination_low;
  logic [Units*Lanes-1:0] source_lanes, destination_lanes, swap_source_lanes, swap_destination_lanes;
  logic [Units*MovesWidth-1:0] source_moves, destination_moves;
  logic [Units*Lanes-1:0] swap_high, swap_low;
  logic [Rows-1:0] taken_by_leaf, taken_by_fetch;

  collect_choice #(
    .Rows(Rows)
  ) i_collect_leaf (
    .busy_i         (busy[Leaf]),
    .bound_i        (bound),
    .swapping_i     (swapping_q),
    .full_i         (full),
    .uniform_i      (uniform),
    .empty_i        (~with_rays),
    .wanted_i       (with_leaf),
    .special_valid_i(special_valid_q[Leaf]),
    .special_row_i  (special_row_q[Leaf*RowWidth+:RowWidth]),
    .other_valid_i  (special_valid_q[Fetch]),
    .other_row_i    (special_row_q[Fetch*RowWidth+:RowWidth]),
    .special_valid_o(special_valid_d[Leaf]),
    .special_row_o  (special_row_d[Leaf*RowWidth+:RowWidth]),
    .start_o        (start[Leaf]),
    .source_o       (source[Leaf*RowWidth+:RowWidth]),
    .destination_o  (destination[Leaf*RowWidth+:RowWidth])
  );

  assign taken_by_leaf = start[Leaf] ? (Rows'(1) << source[Leaf*RowWidth+:RowWidth]) |
                                       (Rows'(1) << destination[Leaf*RowWidth+:RowWidth]) : '0;

  collect_choice #(
    .Rows(Rows)
  ) i_collect_fetch (
    .busy_i         (busy[Fetch]),
    .bound_i        (bound),
    .swapping_i     (swapping_q | taken_by_leaf),
    .full_i         (full),
    .uniform_i      (uniform),
    .empty_i        (~with_rays),
    .wanted_i       (with_fetch),
    .special_valid_i(special_valid_q[Fetch]),
    .special_row_i  (special_row_q[Fetch*RowWidth+:RowWidth]),
    .other_valid_i  (special_valid_d[Leaf]),
    .other_row_i    (special_row_d[Leaf*RowWidth+:RowWidth]),
    .special_valid_o(special_valid_d[Fetch]),
    .special_row_o  (special_row_d[Fetch*RowWidth+:RowWidth]),
    .start_o        (start[Fetch]),
    .source_o       (source[Fetch*RowWidth+:RowWidth]),
    .destination_o  (destination[Fetch*RowWidth+:RowWidth])
  );

  assign taken_by_fetch = start[Fetch] ? (Rows'(1) << source[Fetch*RowWidth+:RowWidth]) |
                                         (Rows'(1) << destination[Fetch*RowWidth+:RowWidth]) : '0;

  eject_choice #(
    .Rows(Rows)
  ) i_eject_inner (
    .busy_i         (busy[Inner]),
    .bound_i        (bound),
    .swapping_i     (swapping_q | taken_by_leaf | taken_by_fetch),
    .full_i         (full),
    .inner_i        (with_inner),
    .special_valid_i(special_valid_q[Inner]),
    .special_row_i  (special_row_q[Inner*RowWidth+:RowWidth]),
    .leaf_valid_i   (special_valid_d[Leaf]),
    .leaf_row_i     (special_row_d[Leaf*RowWidth+:RowWidth]),
    .fetch_valid_i  (special_valid_d[Fetch]),
    .fetch_row_i    (special_row_d[Fetch*RowWidth+:RowWidth]),
    .special_valid_o(special_valid_d[Inner]),
    .special_row_o  (special_row_d[Inner*RowWidth+:RowWidth]),
    .start_o        (start[Inner]),
    .source_o       (source[Inner*RowWidth+:RowWidth]),
    .destination_o  (destination[Inner*RowWidth+:RowWidth])
  );

  for (genvar unit = 0; unit < Units; unit++) begin : gen_unit
    logic [Lanes-1:0] given, there, rays;

    // The lanes are needed only when a swap starts; otherwise there are none.
    assign given = {Lanes{start[unit]}} & ~(source_high[unit*Lanes+:Lanes] ^ {Lanes{Highs[unit]}}) &
                   ~(source_low[unit*Lanes+:Lanes] ^ {Lanes{Lows[unit]}});
    assign there = ~(destination_high[unit*Lanes+:Lanes] ^ {Lanes{Highs[unit]}}) &
                   ~(destination_low[unit*Lanes+:Lanes] ^ {Lanes{Lows[unit]}});
    assign rays = destination_high[unit*Lanes+:Lanes] | destination_low[unit*Lanes+:Lanes];

    swap_choice #(
      .Lanes(Lanes)
    ) i_choice (
      .given_i            (given),
      .empty_i            (~rays & {Lanes{start[unit]}}),
      .other_i            (rays & ~there & {Lanes{start[unit]}}),
      .source_lanes_o     (source_lanes[unit*Lanes+:Lanes]),
      .destination_lanes_o(destination_lanes[unit*Lanes+:Lanes]),
      .source_moves_o     (source_moves[unit*MovesWidth+:MovesWidth]),
      .destination_moves_o(destination_moves[unit*MovesWidth+:MovesWidth]),
      .both_ways_o        (both_ways[unit])
    );

    swap_buffers #(
      .Rows        (Rows),
      .Lanes       (Lanes),
      .Buffers     (SwapBuffers / Units),
      .RayRegisters(RayRegisters),
      .Width       (WordWidth)
    ) i_buffers (
      .clk_i,
      .rst_ni,
      .start_i            (start[unit]),
      .source_i           (source[unit*RowWidth+:RowWidth]),
      .destination_i      (destination[unit*RowWidth+:RowWidth]),
      .source_lanes_i     (source_lanes[unit*Lanes+:Lanes]),
      .destination_lanes_i(destination_lanes[unit*Lanes+:Lanes]),
      .source_moves_i     (source_moves[unit*MovesWidth+:MovesWidth]),
      .destination_moves_i(destination_moves[unit*MovesWidth+:MovesWidth]),
      .both_ways_i        (both_ways[unit]),
      .destination_high_i (destination_high[unit*Lanes+:Lanes]),
      .destination_low_i  (destination_low[unit*Lanes+:Lanes]),
      .busy_o             (busy[unit]),
      .ends_o             (ends[unit]),
      .both_ways_o        (swap_both_ways[unit]),
      .source_o           (swap_source[unit*RowWidth+:RowWidth]),
      .destination_o      (swap_destination[unit*RowWidth+:RowWidth]),
      .source_lanes_o     (swap_source_lanes[unit*Lanes+:Lanes]),
      .destination_lanes_o(swap_destination_lanes[unit*Lanes+:Lanes]),
      .source_high_o      (swap_high[unit*Lanes+:Lanes]),
      .source_low_o       (swap_low[unit*Lanes+:Lanes]),
      .read_valid_o       (read_valid_o[unit]),
      .read_row_o         (read_row_o[unit*RowWidth+:RowWidth]),
      .read_register_o    (read_register_o[unit*RegisterWidth+:RegisterWidth]),
      .read_lanes_o       (read_lanes_o[unit*Lanes+:Lanes]),
      .read_grant_i       (read_grant_i[unit]),
      .read_words_i       (read_words_i[unit*RowWords+:RowWords]),
      .write_valid_o      (write_valid_o[unit]),
      .write_row_o        (write_row_o[unit*RowWidth+:RowWidth]),
      .write_register_o   (write_register_o[unit*RegisterWidth+:RegisterWidth]),
      .write_lanes_o      (write_lanes_o[unit*Lanes+:Lanes]),
      .write_words_o      (write_words_o[unit*RowWords+:RowWords]),
      .write_grant_i      (write_grant_i[unit])
    );
  end

  ray_state_table #(
    .Rows    (Rows),
    .FullRows(Warps + BackupRows),
    .Lanes   (Lanes),
    .Highs   (Highs),
    .Lows    (Lows)
  ) i_table (
    .clk_i,
    .rst_ni,
    .report_valid_i,
    .report_row_i            (report_row),
    .report_lanes_i,
    .report_high_i,
    .report_low_i,
    .swap_valid_i            (ends),
    .swap_source_i           (swap_source),
    .swap_destination_i      (swap_destination),
    .swap_source_lanes_i     (swap_source_lanes),
    .swap_destination_lanes_i(swap_destination_lanes),
    .swap_high_i             (swap_high),
    .swap_low_i              (swap_low),
    .control_row_i           (table_row),
    .control_high_o          (table_high),
    .control_low_o           (table_low),
    .source_row_i            (source),
    .source_high_o           (source_high),
    .source_low_o            (source_low),
    .destination_row_i       (destination),
    .destination_high_o      (destination_high),
    .destination_low_o       (destination_low),
    .none_o                  (with_none),
    .fetch_o                 (with_fetch),
    .inner_o                 (with_inner),
    .leaf_o                  (with_leaf),
    .high_o                  (all_high),
    .low_o                   (all_low)
  );

  always_comb begin
    swapping_d = swapping_q;
    for (int unit = 0; unit < Units; unit++) begin
      if (ends[unit]) begin
        swapping_d[swap_source[unit*RowWidth+:RowWidth]] = 1'b0;
        swapping_d[swap_destination[unit*RowWidth+:RowWidth]] = 1'b0;
      end
      if (start[unit]) begin
        swapping_d[source[unit*RowWidth+:RowWidth]] = 1'b1;
        swapping_d[destination[unit*RowWidth+:RowWidth]] = 1'b1;
      end
    end
  end

  // A released row may enable a swap.
  assign quiet_d = ~(|busy) & ~(|start) & ~(change & own_bound);
  assign draining_d = draining_q | (report_valid_i & (|(report_lanes_i & ~report_high_i & ~report_low_i)));
  assign idle_o = quiet_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      swapping_q <= '0;
      special_valid_q <= '0;
      special_row_q <= '0;
      quiet_q <= 1'b1;
      draining_q <= 1'b0;
    end else begin
      swapping_q <= swapping_d;
      special_valid_q <= special_valid_d;
      special_row_q <= special_row_d;
      quiet_q <= quiet_d;
      draining_q <= draining_d;
    end
  end
endmodule
