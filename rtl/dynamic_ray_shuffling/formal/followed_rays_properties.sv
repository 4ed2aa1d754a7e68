// SPDX-License-Identifier: Apache-2.0
// No ray is lost or copied, and each keeps its words. Bound to the block. The proof follows the initial contents of two arbitrary
// entries of the table, with or without a ray. If any two never coincide and the table has the right state for each, then the
// table always has its initial contents, in other entries. One register of the register file is observed. Properties with other
// proofs are assumed for the followed entries: ray_state_table_properties of the table, swap_choice_properties of a swap's lanes.
module followed_rays_properties #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  parameter int unsigned RayRegisters = 17,
  parameter int unsigned Wrong = 0,  // 2, 3: a wrong property, which the proof must refute
  localparam int unsigned Units = 3,
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned LaneWidth = $clog2(Lanes),
  localparam int unsigned MovesWidth = Lanes * $clog2(Lanes),
  localparam int unsigned RegisterWidth = $clog2(RayRegisters),
  localparam int unsigned CountWidth = $clog2(2 * RayRegisters + 1),
  localparam int unsigned HeldWidth = 2 * (Lanes - 1)
) (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           report_valid_i,
  input logic [RowWidth-1:0]            report_row,
  input logic [Lanes-1:0]               report_lanes_i,
  input logic [Lanes-1:0]               report_high_i,
  input logic [Lanes-1:0]               report_low_i,
  input logic [Units-1:0]               read_valid,
  input logic [Units*RowWidth-1:0]      read_row,
  input logic [Units*RegisterWidth-1:0] read_register,
  input logic [Units-1:0]               read_grant_i,
  input logic [Units*Lanes-1:0]         read_words_i,
  input logic [Units-1:0]               write_valid,
  input logic [Units*RowWidth-1:0]      write_row,
  input logic [Units*RegisterWidth-1:0] write_register,
  input logic [Units*Lanes-1:0]         write_lanes,
  input logic [Units*Lanes-1:0]         write_words,
  input logic [Units-1:0]               write_grant_i,
  // Internal signals of the block.
  // The swap that each unit starts in this cycle, as selected.
  input logic [Units-1:0]               start,
  input logic [Units-1:0]               both_ways,
  input logic [Units*RowWidth-1:0]      source,
  input logic [Units*RowWidth-1:0]      destination,
  input logic [Units*Lanes-1:0]         source_high,
  input logic [Units*Lanes-1:0]         source_low,
  input logic [Units*Lanes-1:0]         destination_high,
  input logic [Units*Lanes-1:0]         destination_low,
  input logic [Units*Lanes-1:0]         source_lanes,
  input logic [Units*Lanes-1:0]         destination_lanes,
  input logic [Units*MovesWidth-1:0]    source_moves,
  input logic [Units*MovesWidth-1:0]    destination_moves,
  // The swap that each unit executes.
  input logic [Units-1:0]               busy,
  input logic [Units-1:0]               ends,
  input logic [Units-1:0]               swap_both_ways,
  input logic [Units*RowWidth-1:0]      swap_source,
  input logic [Units*RowWidth-1:0]      swap_destination,
  input logic [Units*Lanes-1:0]         swap_source_lanes,
  input logic [Units*Lanes-1:0]         swap_destination_lanes,
  input logic [Units*Lanes-1:0]         swap_high,
  input logic [Units*Lanes-1:0]         swap_low,
  // Internal signals of the buffers.
  input logic [Units*MovesWidth-1:0]    swap_source_moves,
  input logic [Units*MovesWidth-1:0]    swap_destination_moves,
  input logic [Units*CountWidth-1:0]    read_count,
  input logic [Units*CountWidth-1:0]    written_count,
  input logic [Units*HeldWidth-1:0]     held
);
  localparam int unsigned Rays = 2;
  // The state that each unit moves: leaf 11, fetch 01, inner 10.
  localparam logic [Units-1:0] Highs = 3'b101;
  localparam logic [Units-1:0] Lows = 3'b011;

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
    assume ((read_grant_i & ~read_valid) == '0 && (write_grant_i & ~write_valid) == '0);
    if (!rst_ni) assume (!report_valid_i && read_grant_i == '0 && write_grant_i == '0);
  end

  // --- The two followed rays or empty entries.
  logic [Rays*RowWidth-1:0] ray_row;
  logic [Rays*LaneWidth-1:0] ray_lane;

  for (genvar ray = 0; ray < Rays; ray++) begin : gen_ray
    logic [RowWidth-1:0] first, row;
    logic [LaneWidth-1:0] lane;
    logic [1:0] state;
    logic lives, moves;
    logic [RowWidth-1:0] next_row;
    logic [LaneWidth-1:0] next_lane;
    logic [Units-1:0] leaves, returns, agrees;
    logic [Units*Lanes-1:0] partners;
    logic [Units*LaneWidth-1:0] places;

    assign first = ray == 0 ? first_row : second_row;
    assign ray_row[ray*RowWidth+:RowWidth] = row;
    assign ray_lane[ray*LaneWidth+:LaneWidth] = lane;

    followed_ray #(
      .Rows (Rows),
      .Lanes(Lanes)
    ) i_ray (
      .clk_i,
      .rst_ni,
      .first_row_i        (first),
      .first_lane_i       (ray == 0 ? first_lane : second_lane),
      .first_state_i      (32'(first) < Warps + BackupRows ? 2'd1 : 2'd0),
      .report_valid_i,
      .report_row_i       (report_row),
      .report_lanes_i,
      .report_high_i,
      .report_low_i,
      .busy_i             (busy),
      .ends_i             (ends),
      .source_i           (swap_source),
      .destination_i      (swap_destination),
      .source_lanes_i     (swap_source_lanes),
      .destination_lanes_i(swap_destination_lanes),
      .source_moves_i     (swap_source_moves),
      .destination_moves_i(swap_destination_moves),
      .row_o              (row),
      .lane_o             (lane),
      .state_o            (state),
      .lives_o            (lives),
      .moves_o            (moves),
      .next_row_o         (next_row),
      .next_lane_o        (next_lane),
      .leaves_o           (leaves),
      .returns_o          (returns),
      .partner_o          (partners),
      .below_o            (places),
      .agrees_o           (agrees)
    );

    // The value of the table at its entry.
    logic [1:0] holds_q, next_holds;
    (* anyseq *) logic [1:0] anything;

    place_rule #(
      .Rows (Rows),
      .Lanes(Lanes)
    ) i_rule (
      .row_i                   (next_row),
      .lane_i                  (next_lane),
      .holds_i                 (moves ? anything : holds_q),
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
      .next_o                  (next_holds)
    );

    always_ff @(posedge clk_i) holds_q <= rst_ni ? next_holds : {1'b0, 32'(first) < Warps + BackupRows};

    // The register file's word at its entry and at its destination: a different word until its own word is written.
    (* anyconst *) logic own_word;
    logic word_q, word_d, arrived_q, arrived_d;

    always_comb begin
      word_d = word_q;
      arrived_d = leaves == '0 && returns == '0 ? !own_word : arrived_q;
      for (int unit = 0; unit < Units; unit++) begin
        if (write_grant_i[unit] && write_register[unit*RegisterWidth+:RegisterWidth] == some_register) begin
          if (write_row[unit*RowWidth+:RowWidth] == row && write_lanes[unit*Lanes+lane]) word_d = write_words[unit*Lanes+lane];
          for (int own = 0; own < Units; own++) begin
            if (((leaves[own] && write_row[unit*RowWidth+:RowWidth] == swap_destination[own*RowWidth+:RowWidth]) ||
                 (returns[own] && write_row[unit*RowWidth+:RowWidth] == swap_source[own*RowWidth+:RowWidth])) &&
                |(write_lanes[unit*Lanes+:Lanes] & partners[own*Lanes+:Lanes])) begin
              arrived_d = |(write_words[unit*Lanes+:Lanes] & partners[own*Lanes+:Lanes]);
            end
          end
        end
      end
    end

    always_ff @(posedge clk_i) begin
      word_q <= !rst_ni ? own_word : moves ? arrived_d : word_d;
      arrived_q <= arrived_d;
    end

    always_comb begin
      if (rst_ni) begin
        assert (32'(row) < Rows && 32'(lane) < Lanes);
        assert (holds_q == state);
        assert (!lives || state != 2'd0);
        assert (!lives || leaves != '0 || returns != '0 || word_q == own_word);
      end
      for (int unit = 0; unit < Units; unit++) begin
        assume (!read_grant_i[unit] || read_register[unit*RegisterWidth+:RegisterWidth] != some_register ||
                read_row[unit*RowWidth+:RowWidth] != row || read_words_i[unit*Lanes+lane] == word_q);
      end
    end

    for (genvar unit = 0; unit < Units; unit++) begin : gen_way
      // The properties of swap_choice_properties for the selected lanes, at its lane.
      logic [Lanes-1:0] from, to;
      logic [MovesWidth-1:0] from_moves, to_moves;
      logic in_source, in_destination;
      logic [LaneWidth-1:0] next_place;
      logic [4:0] next_agrees;

      assign in_source = start[unit] && source[unit*RowWidth+:RowWidth] == row;
      assign in_destination = start[unit] && destination[unit*RowWidth+:RowWidth] == row;
      assign from = source_lanes[unit*Lanes+:Lanes];
      assign to = destination_lanes[unit*Lanes+:Lanes];
      assign from_moves = source_moves[unit*MovesWidth+:MovesWidth];
      assign to_moves = destination_moves[unit*MovesWidth+:MovesWidth];

      lane_way #(
        .Lanes(Lanes)
      ) i_next_way (
        .from_i      (in_source ? from : to),
        .to_i        (in_source ? to : from),
        .from_moves_i(in_source ? from_moves : to_moves),
        .to_moves_i  (in_source ? to_moves : from_moves),
        .lane_i      (lane),
        .below_o     (next_place),
        .partner_o   (),
        .agrees_o    (next_agrees)
      );

      always_comb begin
        if (in_source) assume ({source_high[unit*Lanes+lane], source_low[unit*Lanes+lane]} == holds_q);
        if (in_destination) assume ({destination_high[unit*Lanes+lane], destination_low[unit*Lanes+lane]} == holds_q);
        if (in_source && from[lane]) assume (holds_q == {Highs[unit], Lows[unit]});
        if (in_destination && to[lane]) assume (both_ways[unit] == (holds_q != 2'd0));
        if ((in_source && from[lane]) || (in_destination && to[lane])) assume (&next_agrees && next_place != '1);
      end

      // The location of its word during a swap: at the old entry, in a buffer, at the new entry.
      logic [CountWidth-1:0] reads, writes, there, turn;
      logic [RowWidth-1:0] from_row, to_row;
      logic [LaneWidth-1:0] place;
      logic [Lanes-1:0] partner;
      logic [HeldWidth-1:0] words;
      logic [Lanes-2:0] buffer, place_bit;

      assign reads = read_count[unit*CountWidth+:CountWidth];
      assign writes = written_count[unit*CountWidth+:CountWidth];
      assign from_row = swap_source[unit*RowWidth+:RowWidth];
      assign to_row = swap_destination[unit*RowWidth+:RowWidth];
      assign partner = partners[unit*Lanes+:Lanes];
      assign place = places[unit*LaneWidth+:LaneWidth];
      // The transfer that writes this register of the destination, and the transfer with this word.
      assign there = swap_both_ways[unit] ? CountWidth'(some_register) << 1 : CountWidth'(some_register);
      assign turn = there + CountWidth'(returns[unit]);
      assign words = held[unit*HeldWidth+:HeldWidth];
      assign buffer = turn[0] ? words[HeldWidth-1:Lanes-1] : words[Lanes-2:0];
      assign place_bit = (Lanes - 1)'(1) << place;

      always_comb begin
        if (rst_ni && (leaves[unit] || returns[unit])) begin
          assert (agrees[unit]);
          assert (place != '1);
        end
        if (rst_ni && leaves[unit]) assert (state == {Highs[unit], Lows[unit]});
        if (rst_ni && returns[unit]) begin
          assert (swap_both_ways[unit] == (state != 2'd0));
          assert ({|(swap_high[unit*Lanes+:Lanes] & partner), |(swap_low[unit*Lanes+:Lanes] & partner)} == state);
        end
        if (rst_ni && lives && (leaves[unit] || returns[unit])) begin
          assert (writes > there || word_q == own_word);
          assert (writes > turn || reads <= turn || |(buffer & place_bit) == own_word);
          assert (writes <= turn || arrived_q == own_word);
        end
      end
    end
  end

  always_comb begin
    if (rst_ni) begin
      apart : assert (ray_row[0+:RowWidth] != ray_row[RowWidth+:RowWidth] || ray_lane[0+:LaneWidth] != ray_lane[LaneWidth+:LaneWidth]);
    end
  end

  // --- Wrong properties: they exclude events that do happen. A proof of one would show that the assumptions make proofs vacuous.
  always_comb begin
    if (rst_ni) begin
      if (Wrong == 2) assert ((ends & swap_both_ways) == '0);
      if (Wrong == 3) assert (ray_row[0+:RowWidth] == first_row);
    end
  end
endmodule

bind dynamic_ray_shuffling followed_rays_properties #(
  .Warps       (Warps),
  .BackupRows  (BackupRows),
  .Lanes       (Lanes),
  .RayRegisters(RayRegisters)
) i_rays_properties (
  .clk_i                 (clk_i),
  .rst_ni                (rst_ni),
  .report_valid_i        (report_valid_i),
  .report_row            (report_row),
  .report_lanes_i        (report_lanes_i),
  .report_high_i         (report_high_i),
  .report_low_i          (report_low_i),
  .read_valid            (read_valid_o),
  .read_row              (read_row_o),
  .read_register         (read_register_o),
  .read_grant_i          (read_grant_i),
  .read_words_i          (read_words_i),
  .write_valid           (write_valid_o),
  .write_row             (write_row_o),
  .write_register        (write_register_o),
  .write_lanes           (write_lanes_o),
  .write_words           (write_words_o),
  .write_grant_i         (write_grant_i),
  .start                 (start),
  .both_ways             (both_ways),
  .source                (source),
  .destination           (destination),
  .source_high           (source_high),
  .source_low            (source_low),
  .destination_high      (destination_high),
  .destination_low       (destination_low),
  .source_lanes          (source_lanes),
  .destination_lanes     (destination_lanes),
  .source_moves          (source_moves),
  .destination_moves     (destination_moves),
  .busy                  (busy),
  .ends                  (ends),
  .swap_both_ways        (swap_both_ways),
  .swap_source           (swap_source),
  .swap_destination      (swap_destination),
  .swap_source_lanes     (swap_source_lanes),
  .swap_destination_lanes(swap_destination_lanes),
  .swap_high             (swap_high),
  .swap_low              (swap_low),
  .swap_source_moves     ({gen_unit[2].i_buffers.i_properties.source_moves, gen_unit[1].i_buffers.i_properties.source_moves,
                           gen_unit[0].i_buffers.i_properties.source_moves}),
  .swap_destination_moves({gen_unit[2].i_buffers.i_properties.destination_moves, gen_unit[1].i_buffers.i_properties.destination_moves,
                           gen_unit[0].i_buffers.i_properties.destination_moves}),
  .read_count            ({gen_unit[2].i_buffers.i_properties.read_count, gen_unit[1].i_buffers.i_properties.read_count,
                           gen_unit[0].i_buffers.i_properties.read_count}),
  .written_count         ({gen_unit[2].i_buffers.i_properties.written_count, gen_unit[1].i_buffers.i_properties.written_count,
                           gen_unit[0].i_buffers.i_properties.written_count}),
  .held                  ({gen_unit[2].i_buffers.i_properties.held, gen_unit[1].i_buffers.i_properties.held,
                           gen_unit[0].i_buffers.i_properties.held})
);
