// SPDX-License-Identifier: Apache-2.0
// Sets the switches: each stage routes records by one bit of their port (models/stream/benes_network, "Packing needs no looping
// algorithm"). cross_o sets consecutive stages at distances 1, 2, ..., N/2; all other stages are straight.
//
// If two records of a bank meet in a switch of distance 2^k, one comes from each half of an aligned block of 2 * 2^k lanes, and
// their ports differ by 2^k. The setting therefore follows from the first port of the upper half, with or without a record. If
// records of both banks need different settings, the first clock uses the setting of bank 0.
module benes_control #(
  parameter int unsigned NumPorts = 16,  // a power of two
  localparam int unsigned Levels = $clog2(NumPorts),
  localparam int unsigned CountWidth = Levels + 1
) (
  input  logic [NumPorts-1:0]          to_first_i,      // lanes with a record for bank 0, which fills upwards
  input  logic [NumPorts-1:0]          to_second_i,     // lanes with a record for bank 1, which fills downwards; disjoint
  input  logic [Levels-1:0]         first_i,         // next stripe of bank 0
  input  logic [Levels-1:0]         second_i,        // next stripe of bank 1
  input  logic                      second_clock_i,  // route the records of bank 1; otherwise those of bank 0
  output logic [Levels*NumPorts/2-1:0] cross_o,         // NumPorts / 2 bits for distance 1, then for distance 2, ...
  output logic                      conflict_o,      // one clock cannot route the records of both banks
  output logic [NumPorts-1:0]          first_ports_o,   // ports of all records for bank 0
  output logic [NumPorts-1:0]          second_ports_o,  // ports of all records for bank 1
  output logic [Levels-1:0]         next_first_o,    // first stripes after the group
  output logic [Levels-1:0]         next_second_o       // of bank 1
);
  // Records below each lane, and in each block.
  logic [(NumPorts+1)*Levels-1:0] firsts_below, seconds_below;
  logic [NumPorts*CountWidth-1:CountWidth] firsts_in, seconds_in;
  lane_counts #(.Lanes(NumPorts)) i_firsts (.set_i(to_first_i), .below_o(firsts_below), .blocks_o(firsts_in));
  lane_counts #(.Lanes(NumPorts)) i_seconds (.set_i(to_second_i), .below_o(seconds_below), .blocks_o(seconds_in));

  // For each bank, the port of the first record at or above each lane.
  logic [(NumPorts+1)*Levels-1:0] up, down;
  for (genvar lane = 0; lane <= NumPorts; lane++) begin : gen_lane
    assign up[lane*Levels+:Levels] = first_i + firsts_below[lane*Levels+:Levels];
    assign down[lane*Levels+:Levels] = second_i - seconds_below[lane*Levels+:Levels];
  end
  assign next_first_o = up[NumPorts*Levels+:Levels];
  assign next_second_o = down[NumPorts*Levels+:Levels];

  logic [NumPorts-1:1] collides;  // for each block
  assign conflict_o = |collides;

  for (genvar level = 0; level < Levels; level++) begin : gen_level
    localparam int unsigned Span = 1 << level;  // lanes in half a block
    for (genvar block = 0; block < NumPorts / 2 / Span; block++) begin : gen_block
      localparam int unsigned Node = NumPorts / 2 / Span + block;
      localparam int unsigned Start = block * 2 * Span * Levels;
      localparam int unsigned Middle = Start + Span * Levels;
      localparam int unsigned End = Middle + Span * Levels;
      localparam logic [Levels-1:0] Within = Levels'(Span - 1);

      logic [CountWidth-1:0] firsts, seconds;
      assign firsts = firsts_in[Node*CountWidth+:CountWidth];
      assign seconds = seconds_in[Node*CountWidth+:CountWidth];

      // The gap between the banks' next stripes is less than the number of records, minus one.
      logic [level:0] gap;
      assign gap = down[Start+:level+1] - up[Start+:level+1];
      assign collides[Node] = firsts != '0 & seconds != '0 & (CountWidth + 1)'(gap) + 1'b1 < {1'b0, firsts} + {1'b0, seconds};

      // Ports of the upper half, modulo Span: from its first port on.
      logic [Span-1:0] from_up, from_down, first_cross, second_cross, from_start, from_end, first_here, use_first;
      assign from_up = {Span{1'b1}} << (up[Middle+:Levels] & Within);
      assign from_down = {Span{1'b1}} << (down[Middle+:Levels] & Within);
      assign first_cross = {Span{up[Middle+level]}} ^ from_up;
      assign second_cross = ~({Span{down[Middle+level]}} ^ (from_down << 1));

      // Switches that route a record for bank 0.
      assign from_start = {Span{1'b1}} << (up[Start+:Levels] & Within);
      assign from_end = {Span{1'b1}} << (up[End+:Levels] & Within);
      ring_window #(.Size(Span)) i_first_here (
        .from_first_i(from_start), .from_end_i(from_end), .wraps_i(up[Start+level] ^ up[End+level]),
        .full_i(|firsts[CountWidth-1:level]), .places_o(first_here)
      );
      assign use_first = first_here & {Span{~second_clock_i}};
      assign cross_o[level*NumPorts/2+block*Span+:Span] = (use_first & first_cross) | (~use_first & second_cross);
    end
  end

  // Bank 0 fills ports first_i to next_first_o - 1, bank 1 fills ports next_second_o + 1 to second_i, modulo NumPorts.
  logic [Levels:0] first_sum, second_difference;
  logic [NumPorts-1:0] behind_next, behind_second;
  assign first_sum = {1'b0, first_i} + firsts_in[CountWidth+:CountWidth];
  assign second_difference = {1'b0, second_i} - seconds_in[CountWidth+:CountWidth];
  assign behind_next = ({NumPorts{1'b1}} << next_second_o) << 1;
  assign behind_second = ({NumPorts{1'b1}} << second_i) << 1;
  ring_window #(.Size(NumPorts)) i_first_ports (
    .from_first_i({NumPorts{1'b1}} << first_i), .from_end_i({NumPorts{1'b1}} << next_first_o), .wraps_i(first_sum[Levels]),
    .full_i(firsts_in[CountWidth+Levels]), .places_o(first_ports_o)
  );
  ring_window #(.Size(NumPorts)) i_second_ports (
    .from_first_i(behind_next), .from_end_i(behind_second), .wraps_i(second_difference[Levels]),
    .full_i(seconds_in[CountWidth+Levels]), .places_o(second_ports_o)
  );
endmodule
