// SPDX-License-Identifier: Apache-2.0
// Chooses swaps, one after another (DRS section 3.2.4). The units take turns. A choice selects two rows, marks them as swapping,
// reads their states, and matches their lanes; then it offers the swap to the buffers, and updates both rows in the ray state
// table. The next choice selects its rows meanwhile, but reads them only when the buffers have taken the offer.
module shuffle_control #(
  parameter int unsigned Rows = 61,   // of rays
  parameter int unsigned Lanes = 32,  // of a row, a power of two
  localparam int unsigned Steps = $clog2(Lanes),
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   start_i,            // the table and the renaming have their first contents
  input  logic                   release_i,          // a warp releases its row
  // Rows.
  input  logic [Rows-1:0]        bound_i,
  input  logic [Rows-1:0]        full_i,
  input  logic [Rows-1:0]        uniform_i,
  input  logic [Rows-1:0]        empty_i,
  input  logic [Rows-1:0]        leaf_i,
  input  logic [Rows-1:0]        fetch_i,
  input  logic [Rows-1:0]        inner_i,
  output logic [Rows-1:0]        swapping_o,         // from the choice to the end of the swap
  output logic                   locks_o,            // rows become swapping in this cycle
  output logic                   rests_o,            // no choice is in progress, and none will be until rows change
  // The read port of the table: valid until granted. The states are valid in the cycle after the grant.
  output logic                   read_o,
  output logic [RowWidth-1:0]    read_row_o,
  input  logic                   read_grant_i,
  input  logic [Lanes-1:0]       read_high_i,
  input  logic [Lanes-1:0]       read_low_i,
  // An update of the row that was read in the last cycle: these lanes get these states.
  output logic                   write_o,
  output logic [RowWidth-1:0]    write_row_o,
  output logic [Lanes-1:0]       write_lanes_o,
  output logic [Lanes-1:0]       write_high_o,
  output logic [Lanes-1:0]       write_low_o,
  output logic                   updates_o,          // the table does not show the last choice yet
  // The swap for the buffers: valid until taken.
  output logic                   swap_valid_o,
  input  logic                   swap_ready_i,
  output logic [RowWidth-1:0]    swap_source_o,
  output logic [RowWidth-1:0]    swap_destination_o,
  output logic [Lanes-1:0]       swap_source_lanes_o,
  output logic [Lanes-1:0]       swap_destination_lanes_o,
  output logic [Steps*Lanes-1:0] swap_source_moves_o,
  output logic [Steps*Lanes-1:0] swap_destination_moves_o,
  output logic                   swap_both_ways_o,   // rays move in both directions
  // A swap that ends.
  input  logic                   end_i,
  input  logic [RowWidth-1:0]    end_source_i,
  input  logic [RowWidth-1:0]    end_destination_i
);
  `include "lane_compress.svh"
  `include "lane_expand.svh"

  localparam int unsigned Leaf = 0;
  localparam int unsigned Fetch = 1;
  localparam int unsigned Inner = 2;
  localparam int unsigned Units = 3;

  localparam logic [3:0] Sample = 4'd0;
  localparam logic [3:0] Weigh = 4'd1;
  localparam logic [3:0] First = 4'd2;
  localparam logic [3:0] Second = 4'd3;
  localparam logic [3:0] Lock = 4'd4;
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

  logic [3:0] stage_d, stage_q;
  logic [2:0] update_d, update_q;
  logic [Steps-1:0] step_d, step_q;  // one-hot
  logic [1:0] unit_d, unit_q, next_unit;
  logic [1:0] failed_d, failed_q;    // consecutive choices without a swap since rows changed
  logic stale_d, stale_q;            // rows changed since the sample
  logic offered_d, offered_q;
  logic [Rows-1:0] swapping_d, swapping_q;
  logic [Units-1:0] special_valid_d, special_valid_q;
  logic [Units*RowWidth-1:0] special_row_d, special_row_q;

  logic rests, changed, go, found, kept, taken_meanwhile, may_read_first;
  logic [RowWidth-1:0] first_row, second_row, choice_source, choice_destination;

  assign rests = stage_q == Sample & failed_q == 2'd3;
  assign rests_o = rests & ~offered_q & update_q == UpdateNone;
  assign changed = release_i | end_i;
  assign go = start_i & stage_q == Sample & failed_q != 2'd3;
  assign locks_o = stage_q == Lock;
  assign swapping_o = swapping_q;
  assign may_read_first = ~offered_q & update_q == UpdateNone;

  // The unit whose turn it is.
  logic [Units-1:0] turn;  // one-hot
  logic collects, special_valid;
  logic [RowWidth-1:0] special_row;
  logic [Rows-1:0] wanted, others;

  assign next_unit = unit_q == 2'(Inner) ? '0 : unit_q + 2'd1;
  assign turn = Units'(1) << unit_q;
  assign collects = ~turn[Inner];
  always_comb begin
    case (unit_q)
      2'(Leaf): wanted = leaf_i;
      2'(Fetch): wanted = fetch_i;
      default: wanted = inner_i;
    endcase
    special_valid = 1'b0;
    special_row = '0;
    others = '0;
    for (int unit = 0; unit < Units; unit++) begin
      if (turn[unit]) begin
        special_valid = special_valid_q[unit];
        special_row = special_row_q[unit*RowWidth+:RowWidth];
      end else if (unit != Inner && special_valid_q[unit]) begin
        others[special_row_q[unit*RowWidth+:RowWidth]] = 1'b1;
      end
    end
  end

  row_choice #(
    .Rows(Rows)
  ) i_rows (
    .clk_i,
    .sample_i       (go),
    .weigh_i        (stage_q == Weigh),
    .first_i        (stage_q == First),
    .second_i       (stage_q == Second),
    .bound_i,
    .swapping_i     (swapping_q),
    .full_i,
    .uniform_i,
    .empty_i,
    .wanted_i       (wanted),
    .others_i       (others),
    .collects_i     (collects),
    .special_valid_i(special_valid),
    .special_row_i  (special_row),
    .kept_o         (kept),
    .found_o        (found),
    .first_row_o    (first_row),
    .second_row_o   (second_row)
  );

  assign choice_source = collects ? second_row : first_row;
  assign choice_destination = collects ? first_row : second_row;
  // A warp can take a uniform row between the sample and the lock.
  assign taken_meanwhile = bound_i[first_row] | bound_i[second_row];

  always_comb begin
    stage_d = stage_q;
    step_d = '0;
    unit_d = unit_q;
    failed_d = failed_q;
    stale_d = stale_q;
    offered_d = offered_q & ~swap_ready_i;
    swapping_d = swapping_q;
    special_valid_d = special_valid_q;
    special_row_d = special_row_q;
    case (stage_q)
      Sample: begin
        if (go) begin
          stage_d = Weigh;
          stale_d = 1'b0;
        end
      end
      Second: begin
        if (found) begin
          stage_d = Lock;
        end else begin
          stage_d = Sample;
          unit_d = next_unit;
          failed_d = stale_q ? '0 : failed_q + 2'd1;
          special_valid_d = (special_valid_q & ~turn) | (turn & {Units{kept}});
        end
      end
      Lock: begin
        failed_d = '0;
        if (taken_meanwhile) begin
          stage_d = Sample;
          unit_d = next_unit;
        end else begin
          stage_d = ReadFirst;
          swapping_d[first_row] = 1'b1;
          swapping_d[second_row] = 1'b1;
          special_valid_d = special_valid_q | turn;
          for (int unit = 0; unit < Units; unit++) begin
            if (turn[unit]) special_row_d[unit*RowWidth+:RowWidth] = first_row;
          end
        end
      end
      ReadFirst: if (may_read_first & read_grant_i) stage_d = TakeFirst;
      ReadSecond: if (read_grant_i) stage_d = TakeSecond;
      TakeSecond: begin
        stage_d = Pack;
        step_d[0] = 1'b1;
      end
      Pack: begin
        step_d = step_q << 1;
        if (step_q[Steps-1]) stage_d = Match;
      end
      Match: begin
        stage_d = Sample;
        unit_d = next_unit;
        offered_d = 1'b1;
      end
      default: stage_d = stage_q + 4'd1;
    endcase
    if (end_i) begin
      swapping_d[end_source_i] = 1'b0;
      swapping_d[end_destination_i] = 1'b0;
    end
    if (changed) begin
      failed_d = '0;
      stale_d = 1'b1;
    end
  end

  always_comb begin
    update_d = update_q;
    case (update_q)
      UpdateNone: if (stage_q == Match) update_d = UpdateReadDestination;
      UpdateReadDestination, UpdateReadSource: if (read_grant_i) update_d = update_q + 3'd1;
      UpdateWriteSource: update_d = UpdateNone;
      default: update_d = update_q + 3'd1;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stage_q <= Sample;
      update_q <= UpdateNone;
      step_q <= '0;
      unit_q <= '0;
      failed_q <= '0;
      stale_q <= 1'b0;
      offered_q <= 1'b0;
      swapping_q <= '0;
      special_valid_q <= '0;
      special_row_q <= '0;
    end else begin
      stage_q <= stage_d;
      update_q <= update_d;
      step_q <= step_d;
      unit_q <= unit_d;
      failed_q <= failed_d;
      stale_q <= stale_d;
      offered_q <= offered_d;
      swapping_q <= swapping_d;
      special_valid_q <= special_valid_d;
      special_row_q <= special_row_d;
    end
  end

  // The lanes of the two rows, and then the lanes that move.
  logic high, low;  // the state that the unit moves: leaf 11, fetch 01, inner 10
  logic [Lanes-1:0] given, empty, other, taken_q, given_q, high_q, low_q, source_lanes, destination_lanes;
  logic [Lanes-1:0] given_places, taken_places;
  logic [Steps*Lanes-1:0] given_moves, taken_moves;
  logic both_ways_q;

  assign high = unit_q != 2'(Fetch);
  assign low = unit_q != 2'(Inner);
  assign given = ~(read_high_i ^ {Lanes{high}}) & ~(read_low_i ^ {Lanes{low}});
  assign empty = ~(read_high_i | read_low_i);
  assign other = ~empty & ~given;

  packed_lanes #(
    .Lanes(Lanes)
  ) i_given (
    .clk_i,
    .load_i  (stage_q == TakeSecond),
    .lanes_i (given),
    .step_i  (step_q),
    .moves_o (given_moves),
    .places_o(given_places)
  );
  packed_lanes #(
    .Lanes(Lanes)
  ) i_taken (
    .clk_i,
    .load_i  (stage_q == TakeSecond),
    .lanes_i (taken_q),
    .step_i  (step_q),
    .moves_o (taken_moves),
    .places_o(taken_places)
  );
  lane_match #(
    .Lanes(Lanes)
  ) i_match (
    .given_i            (given_q),
    .taken_i            (taken_q),
    .given_moves_i      (given_moves),
    .taken_moves_i      (taken_moves),
    .given_places_i     (given_places),
    .taken_places_i     (taken_places),
    .source_lanes_o     (source_lanes),
    .destination_lanes_o(destination_lanes)
  );

  // The chosen swap, after the match.
  logic [RowWidth-1:0] source_q, destination_q;
  logic high_moves_q, low_moves_q;

  // Loaded before they are used: no reset.
  always_ff @(posedge clk_i) begin
    if (stage_q == TakeFirst) begin
      taken_q <= |empty ? empty : other;
      both_ways_q <= ~(|empty);
      high_q <= read_high_i;
      low_q <= read_low_i;
    end
    if (stage_q == TakeSecond) given_q <= given;
    if (stage_q == Match) begin
      given_q <= source_lanes;
      taken_q <= destination_lanes;
      // The states of the rays that move back, packed.
      high_q <= compress(taken_moves, high_q);
      low_q <= compress(taken_moves, low_q);
      source_q <= choice_source;
      destination_q <= choice_destination;
      high_moves_q <= high;
      low_moves_q <= low;
    end
  end

  always_comb begin
    read_o = 1'b1;
    read_row_o = choice_destination;
    if (update_q == UpdateReadDestination) read_row_o = destination_q;
    else if (update_q == UpdateReadSource) read_row_o = source_q;
    else if (stage_q == ReadSecond) read_row_o = choice_source;
    else read_o = stage_q == ReadFirst & may_read_first;
  end

  assign updates_o = update_q != UpdateNone;
  always_comb begin
    write_o = update_q == UpdateWriteDestination | update_q == UpdateWriteSource;
    write_row_o = source_q;
    write_lanes_o = given_q;
    write_high_o = {Lanes{both_ways_q}} & expand(given_moves, high_q);
    write_low_o = {Lanes{both_ways_q}} & expand(given_moves, low_q);
    if (update_q == UpdateWriteDestination) begin
      write_row_o = destination_q;
      write_lanes_o = taken_q;
      write_high_o = {Lanes{high_moves_q}};
      write_low_o = {Lanes{low_moves_q}};
    end
  end

  assign swap_valid_o = offered_q;
  assign swap_source_o = source_q;
  assign swap_destination_o = destination_q;
  assign swap_source_lanes_o = given_q;
  assign swap_destination_lanes_o = taken_q;
  assign swap_source_moves_o = given_moves;
  assign swap_destination_moves_o = taken_moves;
  assign swap_both_ways_o = both_ways_q;
endmodule
