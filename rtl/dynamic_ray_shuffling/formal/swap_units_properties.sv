// SPDX-License-Identifier: Apache-2.0
// Properties of the three units and their swaps, for all behaviour of warps and register file within the contract of the ports.
// Bound to the block. Proved without rays; the proof that follows rays assumes them.
module swap_units_properties #(
  parameter int unsigned Warps = 58,
  parameter int unsigned BackupRows = 1,
  parameter int unsigned Lanes = 32,
  parameter int unsigned RayRegisters = 17,
  parameter int unsigned Wrong = 0,  // 1: a wrong property, which the proof must refute
  localparam int unsigned Units = 3,
  localparam int unsigned Rows = Warps + BackupRows + 2,
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned CountWidth = $clog2(2 * RayRegisters + 1),
  localparam int unsigned GrantsWidth = $clog2(4 * RayRegisters + 1)
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic                        report_valid_i,
  input logic [RowWidth-1:0]         report_row,
  input logic [Units-1:0]            read_valid,
  input logic [Units-1:0]            read_grant_i,
  input logic [Units-1:0]            write_valid,
  input logic [Units-1:0]            write_grant_i,
  input logic [Rows-1:0]             swapping,
  // The swap that each unit starts in this cycle, as selected.
  input logic [Units-1:0]            start,
  input logic [Units*RowWidth-1:0]   source,
  input logic [Units*RowWidth-1:0]   destination,
  input logic [Units*Lanes-1:0]      source_high,
  input logic [Units*Lanes-1:0]      source_low,
  // The swap that each unit executes.
  input logic [Units-1:0]            busy,
  input logic [Units-1:0]            both_ways,
  input logic [Units-1:0]            ends,
  input logic [Units*RowWidth-1:0]   swap_source,
  input logic [Units*RowWidth-1:0]   swap_destination,
  input logic [Units*RowWidth-1:0]   special_row,
  // Internal signals of the buffers.
  input logic [Units*CountWidth-1:0] read_count,
  input logic [Units*CountWidth-1:0] written_count
);
  // The state that each unit moves: leaf 11, fetch 01, inner 10.
  localparam logic [Units-1:0] Highs = 3'b101;
  localparam logic [Units-1:0] Lows = 3'b011;

  for (genvar unit = 0; unit < Units; unit++) begin : gen_unit
    logic [RowWidth-1:0] next_from, next_to, from, to;
    logic [GrantsWidth-1:0] grants_q;
    assign next_from = source[unit*RowWidth+:RowWidth];
    assign next_to = destination[unit*RowWidth+:RowWidth];
    assign from = swap_source[unit*RowWidth+:RowWidth];
    assign to = swap_destination[unit*RowWidth+:RowWidth];

    always_ff @(posedge clk_i) begin
      if (!rst_ni || start[unit]) grants_q <= '0;
      else grants_q <= grants_q + GrantsWidth'(read_grant_i[unit]) + GrantsWidth'(write_grant_i[unit]);
    end

    always_comb begin
      if (rst_ni) begin
        assert (32'(special_row[unit*RowWidth+:RowWidth]) < Rows);
        assert (32'(from) < Rows && 32'(to) < Rows);
        assert (busy[unit] || !ends[unit]);
      end
      if (rst_ni && start[unit]) begin
        // A swap starts after the previous one has ended, with two rows that no other unit or warp has. The source row is not
        // full of rays in the state that moves.
        assert (!busy[unit]);
        assert (32'(next_from) < Rows && 32'(next_to) < Rows && next_from != next_to);
        assert (!swapping[next_from] && !swapping[next_to]);
        assert (!report_valid_i || (report_row != next_from && report_row != next_to));
        assert (|((source_high[unit*Lanes+:Lanes] ^ {Lanes{Highs[unit]}}) | (source_low[unit*Lanes+:Lanes] ^ {Lanes{Lows[unit]}})));
        for (int other = 0; other < unit; other++) begin
          assert (!start[other] || (next_from != source[other*RowWidth+:RowWidth] && next_from != destination[other*RowWidth+:RowWidth] &&
                                    next_to != source[other*RowWidth+:RowWidth] && next_to != destination[other*RowWidth+:RowWidth]));
        end
      end
      if (rst_ni && busy[unit]) begin
        // A swap requests accesses until it ends, with a bounded number of grants.
        assert (read_valid[unit] || write_valid[unit]);
        assert (grants_q == GrantsWidth'(read_count[unit*CountWidth+:CountWidth]) + GrantsWidth'(written_count[unit*CountWidth+:CountWidth]));
        assert (grants_q < GrantsWidth'(4 * RayRegisters));
        // No other unit uses its rows during the swap.
        assert (from != to);
        assert (swapping[from] && swapping[to]);
        assert (!report_valid_i || (report_row != from && report_row != to));
        for (int other = 0; other < unit; other++) begin
          assert (!busy[other] || (from != swap_source[other*RowWidth+:RowWidth] && from != swap_destination[other*RowWidth+:RowWidth] &&
                                   to != swap_source[other*RowWidth+:RowWidth] && to != swap_destination[other*RowWidth+:RowWidth]));
        end
      end
    end
  end

  // Wrong properties: they exclude events that do happen. A proof of one would show that the assumptions make proofs vacuous.
  always_comb begin
    if (rst_ni) begin
      if (Wrong == 1) assert (!(|(ends & ~both_ways)));
    end
  end
endmodule

bind dynamic_ray_shuffling swap_units_properties #(
  .Warps       (Warps),
  .BackupRows  (BackupRows),
  .Lanes       (Lanes),
  .RayRegisters(RayRegisters)
) i_units_properties (
  .clk_i            (clk_i),
  .rst_ni           (rst_ni),
  .report_valid_i   (report_valid_i),
  .report_row       (report_row),
  .read_valid       (read_valid_o),
  .read_grant_i     (read_grant_i),
  .write_valid      (write_valid_o),
  .write_grant_i    (write_grant_i),
  .swapping         (swapping_q),
  .start            (start),
  .source           (source),
  .destination      (destination),
  .source_high      (source_high),
  .source_low       (source_low),
  .busy             (busy),
  .both_ways        (swap_both_ways),
  .ends             (ends),
  .swap_source      (swap_source),
  .swap_destination (swap_destination),
  .special_row      (special_row_q),
  .read_count       ({gen_unit[2].i_buffers.i_properties.read_count, gen_unit[1].i_buffers.i_properties.read_count,
                      gen_unit[0].i_buffers.i_properties.read_count}),
  .written_count    ({gen_unit[2].i_buffers.i_properties.written_count, gen_unit[1].i_buffers.i_properties.written_count,
                      gen_unit[0].i_buffers.i_properties.written_count})
);
