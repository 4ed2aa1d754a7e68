// SPDX-License-Identifier: Apache-2.0
// Dynamic ray shuffling (Lü et al., MICRO 2017, section 3): binds warps to rows of rays in one state, and swaps rays
// between rows that are not bound to a warp. It equals its model, models/schemes/dynamic_ray_shuffling, in every cycle.
// README.md describes the pipeline.
//
// Every output depends on registers only. A warp that reports must have a row, and no rdctrl in progress.
module dynamic_ray_shuffling #(
  parameter int unsigned Warps = 58,         // of the SM, 1 to 64
  parameter int unsigned BackupRows = 1,     // rows in addition to one per warp, 1 to 64
  parameter int unsigned Lanes = 32,         // of a warp, a power of two, 2 to 32
  parameter int unsigned SwapBuffers = 6,    // each holds one register of a row, 2 to 64
  parameter int unsigned RayRegisters = 17,  // registers of a thread that hold its ray, 2 to 256
  parameter int unsigned WordWidth = 32,     // bits of a register, 1 to 64
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned FullRows = Warps + BackupRows,  // rows that have rays at first
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned RegisterWidth = RayRegisters > 1 ? $clog2(RayRegisters) : 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // rdctrl: valid only if ready. The answer comes in a later cycle, before the block is ready again.
  input  logic                       control_valid_i,
  output logic                       control_ready_o,
  input  logic [WarpWidth-1:0]       control_warp_i,
  output logic                       answer_valid_o,
  output logic [1:0]                 answer_o,       // 0: stall; 1: row; 2: exit
  output logic [RowWidth-1:0]        answer_row_o,   // 0 without a row
  output logic [Lanes-1:0]           answer_high_o,  // states of its lanes; 0 without a row
  output logic [Lanes-1:0]           answer_low_o,
  // A report, a write of the ray-state register: valid only if ready.
  input  logic                       report_valid_i,
  output logic                       report_ready_o,
  input  logic [WarpWidth-1:0]       report_warp_i,
  input  logic [Lanes-1:0]           report_lanes_i,
  input  logic [Lanes-1:0]           report_high_i,
  input  logic [Lanes-1:0]           report_low_i,
  // The register file: a request is valid until it is granted; only valid requests may be granted. Read words arrive with the
  // grant; words to write are valid with the request.
  output logic                       read_valid_o,
  output logic [RowWidth-1:0]        read_row_o,
  output logic [RegisterWidth-1:0]   read_register_o,
  output logic [Lanes-1:0]           read_lanes_o,
  input  logic                       read_grant_i,
  input  logic [Lanes*WordWidth-1:0] read_words_i,
  output logic                       write_valid_o,
  output logic [RowWidth-1:0]        write_row_o,
  output logic [RegisterWidth-1:0]   write_register_o,
  output logic [Lanes-1:0]           write_lanes_o,
  output logic [Lanes*WordWidth-1:0] write_words_o,  // undefined unless valid, and outside write_lanes_o
  input  logic                       write_grant_i,
  // Nothing changes until a warp executes rdctrl or reports.
  output logic                       idle_o,
  // A warp without a row that asks in this cycle can expect an answer other than a stall.
  output logic                       has_answer_o
);
  // Legal sizes.
  if (Warps < 1 || Warps > 64) begin : gen_warps
    $error("Warps must be 1 to 64");
  end
  if (BackupRows < 1 || BackupRows > 64) begin : gen_backup_rows
    $error("BackupRows must be 1 to 64");
  end
  if (Lanes < 2 || Lanes > 32 || 32'd1 << $clog2(Lanes) != Lanes) begin : gen_lanes
    $error("Lanes must be a power of two, 2 to 32");
  end
  if (SwapBuffers < 2 || SwapBuffers > 64) begin : gen_swap_buffers
    $error("SwapBuffers must be 2 to 64");
  end
  if (RayRegisters < 2 || RayRegisters > 256) begin : gen_ray_registers
    $error("RayRegisters must be 2 to 256");
  end
  if (WordWidth < 1 || WordWidth > 64) begin : gen_word_width
    $error("WordWidth must be 1 to 64");
  end

  localparam int unsigned Steps = $clog2(Lanes);

  localparam logic [1:0] ReportNone = 2'd0;
  localparam logic [1:0] ReportLookUp = 2'd1;
  localparam logic [1:0] ReportRead = 2'd2;
  localparam logic [1:0] ReportWrite = 2'd3;

  localparam logic [2:0] ControlNone = 3'd0;
  localparam logic [2:0] ControlLookUp = 3'd1;
  localparam logic [2:0] ControlLook = 3'd2;
  localparam logic [2:0] ControlDecide = 3'd3;
  localparam logic [2:0] ControlRead = 3'd4;
  localparam logic [2:0] ControlAnswer = 3'd5;

  localparam logic [1:0] Stall = 2'd0;
  localparam logic [1:0] Row = 2'd1;
  localparam logic [1:0] Exit = 2'd2;

  // After reset, the tables get their first contents, one row a cycle.
  logic [RowWidth:0] start_row_q;
  logic starts, started_q;

  assign starts = start_row_q != (RowWidth + 1)'(Rows);

  // Rows: one bit for each.
  logic [Rows-1:0] none, fetch, inner, leaf, with_rays, uniform, full, bound, swapping, free;

  assign with_rays = fetch | inner | leaf;
  assign uniform = with_rays & ~((fetch & inner) | (fetch & leaf) | (inner & leaf));
  assign full = uniform & ~none;
  assign free = ~(bound | swapping);

  // Reports.
  logic [1:0] report_q;
  logic [WarpWidth-1:0] report_warp_q;
  logic [RowWidth-1:0] report_row_q;
  logic [Lanes-1:0] report_lanes_q, report_high_q, report_low_q;
  logic report_accept, draining_q;

  assign report_ready_o = started_q & report_q == ReportNone;
  assign report_accept = report_valid_i & report_ready_o;

  // rdctrl.
  logic [2:0] control_d, control_q;
  logic [WarpWidth-1:0] control_warp_q;
  logic [RowWidth-1:0] own_row_q, offered_row_q, answer_row_d, answer_row_q;
  logic own_bound_q, own_full_q, own_rays_q, offered_valid_q;
  logic [1:0] answer_d, answer_q;
  logic control_accept, decides, leaves, binds, releases, locks;

  assign control_ready_o = started_q & control_q == ControlNone;
  assign control_accept = control_valid_i & control_ready_o;

  // The next row for a warp without one.
  logic [Rows-1:0] candidates_d, candidates_q, full_free;
  logic next_valid, next_valid_q, rays_unbound_q, no_swaps;
  logic [RowWidth-1:0] next_row, next_row_q;

  // The read port of the table: reports come first, then rdctrl, then the choice.
  logic report_reads, control_reads, choice_reads, table_read;
  logic [RowWidth-1:0] choice_row, table_row;
  logic [Lanes-1:0] table_high, table_low;

  assign report_reads = report_q == ReportRead;
  assign control_reads = control_q == ControlRead;
  assign table_read = report_reads | control_reads | choice_reads;
  assign table_row = report_reads ? report_row_q : control_reads ? answer_row_q : choice_row;

  // The write port. A write follows a read, so there is at most one in a cycle.
  logic update, updates, table_write, table_writes;
  logic [RowWidth-1:0] update_row, write_row;
  logic [Lanes-1:0] update_lanes, update_high, update_low, new_lanes, new_high, new_low, write_high, write_low;

  always_comb begin
    write_row = update_row;
    new_lanes = update_lanes;
    new_high = update_high;
    new_low = update_low;
    if (report_q == ReportWrite) begin
      write_row = report_row_q;
      new_lanes = report_lanes_q;
      new_high = report_high_q;
      new_low = report_low_q;
    end
    write_high = (table_high & ~new_lanes) | (new_high & new_lanes);
    write_low = (table_low & ~new_lanes) | (new_low & new_lanes);
    if (starts) begin
      write_row = start_row_q[RowWidth-1:0];
      write_high = '0;
      write_low = {Lanes{start_row_q < (RowWidth + 1)'(FullRows)}};
    end
  end
  assign table_write = starts | update | report_q == ReportWrite;

  ray_state_table #(
    .Rows (Rows),
    .Lanes(Lanes)
  ) i_table (
    .clk_i,
    .rst_ni,
    .read_i      (table_read),
    .read_row_i  (table_row),
    .read_high_o (table_high),
    .read_low_o  (table_low),
    .write_i     (table_write),
    .write_row_i (write_row),
    .write_high_i(write_high),
    .write_low_i (write_low),
    .writes_o    (table_writes),
    .none_o      (none),
    .fetch_o     (fetch),
    .inner_o     (inner),
    .leaf_o      (leaf)
  );

  logic look_up_bound;
  logic [RowWidth-1:0] look_up_row;

  warp_renaming #(
    .Warps(Warps),
    .Rows (Rows)
  ) i_renaming (
    .clk_i,
    .rst_ni,
    .start_i        (starts),
    .start_row_i    (start_row_q[RowWidth-1:0]),
    .look_up_warp_i (report_q == ReportLookUp ? report_warp_q : control_warp_q),
    .look_up_bound_o(look_up_bound),
    .look_up_row_o  (look_up_row),
    .change_i       (decides & ~own_full_q),
    .change_warp_i  (control_warp_q),
    .release_i      (own_bound_q),
    .release_row_i  (own_row_q),
    .bind_i         (binds),
    .bind_row_i     (offered_row_q),
    .bound_o        (bound)
  );

  // The decision waits while a choice marks its rows, so that no row is both bound and swapping.
  assign decides = control_q == ControlDecide & ~locks;
  assign leaves = ~own_full_q & ~own_rays_q & ~rays_unbound_q;
  assign binds = ~own_full_q & ~leaves & offered_valid_q & free[offered_row_q];
  assign releases = decides & ~own_full_q & own_bound_q;

  always_comb begin
    answer_d = Stall;
    answer_row_d = '0;
    if (own_full_q) begin
      answer_d = Row;
      answer_row_d = own_row_q;
    end else if (leaves) begin
      answer_d = Exit;
    end else if (binds) begin
      answer_d = Row;
      answer_row_d = offered_row_q;
    end
    control_d = control_q;
    case (control_q)
      ControlNone: if (control_accept) control_d = ControlLookUp;
      // The warp's own report may be in progress.
      ControlLookUp: if (report_q == ReportNone) control_d = ControlLook;
      ControlLook: control_d = ControlDecide;
      ControlDecide: if (decides) control_d = answer_d == Row ? ControlRead : ControlAnswer;
      ControlRead: if (!report_reads) control_d = ControlAnswer;
      default: control_d = ControlNone;
    endcase
  end

  logic answers, answers_row;

  assign answers = control_q == ControlAnswer;
  assign answers_row = answers & answer_q == Row;
  assign answer_valid_o = answers;
  assign answer_o = answers ? answer_q : Stall;
  assign answer_row_o = answers_row ? answer_row_q : '0;
  assign answer_high_o = answers_row ? table_high : '0;
  assign answer_low_o = answers_row ? table_low : '0;

  // Swaps.
  logic rests, swap_valid, swap_ready, swap_both_ways, busy, ends;
  logic [RowWidth-1:0] swap_source, swap_destination, end_source, end_destination;
  logic [Lanes-1:0] swap_source_lanes, swap_destination_lanes;
  logic [Steps*Lanes-1:0] swap_source_moves, swap_destination_moves;

  shuffle_control #(
    .Rows (Rows),
    .Lanes(Lanes)
  ) i_control (
    .clk_i,
    .rst_ni,
    .start_i                 (started_q),
    .release_i               (releases),
    .bound_i                 (bound),
    .full_i                  (full),
    .uniform_i               (uniform),
    .empty_i                 (~with_rays),
    .leaf_i                  (leaf),
    .fetch_i                 (fetch),
    .inner_i                 (inner),
    .swapping_o              (swapping),
    .locks_o                 (locks),
    .rests_o                 (rests),
    .read_o                  (choice_reads),
    .read_row_o              (choice_row),
    .read_grant_i            (choice_reads & ~report_reads & ~control_reads),
    .read_high_i             (table_high),
    .read_low_i              (table_low),
    .write_o                 (update),
    .write_row_o             (update_row),
    .write_lanes_o           (update_lanes),
    .write_high_o            (update_high),
    .write_low_o             (update_low),
    .updates_o               (updates),
    .swap_valid_o            (swap_valid),
    .swap_ready_i            (swap_ready),
    .swap_source_o           (swap_source),
    .swap_destination_o      (swap_destination),
    .swap_source_lanes_o     (swap_source_lanes),
    .swap_destination_lanes_o(swap_destination_lanes),
    .swap_source_moves_o     (swap_source_moves),
    .swap_destination_moves_o(swap_destination_moves),
    .swap_both_ways_o        (swap_both_ways),
    .end_i                   (ends),
    .end_source_i            (end_source),
    .end_destination_i       (end_destination)
  );

  swap_buffers #(
    .Rows        (Rows),
    .Lanes       (Lanes),
    .Buffers     (SwapBuffers),
    .RayRegisters(RayRegisters),
    .Width       (WordWidth)
  ) i_buffers (
    .clk_i,
    .rst_ni,
    .swap_valid_i       (swap_valid),
    .swap_ready_o       (swap_ready),
    .source_i           (swap_source),
    .destination_i      (swap_destination),
    .source_lanes_i     (swap_source_lanes),
    .destination_lanes_i(swap_destination_lanes),
    .source_moves_i     (swap_source_moves),
    .destination_moves_i(swap_destination_moves),
    .both_ways_i        (swap_both_ways),
    .busy_o             (busy),
    // The rows stay locked until the table shows the swap.
    .may_end_i          (~updates),
    .ends_o             (ends),
    .source_o           (end_source),
    .destination_o      (end_destination),
    .read_valid_o,
    .read_row_o,
    .read_register_o,
    .read_lanes_o,
    .read_grant_i,
    .read_words_i,
    .write_valid_o,
    .write_row_o,
    .write_register_o,
    .write_lanes_o,
    .write_words_o,
    .write_grant_i
  );

  // A row with empty lanes is given only if no swap is about to fill lanes. While there are rays to fetch, or warps that will
  // return rays, more swaps will come.
  assign no_swaps = ~(|swapping);
  assign full_free = full & free;
  always_comb begin
    candidates_d = full_free;
    if (!(|full_free) && no_swaps && (draining_q || (rests && !(|bound)))) candidates_d = uniform & free;
    if (!started_q) candidates_d = '0;
  end
  lowest #(.Width(Rows)) i_next (.set_i(candidates_q), .valid_o(next_valid), .index_o(next_row));

  assign has_answer_o = started_q & (next_valid_q | ~rays_unbound_q);

  // Quiet: nothing changes, except the registers of the next row, which take two cycles.
  logic quiet;
  logic [1:0] quiet_q;

  assign quiet = started_q & rests & ~busy & ~table_writes & report_q == ReportNone & ~report_accept & control_q == ControlNone &
                 ~control_accept;
  assign idle_o = quiet_q == 2'd2;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_row_q <= '0;
      started_q <= 1'b0;
      report_q <= ReportNone;
      draining_q <= 1'b0;
      control_q <= ControlNone;
      next_valid_q <= 1'b0;
      rays_unbound_q <= 1'b1;
      quiet_q <= '0;
    end else begin
      if (starts) start_row_q <= start_row_q + (RowWidth + 1)'(1);
      started_q <= ~starts;
      if (report_accept || report_q != ReportNone) report_q <= report_q + 2'd1;
      if (report_q == ReportWrite) draining_q <= draining_q | (|(report_lanes_q & ~report_high_q & ~report_low_q));
      control_q <= control_d;
      next_valid_q <= next_valid & started_q;
      rays_unbound_q <= started_q ? |(with_rays & ~bound) : 1'b1;
      if (!quiet) quiet_q <= '0;
      else if (quiet_q != 2'd2) quiet_q <= quiet_q + 2'd1;
    end
  end

  // Loaded before they are used: no reset.
  always_ff @(posedge clk_i) begin
    if (report_accept) begin
      report_warp_q <= report_warp_i;
      report_lanes_q <= report_lanes_i;
      report_high_q <= report_high_i;
      report_low_q <= report_low_i;
    end
    if (report_q == ReportLookUp) report_row_q <= look_up_row;
    if (control_accept) control_warp_q <= control_warp_i;
    if (control_q == ControlLookUp) begin
      own_bound_q <= look_up_bound;
      own_row_q <= look_up_row;
    end
    if (control_q == ControlLook) begin
      own_full_q <= own_bound_q & full[own_row_q];
      own_rays_q <= own_bound_q & with_rays[own_row_q];
      offered_valid_q <= next_valid_q;
      offered_row_q <= next_row_q;
    end
    if (control_q == ControlDecide) begin
      answer_q <= answer_d;
      answer_row_q <= answer_row_d;
    end
    candidates_q <= candidates_d;
    next_row_q <= next_row;
  end
endmodule
