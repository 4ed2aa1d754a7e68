// What holds of dynamic ray shuffling in every cycle, whatever warps and register file do within the contract of its ports.
// Bound to the block. Two rays are followed from wherever they begin; the words of one are 1, of all others 0, in the one
// register that is looked at. What holds for any rays, register and warps holds for all.
module dynamic_ray_shuffling_properties #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  parameter int unsigned RayRegisters = 17,
  localparam int unsigned Units = 3,
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned WarpWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned LaneWidth = $clog2(Lanes),
  localparam int unsigned RegisterWidth = $clog2(RayRegisters)
) (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           control_valid_i,
  input logic [WarpWidth-1:0]           control_warp_i,
  input logic [1:0]                     control_answer,
  input logic [RowWidth-1:0]            control_row,
  input logic [Lanes-1:0]               control_high,
  input logic [Lanes-1:0]               control_low,
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
  input logic [Units-1:0]               busy,
  input logic [Units-1:0]               start,
  input logic [Units-1:0]               ends,
  input logic [Rows-1:0]                bound,
  input logic [Rows-1:0]                swapping,
  input logic [Units*RowWidth-1:0]      source,
  input logic [Units*RowWidth-1:0]      destination,
  input logic [Units*Lanes-1:0]         source_lanes,
  input logic [Units*Lanes-1:0]         destination_lanes
);
  localparam int unsigned Rays = 2;

  // The first cycle resets.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // --- Warps: one that has a row reports or asks; any other asks.
  logic [Warps-1:0] runs_q;
  (* anyconst *) logic [WarpWidth-1:0] some_warp;
  (* anyconst *) logic [WarpWidth-1:0] other_warp;
  logic has_q, other_has_q;
  logic [RowWidth-1:0] row_q, other_row_q;
  logic row_given;

  assign row_given = control_answer == 2'd1;

  always_comb begin
    assume (32'(some_warp) < Warps && 32'(other_warp) < Warps && some_warp != other_warp);
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
    if (!rst_ni) begin
      runs_q <= '0;
      has_q <= 1'b1;
      other_has_q <= 1'b1;
      row_q <= RowWidth'(some_warp);
      other_row_q <= RowWidth'(other_warp);
    end else if (control_valid_i) begin
      runs_q[control_warp_i] <= row_given;
      if (control_warp_i == some_warp) begin
        has_q <= row_given;
        row_q <= control_row;
      end
      if (control_warp_i == other_warp) begin
        other_has_q <= row_given;
        other_row_q <= control_row;
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

  always_comb begin
    assume (32'(first_row) < Warps + BackupRows && 32'(second_row) < Warps + BackupRows);
    assume (32'(first_lane) < Lanes && 32'(second_lane) < Lanes);
    assume (first_row != second_row || first_lane != second_lane);
  end

  for (genvar ray = 0; ray < Rays; ray++) begin : gen_ray
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
      .ends_i             (ends),
      .source_i           (source),
      .destination_i      (destination),
      .source_lanes_i     (source_lanes),
      .destination_lanes_i(destination_lanes),
      .row_o  (ray_row[ray*RowWidth+:RowWidth]),
      .lane_o (ray_lane[ray*LaneWidth+:LaneWidth]),
      .state_o(ray_state[ray*2+:2])
    );
  end

  // --- The register file, of which one register is looked at.
  (* anyconst *) logic [RegisterWidth-1:0] some_register;
  logic [Lanes-1:0] words_q [Rows];

  always_comb begin
    assume (32'(some_register) < RayRegisters);
    for (int unit = 0; unit < Units; unit++) begin
      assume (!read_grant_i[unit] || read_register[unit*RegisterWidth+:RegisterWidth] != some_register ||
              read_words_i[unit*Lanes+:Lanes] == words_q[read_row[unit*RowWidth+:RowWidth]]);
    end
  end

  for (genvar row = 0; row < Rows; row++) begin : gen_words
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        words_q[row] <= first_row == RowWidth'(row) ? Lanes'(1) << first_lane : '0;
      end else begin
        for (int unit = 0; unit < Units; unit++) begin
          if (write_grant_i[unit] && write_row[unit*RowWidth+:RowWidth] == RowWidth'(row) &&
              write_register[unit*RegisterWidth+:RegisterWidth] == some_register) begin
            words_q[row] <= (words_q[row] & ~write_lanes[unit*Lanes+:Lanes]) |
                            (write_words[unit*Lanes+:Lanes] & write_lanes[unit*Lanes+:Lanes]);
          end
        end
      end
    end
  end

  // --- What must hold.
  logic [Rows-1:0] rows_of_units;
  logic fetch, inner, leaf;
  assign fetch = |(~control_high & control_low);
  assign inner = |(control_high & ~control_low);
  assign leaf = |(control_high & control_low);

  always_comb begin
    if (rst_ni) begin
      row_of_one_warp : assert (!has_q || !other_has_q || row_q != other_row_q);
      row_of_warp_is_bound : assert (!has_q || bound[row_q]);
      bound_rows_stay : assert ((bound & swapping) == '0);
      swapping_rows : assert (swapping == rows_of_units);

      row_of_one_state : assert (!control_valid_i || !row_given || (!(fetch && inner) && !(fetch && leaf) && !(inner && leaf)));

      ray_alone : assert (ray_state[1:0] == 2'd0 || ray_state[3:2] == 2'd0 || ray_row[0+:RowWidth] != ray_row[RowWidth+:RowWidth] ||
                          ray_lane[0+:LaneWidth] != ray_lane[LaneWidth+:LaneWidth]);
    end
  end

  for (genvar ray = 0; ray < Rays; ray++) begin : gen_of_ray
    logic [RowWidth-1:0] row;
    logic [LaneWidth-1:0] lane;
    logic [1:0] state;
    assign row = ray_row[ray*RowWidth+:RowWidth];
    assign lane = ray_lane[ray*LaneWidth+:LaneWidth];
    assign state = ray_state[ray*2+:2];

    always_comb begin
      if (rst_ni && state != 2'd0) begin
        assert (swapping[row] || words_q[row][lane] == (ray == 0));
        assert (!control_valid_i || !row_given || control_row != row || {control_high[lane], control_low[lane]} == state);
      end
    end
  end

  always_comb begin
    rows_of_units = '0;
    for (int unit = 0; unit < Units; unit++) begin
      if (busy[unit]) rows_of_units[source[unit*RowWidth+:RowWidth]] = 1'b1;
      if (busy[unit]) rows_of_units[destination[unit*RowWidth+:RowWidth]] = 1'b1;
    end
  end

  // A swap that was granted as often as it may wish has ended.
  localparam int unsigned CountWidth = $clog2(4 * RayRegisters + 1);
  for (genvar unit = 0; unit < Units; unit++) begin : gen_of_unit
    logic [CountWidth-1:0] grants_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || start[unit]) grants_q <= '0;
      else grants_q <= grants_q + CountWidth'(read_grant_i[unit]) + CountWidth'(write_grant_i[unit]);
    end

    always_comb begin
      if (rst_ni) begin
        assert (!busy[unit] || read_valid[unit] || write_valid[unit]);
        assert (!busy[unit] || source[unit*RowWidth+:RowWidth] != destination[unit*RowWidth+:RowWidth]);
        for (int other = 0; other < unit; other++) begin
          assert (!busy[unit] || !busy[other] ||
                  (source[unit*RowWidth+:RowWidth] != source[other*RowWidth+:RowWidth] &&
                   source[unit*RowWidth+:RowWidth] != destination[other*RowWidth+:RowWidth] &&
                   destination[unit*RowWidth+:RowWidth] != source[other*RowWidth+:RowWidth] &&
                   destination[unit*RowWidth+:RowWidth] != destination[other*RowWidth+:RowWidth]));
        end
        assert (!busy[unit] || grants_q < CountWidth'(4 * RayRegisters));
      end
    end
  end
endmodule

// A ray on its way through rows and lanes, as swaps and reports tell of it.
module followed_ray #(
  parameter int unsigned Rows = 61,
  parameter int unsigned Lanes = 32,
  localparam int unsigned Units = 3,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned LaneWidth = $clog2(Lanes)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [RowWidth-1:0]       first_row_i,
  input  logic [LaneWidth-1:0]      first_lane_i,
  input  logic                      report_valid_i,
  input  logic [RowWidth-1:0]       report_row_i,
  input  logic [Lanes-1:0]          report_lanes_i,
  input  logic [Lanes-1:0]          report_high_i,
  input  logic [Lanes-1:0]          report_low_i,
  input  logic [Units-1:0]          ends_i,
  input  logic [Units*RowWidth-1:0] source_i,
  input  logic [Units*RowWidth-1:0] destination_i,
  input  logic [Units*Lanes-1:0]    source_lanes_i,
  input  logic [Units*Lanes-1:0]    destination_lanes_i,
  output logic [RowWidth-1:0]       row_o,
  output logic [LaneWidth-1:0]      lane_o,
  output logic [1:0]                state_o  // 0: it has ended
);
  logic [RowWidth-1:0] row_d;
  logic [LaneWidth-1:0] lane_d;
  logic [1:0] state_d;
  logic [Lanes-1:0] from, to, below;
  logic leaves;

  always_comb begin
    row_d = row_o;
    lane_d = lane_o;
    state_d = state_o;
    from = '0;
    to = '0;
    below = '0;
    leaves = 1'b0;
    for (int unit = 0; unit < Units; unit++) begin
      from = source_lanes_i[unit*Lanes+:Lanes];
      to = destination_lanes_i[unit*Lanes+:Lanes];
      leaves = ends_i[unit] && source_i[unit*RowWidth+:RowWidth] == row_o && from[lane_o];
      if (leaves) row_d = destination_i[unit*RowWidth+:RowWidth];
      if (ends_i[unit] && destination_i[unit*RowWidth+:RowWidth] == row_o && to[lane_o]) begin
        leaves = 1'b1;
        row_d = source_i[unit*RowWidth+:RowWidth];
        from = destination_lanes_i[unit*Lanes+:Lanes];
        to = source_lanes_i[unit*Lanes+:Lanes];
      end
      // The lane with as many others below it.
      below = from & ((Lanes'(1) << lane_o) - Lanes'(1));
      for (int lane = 0; lane < Lanes; lane++) begin
        if (leaves && to[lane] && count(to & ((Lanes'(1) << lane) - Lanes'(1))) == count(below)) lane_d = LaneWidth'(lane);
      end
    end
    if (report_valid_i && report_row_i == row_o && report_lanes_i[lane_o] && state_o != 2'd0) begin
      state_d = {report_high_i[lane_o], report_low_i[lane_o]};
    end
  end

  function automatic logic [LaneWidth:0] count(input logic [Lanes-1:0] lanes);
    count = '0;
    for (int lane = 0; lane < Lanes; lane++) count = count + (LaneWidth + 1)'(lanes[lane]);
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      row_o <= first_row_i;
      lane_o <= first_lane_i;
      state_o <= 2'd1;  // to be fetched
    end else begin
      row_o <= row_d;
      lane_o <= lane_d;
      state_o <= state_d;
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
  .busy             (busy),
  .start            (start),
  .ends             (ends),
  .bound            (bound),
  .swapping         (swapping_q),
  .source           (swap_source),
  .destination      (swap_destination),
  .source_lanes     (swap_source_lanes),
  .destination_lanes(swap_destination_lanes)
);
