// SPDX-License-Identifier: Apache-2.0
// No ray is lost or copied, and each keeps its words. Bound to the block. The proof follows the initial contents of two arbitrary
// entries of the table, with or without a ray. If any two never coincide and the table has the right state for each, then the
// table always has its initial contents, in other entries. One register of the register file is observed. Properties with other
// proofs are assumed for the followed entries: ray_state_table_properties of the table, swap_lanes_properties of a swap's lanes.
module followed_rays_properties #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  parameter int unsigned RayRegisters = 17,
  parameter int unsigned SwapBuffers = 6,
  parameter int unsigned Wrong = 0,  // 2, 3: a wrong property, which the proof must refute
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned LaneWidth = $clog2(Lanes),
  localparam int unsigned MovesWidth = Lanes * $clog2(Lanes),
  localparam int unsigned RegisterWidth = $clog2(RayRegisters),
  localparam int unsigned Most = 2 * RayRegisters > SwapBuffers ? 2 * RayRegisters : SwapBuffers,
  localparam int unsigned CountWidth = $clog2(Most + 1),
  localparam int unsigned SlotWidth = $clog2(SwapBuffers)
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic                     read_valid,
  input logic [RowWidth-1:0]      read_row,
  input logic [RegisterWidth-1:0] read_register,
  input logic                     read_grant_i,
  input logic [Lanes-1:0]         read_words_i,
  input logic                     write_valid,
  input logic [RowWidth-1:0]      write_row,
  input logic [RegisterWidth-1:0] write_register,
  input logic [Lanes-1:0]         write_lanes,
  input logic [Lanes-1:0]         write_words,
  input logic                     write_grant_i,
  // Internal signals of the block.
  input logic                     starts,
  input logic                     started,
  input logic [RowWidth:0]        start_row,
  input logic                     report_writes,
  input logic [RowWidth-1:0]      report_row,
  input logic [Lanes-1:0]         report_lanes,
  input logic [Lanes-1:0]         report_high,
  input logic [Lanes-1:0]         report_low,
  // The table.
  input logic                     table_read,
  input logic [RowWidth-1:0]      table_row,
  input logic [Lanes-1:0]         table_high,
  input logic [Lanes-1:0]         table_low,
  input logic                     table_write,
  input logic [RowWidth-1:0]      table_write_row,
  input logic [Lanes-1:0]         table_write_high,
  input logic [Lanes-1:0]         table_write_low,
  input logic                     pending,
  input logic [RowWidth-1:0]      pending_row,
  // The choice.
  input logic [3:0]               stage,
  input logic [1:0]               unit,
  input logic [RowWidth-1:0]      choice_source,
  input logic [RowWidth-1:0]      choice_destination,
  // The chosen swap, its lanes from the reads on.
  input logic                     offered,
  input logic [2:0]               update,
  input logic [RowWidth-1:0]      offered_source,
  input logic [RowWidth-1:0]      offered_destination,
  input logic [Lanes-1:0]         offered_source_lanes,
  input logic [Lanes-1:0]         offered_destination_lanes,
  input logic [MovesWidth-1:0]    offered_source_moves,
  input logic [MovesWidth-1:0]    offered_destination_moves,
  input logic                     offered_both_ways,
  input logic [1:0]               state_moves,            // of its rays from source to destination
  input logic [Lanes-1:0]         high_back,              // of the destination; packed after the match
  input logic [Lanes-1:0]         low_back,
  // The swap in the buffers.
  input logic                     busy,
  input logic                     ends,
  input logic [RowWidth-1:0]      source,
  input logic [RowWidth-1:0]      destination,
  input logic [Lanes-1:0]         source_lanes,
  input logic [Lanes-1:0]         destination_lanes,
  input logic [MovesWidth-1:0]    source_moves,
  input logic [MovesWidth-1:0]    destination_moves,
  input logic                     both_ways,
  input logic [CountWidth-1:0]    read_count,
  input logic [CountWidth-1:0]    written_count,
  input logic [SlotWidth-1:0]     write_slot,
  input logic [6*(Lanes-1)-1:0]   held
);
  localparam int unsigned Rays = 2;
  localparam logic [3:0] TakeFirst = 4'd6;
  localparam logic [3:0] ReadSecond = 4'd7;
  localparam logic [3:0] TakeSecond = 4'd8;
  localparam logic [3:0] Pack = 4'd9;
  localparam logic [3:0] Match = 4'd10;
  localparam logic [2:0] UpdateNone = 3'd0;
  localparam logic [2:0] UpdateReadSource = 3'd3;

  // Reset is active in the first cycle.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  (* anyconst *) logic [RowWidth-1:0] first_row;
  (* anyconst *) logic [LaneWidth-1:0] first_lane;
  (* anyconst *) logic [RowWidth-1:0] second_row;
  (* anyconst *) logic [LaneWidth-1:0] second_lane;
  (* anyconst *) logic [RegisterWidth-1:0] some_register;

  always_comb begin
    assume (32'(first_row) < Rows && 32'(second_row) < Rows && 32'(first_lane) < Lanes && 32'(second_lane) < Lanes);
    assume (first_row != second_row || first_lane != second_lane);
    assume (32'(some_register) < RayRegisters);
    assume (!(read_grant_i && !read_valid) && !(write_grant_i && !write_valid));
  end

  // The state that the choice's unit moves: leaf 11, fetch 01, inner 10.
  logic [1:0] unit_state;
  logic matched_q;
  assign unit_state = {unit != 2'd1, unit != 2'd2};
  always_ff @(posedge clk_i) matched_q <= rst_ni && stage == Match;

  // --- The two followed rays or empty entries.
  logic [Rays*RowWidth-1:0] ray_row;
  logic [Rays*LaneWidth-1:0] ray_lane;

  for (genvar ray = 0; ray < Rays; ray++) begin : gen_ray
    logic [RowWidth-1:0] first, row, partner_row;
    logic [LaneWidth-1:0] own_first_lane, lane, place;
    logic [1:0] first_state, state;
    logic lives, moves, in_offer, leaves, returns, agrees;
    logic [Lanes-1:0] partner;

    assign first = ray == 0 ? first_row : second_row;
    assign own_first_lane = ray == 0 ? first_lane : second_lane;
    assign first_state = 32'(first) < Warps + BackupRows ? 2'd1 : 2'd0;
    assign ray_row[ray*RowWidth+:RowWidth] = row;
    assign ray_lane[ray*LaneWidth+:LaneWidth] = lane;

    followed_ray #(
      .Rows (Rows),
      .Lanes(Lanes)
    ) i_ray (
      .clk_i,
      .rst_ni,
      .first_row_i        (first),
      .first_lane_i       (own_first_lane),
      .first_state_i      (first_state),
      .report_writes_i    (report_writes),
      .report_row_i       (report_row),
      .report_lanes_i     (report_lanes),
      .report_high_i      (report_high),
      .report_low_i       (report_low),
      .valid_i            ({busy, offered}),
      .ends_i             (ends),
      .source_i           ({source, offered_source}),
      .destination_i      ({destination, offered_destination}),
      .source_lanes_i     ({source_lanes, offered_source_lanes}),
      .destination_lanes_i({destination_lanes, offered_destination_lanes}),
      .source_moves_i     ({source_moves, offered_source_moves}),
      .destination_moves_i({destination_moves, offered_destination_moves}),
      .row_o              (row),
      .lane_o             (lane),
      .state_o            (state),
      .lives_o            (lives),
      .moves_o            (moves),
      .offered_o          (in_offer),
      .leaves_o           (leaves),
      .returns_o          (returns),
      .partner_row_o      (partner_row),
      .partner_o          (partner),
      .place_o            (place),
      .agrees_o           (agrees)
    );

    // How far the table shows its swap.
    logic updates, destination_shown, own_shown, partner_shown;
    assign updates = update != UpdateNone && (row == offered_source || row == offered_destination);
    assign destination_shown = !updates || update >= UpdateReadSource;
    assign own_shown = (leaves && !updates) || (returns && destination_shown);
    assign partner_shown = (leaves && destination_shown) || (returns && !updates);

    // The last values written to its entry of the table, and to that of its destination.
    logic [1:0] holds_q, there_q, there_d;
    logic known, known_q;
    always_comb begin
      there_d = there_q;
      if (table_write && table_write_row == partner_row) there_d = {|(table_write_high & partner), |(table_write_low & partner)};
    end
    always_ff @(posedge clk_i) begin
      there_q <= there_d;
      if (moves) holds_q <= there_d;
      else if (table_write && table_write_row == row) holds_q <= {table_write_high[lane], table_write_low[lane]};
    end
    assign known = started || start_row > (RowWidth + 1)'(row);

    // What a read of its row returns, if no write of the row is pending.
    logic read_q;
    logic [1:0] read_state_q;
    always_ff @(posedge clk_i) begin
      read_q <= rst_ni && started && table_read && table_row == row && !(pending && pending_row == row) && !moves;
      read_state_q <= holds_q;
    end
    always_comb begin
      if (read_q) assume ({table_high[lane], table_low[lane]} == read_state_q);
    end

    // The register file's word at its entry and at its destination: a different word until its own word is written.
    (* anyconst *) logic own_word;
    logic word_q, word_d, arrived_q, arrived_d;
    always_comb begin
      word_d = word_q;
      arrived_d = leaves || returns ? arrived_q : !own_word;
      if (write_grant_i && write_register == some_register) begin
        if (write_row == row && write_lanes[lane]) word_d = write_words[lane];
        if (write_row == partner_row && |(write_lanes & partner)) arrived_d = |(write_words & partner);
      end
    end
    always_ff @(posedge clk_i) begin
      word_q <= !rst_ni ? own_word : moves ? arrived_d : word_d;
      arrived_q <= arrived_d;
    end
    always_comb begin
      if (read_grant_i && read_register == some_register && read_row == row) assume (read_words_i[lane] == word_q);
    end

    always_comb begin
      if (rst_ni) begin
        assert (32'(row) < Rows && 32'(lane) < Lanes);
        assert (started || (row == first && lane == own_first_lane && state == first_state));
        assert (!known || own_shown || holds_q == state);
        assert (!partner_shown || there_q == state);
        assert (!read_q || (pending && pending_row == row) || read_state_q == holds_q);
        assert ((read_q && !(pending && pending_row == row)) ||
                !((table_write && !starts && table_write_row == row) || (stage == TakeFirst && choice_destination == row) ||
                  (stage == TakeSecond && choice_source == row)));
        assert (!lives || state != 2'd0);
        assert (!lives || leaves || returns || word_q == own_word);
        // The choice.
        assert (stage < ReadSecond || row != choice_destination ||
                            ({high_back[lane], low_back[lane]} == state &&
                             (!offered_destination_lanes[lane] || offered_both_ways == (state != 2'd0))));
        assert (stage < Pack || row != choice_source || !offered_source_lanes[lane] || state == unit_state);
        // The swap: its lanes, and its states until the table shows them.
        // swap_lanes_properties shows this for a new swap; choices_properties shows that the source is not full.
        assume (!(matched_q && in_offer && (leaves || returns)) || (agrees && place != '1));
        assert (!(leaves || returns) || (agrees && place != '1));
        assert (!leaves || destination_shown || state == state_moves);
        assert (!returns || (in_offer ? offered_both_ways : both_ways) == (state != 2'd0));
        assert (!returns || !updates || !offered_both_ways ||
                {|(high_back & (Lanes'(1) << place)), |(low_back & (Lanes'(1) << place))} == state);
      end
    end

    // The location of its word during a swap: at the old entry, in a buffer, at the new entry. First the transfer that writes this
    // register of the destination, and the transfer with this word; then its buffer.
    logic [CountWidth-1:0] there, turn;
    logic [31:0] slot;
    logic [Lanes-2:0] buffer;
    assign there = both_ways ? CountWidth'(some_register) << 1 : CountWidth'(some_register);
    assign turn = there + CountWidth'(returns);
    assign slot = 32'(write_slot) + 32'(turn - written_count);
    always_comb begin
      buffer = '0;
      for (int unsigned i = 0; i < SwapBuffers; i++) begin
        if (slot == i || slot == i + SwapBuffers) buffer = held[i*(Lanes-1)+:Lanes-1];
      end
    end

    always_comb begin
      if (rst_ni && lives && (leaves || returns)) begin
        assert (!(in_offer || written_count <= there) || word_q == own_word);
        assert (in_offer || written_count > turn || read_count <= turn ||
                                 |(buffer & ((Lanes - 1)'(1) << place)) == own_word);
        assert (in_offer || written_count <= turn || arrived_q == own_word);
      end
    end
  end

  always_comb begin
    if (rst_ni) begin
      apart : assert (ray_row[0+:RowWidth] != ray_row[RowWidth+:RowWidth] ||
          ray_lane[0+:LaneWidth] != ray_lane[LaneWidth+:LaneWidth]);
      // The update of the table is that of the swap in the buffers, if these have taken it.
      swap_of_update : assert (update == UpdateNone || offered ||
                               (source_lanes == offered_source_lanes && destination_lanes == offered_destination_lanes &&
                                source_moves == offered_source_moves && destination_moves == offered_destination_moves &&
                                both_ways == offered_both_ways));
    end
  end

  // --- Wrong properties: they exclude events that do happen. A proof of one would show that the assumptions make proofs vacuous.
  always_comb begin
    if (rst_ni) begin
      if (Wrong == 2) assert (!(ends && both_ways));
      if (Wrong == 3) assert (ray_row[0+:RowWidth] == first_row);
    end
  end
endmodule

bind dynamic_ray_shuffling followed_rays_properties #(
  .Warps       (Warps),
  .BackupRows  (BackupRows),
  .Lanes       (Lanes),
  .RayRegisters(RayRegisters),
  .SwapBuffers (SwapBuffers)
) i_rays_properties (
  .clk_i                    (clk_i),
  .rst_ni                   (rst_ni),
  .read_valid               (read_valid_o),
  .read_row                 (read_row_o),
  .read_register            (read_register_o),
  .read_grant_i             (read_grant_i),
  .read_words_i             (read_words_i),
  .write_valid              (write_valid_o),
  .write_row                (write_row_o),
  .write_register           (write_register_o),
  .write_lanes              (write_lanes_o),
  .write_words              (write_words_o),
  .write_grant_i            (write_grant_i),
  .starts                   (starts),
  .started                  (started_q),
  .start_row                (start_row_q),
  .report_writes            (report_q == ReportWrite),
  .report_row               (report_row_q),
  .report_lanes             (report_lanes_q),
  .report_high              (report_high_q),
  .report_low               (report_low_q),
  .table_read               (table_read),
  .table_row                (table_row),
  .table_high               (table_high),
  .table_low                (table_low),
  .table_write              (table_write),
  .table_write_row          (write_row),
  .table_write_high         (write_high),
  .table_write_low          (write_low),
  .pending                  (table_writes),
  .pending_row              (i_table.write_row_q),
  .stage                    (i_control.stage_q),
  .unit                     (i_control.unit_q),
  .choice_source            (i_control.choice_source),
  .choice_destination       (i_control.choice_destination),
  .offered                  (swap_valid),
  .update                   (i_control.update_q),
  .offered_source           (swap_source),
  .offered_destination      (swap_destination),
  .offered_source_lanes     (swap_source_lanes),
  .offered_destination_lanes(swap_destination_lanes),
  .offered_source_moves     (swap_source_moves),
  .offered_destination_moves(swap_destination_moves),
  .offered_both_ways        (swap_both_ways),
  .state_moves              ({i_control.high_moves_q, i_control.low_moves_q}),
  .high_back                (i_control.high_q),
  .low_back                 (i_control.low_q),
  .busy                     (busy),
  .ends                     (ends),
  .source                   (end_source),
  .destination              (end_destination),
  .source_lanes             (i_buffers.source_lanes_q),
  .destination_lanes        (i_buffers.destination_lanes_q),
  .source_moves             (i_buffers.source_moves_q),
  .destination_moves        (i_buffers.destination_moves_q),
  .both_ways                (i_buffers.both_ways_q),
  .read_count               (i_buffers.read_q),
  .written_count            (i_buffers.written_q),
  .write_slot               (i_buffers.write_slot_q),
  .held                     (i_buffers.i_properties.held)
);
