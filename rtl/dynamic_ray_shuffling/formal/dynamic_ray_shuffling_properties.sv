// What holds of dynamic ray shuffling in every cycle, whatever warps and register file do within the contract of its ports.
// Bound to the block. Two rays are followed from wherever they begin; the words of one are 1, of all others 0, in the one
// register that is looked at. What holds for any rays, register and warps holds for all.
module dynamic_ray_shuffling_properties #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  parameter int unsigned RayRegisters = 17,
  parameter int unsigned Follow = 1,  // 0: of warps, rows and the ends of swaps alone, no ray is followed
  parameter int unsigned Wrong = 0,  // one of the wrong properties, which proofs must refute, in place of the right ones
  localparam int unsigned Units = 3,
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned LaneWidth = $clog2(Lanes),
  localparam int unsigned RegisterWidth = $clog2(RayRegisters),
  localparam int unsigned CountWidth = $clog2(2 * RayRegisters + 1),
  localparam int unsigned HeldWidth = 2 * (Lanes - 1)
) (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           control_valid_i,
  input logic [WarpWidth-1:0]           control_warp_i,
  input logic [1:0]                     control_answer,
  input logic [RowWidth-1:0]            control_row,
  input logic [Lanes-1:0]               control_high,
  input logic [Lanes-1:0]               control_low,
  input logic                           has_answer,
  input logic                           report_valid_i,
  input logic [WarpWidth-1:0]           report_warp_i,
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
  // Inside of the block.
  input logic [Rows*Lanes-1:0]          all_high,
  input logic [Rows*Lanes-1:0]          all_low,
  input logic [Units-1:0]               both_ways,
  input logic [Units-1:0]               busy,
  input logic [Units-1:0]               start,
  input logic [Units-1:0]               ends,
  input logic [Rows-1:0]                bound,
  input logic [Rows-1:0]                swapping,
  input logic [Units*RowWidth-1:0]      source,
  input logic [Units*RowWidth-1:0]      destination,
  input logic [Units*Lanes-1:0]         source_lanes,
  input logic [Units*Lanes-1:0]         destination_lanes,
  input logic [Units*Lanes-1:0]         swap_high,
  input logic [Units*Lanes-1:0]         swap_low,
  input logic                           quiet,
  input logic [Warps-1:0]               has_row,
  input logic [Warps*RowWidth-1:0]      row_of_warp,
  input logic [Units*RowWidth-1:0]      special_row,
  // Inside of the buffers.
  input logic [Units*CountWidth-1:0]    read_count,
  input logic [Units*CountWidth-1:0]    written_count,
  input logic [Units*HeldWidth-1:0]     held
);
  localparam int unsigned Rays = 2;

  // The first cycle resets.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // --- Warps: one that has a row reports or asks; any other asks.
  logic [Warps-1:0] runs_q, has_q;
  logic [Warps*RowWidth-1:0] rows_q;
  logic row_given;

  assign row_given = control_answer == 2'd1;

  always_comb begin
    if (rst_ni) begin
      assume (!control_valid_i || 32'(control_warp_i) < Warps);
      assume (!report_valid_i || (32'(report_warp_i) < Warps && runs_q[report_warp_i]));
      assume (!report_valid_i || !control_valid_i || report_warp_i != control_warp_i);
      assume ((read_grant_i & ~read_valid) == '0 && (write_grant_i & ~write_valid) == '0);
    end else begin
      assume (!control_valid_i && !report_valid_i && read_grant_i == '0 && write_grant_i == '0);
    end
  end

  always_ff @(posedge clk_i) begin
    for (int warp = 0; warp < Warps; warp++) begin
      if (!rst_ni) begin
        runs_q[warp] <= 1'b0;
        has_q[warp] <= 1'b1;
        rows_q[warp*RowWidth+:RowWidth] <= RowWidth'(warp);
      end else if (control_valid_i && control_warp_i == WarpWidth'(warp)) begin
        runs_q[warp] <= row_given;
        has_q[warp] <= row_given;
        if (row_given) rows_q[warp*RowWidth+:RowWidth] <= control_row;
      end
    end
  end

  // --- Rays: where they are, and what they last reported.
  (* anyconst *) logic [RowWidth-1:0] first_row;
  (* anyconst *) logic [LaneWidth-1:0] first_lane;
  (* anyconst *) logic [RowWidth-1:0] second_row;
  (* anyconst *) logic [LaneWidth-1:0] second_lane;
  logic [Rays*RowWidth-1:0] ray_row;
  logic [Rays*LaneWidth-1:0] ray_lane;
  logic [Rays*2-1:0] ray_state;
  logic [Rays*Units-1:0] ray_leaves, ray_returns;
  logic [Rays*Units*Lanes-1:0] ray_partner;
  logic [Rays*Units*LaneWidth-1:0] ray_below;

  always_comb begin
    assume (32'(first_row) < Warps + BackupRows && 32'(second_row) < Warps + BackupRows);
    assume (32'(first_lane) < Lanes && 32'(second_lane) < Lanes);
    assume (first_row != second_row || first_lane != second_lane);
  end

  for (genvar ray = 0; ray < Rays * Follow; ray++) begin : gen_ray
    followed_ray #(
      .Rows (Rows),
      .Lanes(Lanes)
    ) i_ray (
      .clk_i,
      .rst_ni,
      .first_row_i   (ray == 0 ? first_row : second_row),
      .first_lane_i  (ray == 0 ? first_lane : second_lane),
      .report_valid_i,
      .report_row_i  (report_row),
      .report_lanes_i,
      .report_high_i,
      .report_low_i,
      .busy_i             (busy),
      .ends_i             (ends),
      .source_i           (source),
      .destination_i      (destination),
      .source_lanes_i     (source_lanes),
      .destination_lanes_i(destination_lanes),
      .row_o    (ray_row[ray*RowWidth+:RowWidth]),
      .lane_o   (ray_lane[ray*LaneWidth+:LaneWidth]),
      .state_o  (ray_state[ray*2+:2]),
      .leaves_o (ray_leaves[ray*Units+:Units]),
      .returns_o(ray_returns[ray*Units+:Units]),
      .partner_o(ray_partner[ray*Units*Lanes+:Units*Lanes]),
      .below_o  (ray_below[ray*Units*LaneWidth+:Units*LaneWidth])
    );
  end

  // --- The register file, of which one register is looked at.
  (* anyconst *) logic [RegisterWidth-1:0] some_register;
  logic [Rows*Lanes-1:0] words_q;

  always_comb begin
    assume (32'(some_register) < RayRegisters);
    for (int unit = 0; unit < Units * Follow; unit++) begin
      assume (!read_grant_i[unit] || read_register[unit*RegisterWidth+:RegisterWidth] != some_register ||
              read_words_i[unit*Lanes+:Lanes] == words_q[read_row[unit*RowWidth+:RowWidth]*Lanes+:Lanes]);
    end
  end

  for (genvar row = 0; row < Rows * Follow; row++) begin : gen_words
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        words_q[row*Lanes+:Lanes] <= first_row == RowWidth'(row) ? Lanes'(1) << first_lane : '0;
      end else begin
        for (int unit = 0; unit < Units; unit++) begin
          if (write_grant_i[unit] && write_row[unit*RowWidth+:RowWidth] == RowWidth'(row) &&
              write_register[unit*RegisterWidth+:RegisterWidth] == some_register) begin
            words_q[row*Lanes+:Lanes] <= (words_q[row*Lanes+:Lanes] & ~write_lanes[unit*Lanes+:Lanes]) |
                                         (write_words[unit*Lanes+:Lanes] & write_lanes[unit*Lanes+:Lanes]);
          end
        end
      end
    end
  end

  // --- Warps.
  logic fetch, inner, leaf;
  assign fetch = |(~control_high & control_low);
  assign inner = |(control_high & ~control_low);
  assign leaf = |(control_high & control_low);

  logic shared_row, bound_as_told, swapping_as_told, as_told;
  always_comb begin
    as_told = has_row == has_q;
    for (int warp = 0; warp < Warps; warp++) begin
      as_told = as_told & (~has_q[warp] | (32'(rows_q[warp*RowWidth+:RowWidth]) < Rows &
                                           row_of_warp[warp*RowWidth+:RowWidth] == rows_q[warp*RowWidth+:RowWidth]));
    end
  end

  // What is said of rays needs it of all rows at once; by itself it follows for any one row.
  if (Follow != 0) begin : gen_all_rows
    logic [Rows-1:0] rows_of_warps, row_of_one;
    assign bound_as_told = bound == rows_of_warps;
    assign swapping_as_told = swapping == rows_of_units;
    always_comb begin
      rows_of_warps = '0;
      shared_row = 1'b0;
      for (int warp = 0; warp < Warps; warp++) begin
        row_of_one = has_q[warp] ? Rows'(1) << rows_q[warp*RowWidth+:RowWidth] : '0;
        shared_row = shared_row | (|(rows_of_warps & row_of_one));
        rows_of_warps = rows_of_warps | row_of_one;
      end
    end
  end else begin : gen_any_row
    (* anyconst *) logic [RowWidth-1:0] some_row;
    logic has_warp, has_this;
    assign bound_as_told = bound[some_row] == has_warp;
    assign swapping_as_told = (rows_of_units & ~swapping) == '0 && (!swapping[some_row] || rows_of_units[some_row]);
    always_comb begin
      assume (32'(some_row) < Rows);
      // What holds of any row holds of the one that is reported of. (It forbids no state: none need be reported of.)
      assume (!rst_ni || !report_valid_i || bound[report_row]);
      has_warp = 1'b0;
      shared_row = 1'b0;
      for (int warp = 0; warp < Warps; warp++) begin
        has_this = has_q[warp] & rows_q[warp*RowWidth+:RowWidth] == some_row;
        shared_row = shared_row | (has_warp & has_this);
        has_warp = has_warp | has_this;
      end
    end
  end

  always_comb begin
    if (rst_ni) begin
      rows_as_told : assert (as_told);
      row_of_one_warp : assert (!shared_row);
      rows_of_warps_are_bound : assert (bound_as_told);
      who_runs_has_a_row : assert ((runs_q & ~has_q) == '0);
      row_of_one_state : assert (!control_valid_i || !row_given || !((fetch && inner) || (fetch && leaf) || (inner && leaf)));
      answer_as_told : assert (!control_valid_i || has_q[control_warp_i] || has_answer == (control_answer != 2'd0));
      bound_rows_stay : assert ((bound & swapping) == '0);
      swapping_rows : assert (swapping_as_told);
      quiet_starts_nothing : assert (!quiet || (start == '0 && busy == '0));
    end
  end

  // --- Units.
  // The state that each moves: leaf 11, fetch 01, inner 10.
  localparam logic [Units-1:0] Highs = 3'b101;
  localparam logic [Units-1:0] Lows = 3'b011;

  logic [Rows-1:0] rows_of_units;
  always_comb begin
    rows_of_units = '0;
    for (int unit = 0; unit < Units; unit++) begin
      if (busy[unit]) begin
        rows_of_units = rows_of_units | (Rows'(1) << source[unit*RowWidth+:RowWidth]) |
                        (Rows'(1) << destination[unit*RowWidth+:RowWidth]);
      end
    end
  end

  for (genvar unit = 0; unit < Units; unit++) begin : gen_unit
    localparam int unsigned GrantsWidth = $clog2(4 * RayRegisters + 1);
    logic [RowWidth-1:0] from_row, to_row;
    logic [Lanes-1:0] from, to, from_high, from_low, to_high, to_low;
    logic [GrantsWidth-1:0] grants_q;

    assign from_row = source[unit*RowWidth+:RowWidth];
    assign to_row = destination[unit*RowWidth+:RowWidth];
    assign from = source_lanes[unit*Lanes+:Lanes];
    assign to = destination_lanes[unit*Lanes+:Lanes];
    assign from_high = all_high[from_row*Lanes+:Lanes];
    assign from_low = all_low[from_row*Lanes+:Lanes];
    assign to_high = all_high[to_row*Lanes+:Lanes];
    assign to_low = all_low[to_row*Lanes+:Lanes];

    always_ff @(posedge clk_i) begin
      if (!rst_ni || start[unit]) grants_q <= '0;
      else grants_q <= grants_q + GrantsWidth'(read_grant_i[unit]) + GrantsWidth'(write_grant_i[unit]);
    end

    always_comb begin
      if (rst_ni) begin
        assert (32'(special_row[unit*RowWidth+:RowWidth]) < Rows);
        assert (32'(from_row) < Rows && 32'(to_row) < Rows);
      end
      if (rst_ni && busy[unit]) begin
        // A swap wants something until it has ended, and is not granted more than so much.
        assert (read_valid[unit] || write_valid[unit]);
        assert (grants_q == GrantsWidth'(read_count[unit*CountWidth+:CountWidth]) + GrantsWidth'(written_count[unit*CountWidth+:CountWidth]));
        assert (grants_q < GrantsWidth'(4 * RayRegisters));
        assert (from_row != to_row);
        for (int other = 0; other < unit; other++) begin
          assert (!busy[other] || (from_row != source[other*RowWidth+:RowWidth] && from_row != destination[other*RowWidth+:RowWidth] &&
                                   to_row != source[other*RowWidth+:RowWidth] && to_row != destination[other*RowWidth+:RowWidth]));
        end
      end
      if (Follow != 0 && rst_ni && busy[unit]) begin
        // What leaves is in the unit's state; what comes back is not, and is there only where places are filled.
        assert ((from & ((from_high ^ {Lanes{Highs[unit]}}) | (from_low ^ {Lanes{Lows[unit]}}))) == '0);
        assert (both_ways[unit] || (to & (to_high | to_low)) == '0);
        assert (!both_ways[unit] || (to & ~(to_high | to_low)) == '0);
        // Nothing comes back for what goes to empty places.
        assert (both_ways[unit] || (from & (swap_high[unit*Lanes+:Lanes] | swap_low[unit*Lanes+:Lanes])) == '0);
      end
    end
  end

  // --- Rays.
  always_comb begin
    if (Follow != 0 && rst_ni) begin
      ray_alone : assert (ray_state[1:0] == 2'd0 || ray_state[3:2] == 2'd0 || ray_row[0+:RowWidth] != ray_row[RowWidth+:RowWidth] ||
                          ray_lane[0+:LaneWidth] != ray_lane[LaneWidth+:LaneWidth]);
    end
  end

  for (genvar ray = 0; ray < Rays * Follow; ray++) begin : gen_of_ray
    logic [RowWidth-1:0] row;
    logic [LaneWidth-1:0] lane;
    logic [1:0] state;
    logic [Lanes-1:0] row_high, row_low, row_words;
    logic own_word;
    assign row = ray_row[ray*RowWidth+:RowWidth];
    assign lane = ray_lane[ray*LaneWidth+:LaneWidth];
    assign state = ray_state[ray*2+:2];
    assign row_high = all_high[row*Lanes+:Lanes];
    assign row_low = all_low[row*Lanes+:Lanes];
    assign row_words = words_q[row*Lanes+:Lanes];
    assign own_word = row_words[lane] == (ray == 0);

    always_comb begin
      if (rst_ni) begin
        assert (32'(row) < Rows && 32'(lane) < Lanes);
      end
      if (rst_ni && state != 2'd0) begin
        assert ({row_high[lane], row_low[lane]} == state);
        assert (swapping[row] || own_word);
        assert (!control_valid_i || !row_given || control_row != row || {control_high[lane], control_low[lane]} == state);
      end
    end

    // Where its word is while a swap lasts: where it was, in a buffer, where it goes.
    for (genvar unit = 0; unit < Units; unit++) begin : gen_way
      logic [CountWidth-1:0] reads, writes, there, turn;
      logic [RowWidth-1:0] from_row, to_row;
      logic [Lanes-1:0] partner, arrived;
      logic [HeldWidth-1:0] words;
      logic [Lanes-2:0] buffer, place;
      logic leaves, returns;

      assign reads = read_count[unit*CountWidth+:CountWidth];
      assign writes = written_count[unit*CountWidth+:CountWidth];
      assign from_row = source[unit*RowWidth+:RowWidth];
      assign to_row = destination[unit*RowWidth+:RowWidth];
      assign leaves = ray_leaves[ray*Units+unit];
      assign returns = ray_returns[ray*Units+unit];
      assign partner = ray_partner[(ray*Units+unit)*Lanes+:Lanes];
      // Which transfer takes the register there, and which takes this word.
      assign there = both_ways[unit] ? CountWidth'(some_register) << 1 : CountWidth'(some_register);
      assign turn = there + CountWidth'(returns);
      assign words = held[unit*HeldWidth+:HeldWidth];
      assign buffer = turn[0] ? words[HeldWidth-1:Lanes-1] : words[Lanes-2:0];
      assign place = (Lanes - 1)'(1) << ray_below[(ray*Units+unit)*LaneWidth+:LaneWidth];
      assign arrived = leaves ? words_q[to_row*Lanes+:Lanes] : words_q[from_row*Lanes+:Lanes];

      always_comb begin
        if (rst_ni && state != 2'd0 && (leaves || returns)) begin
          assert (writes > there || own_word);
          assert (writes > turn || reads <= turn || |(buffer & place) == (ray == 0));
          assert (writes <= turn || |(arrived & partner) == (ray == 0));
        end
        if (rst_ni && state != 2'd0 && returns) begin
          assert ({|(swap_high[unit*Lanes+:Lanes] & partner), |(swap_low[unit*Lanes+:Lanes] & partner)} == state);
        end
        if (rst_ni && state != 2'd0 && busy[unit] && (row == from_row || row == to_row) && !leaves && !returns) begin
          assert (own_word);
        end
      end
    end
  end

  // --- What does happen, said not to: a proof of it would show that the assumptions leave nothing to prove.
  always_comb begin
    if (rst_ni) begin
      if (Wrong == 1) assert (!(|(ends & ~both_ways)));
      if (Wrong == 2) assert (32'(ray_row[0+:RowWidth]) == 32'(first_row));
    end
  end
endmodule

bind dynamic_ray_shuffling dynamic_ray_shuffling_properties #(
  .Warps       (Warps),
  .BackupRows  (BackupRows),
  .Lanes       (Lanes),
  .RayRegisters(RayRegisters)
) i_properties (
  .clk_i            (clk_i),
  .rst_ni           (rst_ni),
  .control_valid_i  (control_valid_i),
  .control_warp_i   (control_warp_i),
  .control_answer   (control_answer_o),
  .control_row      (control_row_o),
  .control_high     (control_high_o),
  .control_low      (control_low_o),
  .has_answer       (has_answer_o),
  .report_valid_i   (report_valid_i),
  .report_warp_i    (report_warp_i),
  .report_row       (report_row),
  .report_lanes_i   (report_lanes_i),
  .report_high_i    (report_high_i),
  .report_low_i     (report_low_i),
  .read_valid       (read_valid_o),
  .read_row         (read_row_o),
  .read_register    (read_register_o),
  .read_grant_i     (read_grant_i),
  .read_words_i     (read_words_i),
  .write_valid      (write_valid_o),
  .write_row        (write_row_o),
  .write_register   (write_register_o),
  .write_lanes      (write_lanes_o),
  .write_words      (write_words_o),
  .write_grant_i    (write_grant_i),
  .all_high         (all_high),
  .all_low          (all_low),
  .both_ways        (swap_both_ways),
  .busy             (busy),
  .start            (start),
  .ends             (ends),
  .bound            (bound),
  .swapping         (swapping_q),
  .source           (swap_source),
  .destination      (swap_destination),
  .source_lanes     (swap_source_lanes),
  .destination_lanes(swap_destination_lanes),
  .swap_high        (swap_high),
  .swap_low         (swap_low),
  .quiet            (quiet_q),
  .has_row          (has_row),
  .row_of_warp      (rows_of_warps),
  .special_row      (special_row_q),
  .read_count       ({gen_unit[2].i_buffers.i_properties.read_count, gen_unit[1].i_buffers.i_properties.read_count,
                      gen_unit[0].i_buffers.i_properties.read_count}),
  .written_count    ({gen_unit[2].i_buffers.i_properties.written_count, gen_unit[1].i_buffers.i_properties.written_count,
                      gen_unit[0].i_buffers.i_properties.written_count}),
  .held             ({gen_unit[2].i_buffers.i_properties.held, gen_unit[1].i_buffers.i_properties.held,
                      gen_unit[0].i_buffers.i_properties.held})
);
