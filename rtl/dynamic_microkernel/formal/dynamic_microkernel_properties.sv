// SPDX-License-Identifier: Apache-2.0
// Properties of an arbitrary entry of the formation area and of its part, for all behaviour of threads and schedulers within the
// contract of the ports. Bound to the block. Its assumptions about the adder, the choice of a partial warp and the lines are
// proved as properties of these modules.
module dynamic_microkernel_properties #(
  parameter int unsigned Lines = 64,
  parameter int unsigned Regions = 54,
  parameter int unsigned Fifo = 64,
  parameter int unsigned Lanes = 32,
  parameter int unsigned PcWidth = 16,
  parameter int unsigned Wrong = 0,  // 4, 5: a wrong property, which the proof must refute
  localparam int unsigned RegionWidth = $clog2(Regions),
  localparam int unsigned EntryWidth = $clog2(Lanes),
  localparam int unsigned ThreadWidth = $clog2(Lanes + 1),
  localparam int unsigned SlotWidth = Fifo > 1 ? $clog2(Fifo) : 1,
  localparam int unsigned CountWidth = $clog2(Fifo + 1)
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic [RegionWidth:0]         regions_i,
  input logic                         spawn_valid_i,
  input logic                         spawn_commit_i,
  input logic [PcWidth-1:0]           spawn_pc_i,
  input logic [1:0]                   stall,
  input logic                         completes,
  input logic                         pop_i,
  input logic                         full_valid,
  input logic [PcWidth-1:0]           full_pc,
  input logic [RegionWidth-1:0]       full_region,
  input logic                         force_i,
  input logic                         partial_valid,
  input logic [PcWidth-1:0]           partial_pc,
  input logic [RegionWidth-1:0]       partial_region,
  input logic [EntryWidth-1:0]        partial_threads,
  input logic [Regions-1:0]           release_i,
  // Internal signals of the block.
  input logic [RegionWidth-1:0]       first,
  input logic [RegionWidth-1:0]       second,
  input logic [EntryWidth-1:0]        count,
  input logic [ThreadWidth-1:0]       threads,
  input logic [Regions-1:0]           taken,
  input logic [Lines-1:0]             used,
  input logic [Lines-1:0]             has_first,
  input logic [Lines-1:0]             has_second,
  input logic [Lines-1:0]             match,
  input logic [Lines-1:0]             partial_line,
  input logic [Lines*PcWidth-1:0]     pcs,
  input logic [Lines*RegionWidth-1:0] firsts,
  input logic [Lines*RegionWidth-1:0] seconds,
  input logic [Lines*EntryWidth-1:0]  counts,
  input logic [SlotWidth-1:0]         head,
  input logic [SlotWidth-1:0]         tail,
  input logic [CountWidth-1:0]        waiting,
  input logic [Fifo*PcWidth-1:0]      waiting_pcs,
  input logic [Fifo*RegionWidth-1:0]  waiting_regions
);
  (* anyconst *) logic [RegionWidth-1:0] region;
  (* anyconst *) logic [EntryWidth-1:0] place;
  (* anyconst *) logic [RegionWidth:0] regions;

  // Reset is active in the first cycle.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic commit;
  assign commit = spawn_valid_i & spawn_commit_i;

  // --- The entry and its part, from the ports. lent_q: the entry has a thread, of micro-kernel pc_q. whole_q: the part is whole
  // and waits to start. out_q: the warp of the part runs.
  logic handed, handed_second, lent_q, whole_q, out_q;
  logic [PcWidth-1:0] pc_q;
  logic [ThreadWidth:0] end_place;
  assign end_place = (ThreadWidth + 1)'(count) + (ThreadWidth + 1)'(threads);
  // A spawn's entries follow those of the line, one for each thread: thread_address_adder_properties.
  assign handed_second = commit & second == region & (ThreadWidth + 1)'(place) + (ThreadWidth + 1)'(Lanes) < end_place;
  assign handed = (commit & first == region & place >= count & (ThreadWidth + 1)'(place) < end_place) | handed_second;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lent_q <= 1'b0;
      whole_q <= 1'b0;
      out_q <= 1'b0;
    end else begin
      lent_q <= (lent_q | handed) & ~release_i[region];
      if (handed) pc_q <= spawn_pc_i;
      whole_q <= (whole_q & ~(pop_i & full_region == region)) | (commit & completes & first == region);
      out_q <= (out_q & ~release_i[region]) | (pop_i & full_region == region) | (force_i & partial_region == region);
    end
  end

  // --- The holder of the part, and whether it agrees with the entry's state.
  logic in_first, in_second, in_fifo, twice, agrees, slot_waits, valid_slots;
  always_comb begin
    in_first = 1'b0;
    in_second = 1'b0;
    in_fifo = 1'b0;
    twice = 1'b0;
    agrees = 1'b1;
    for (int line = 0; line < Lines; line++) begin
      if (has_first[line] && firsts[line*RegionWidth+:RegionWidth] == region) begin
        twice = twice | in_first;
        in_first = 1'b1;
        agrees = agrees & lent_q == (place < counts[line*EntryWidth+:EntryWidth]) & (!lent_q | pc_q == pcs[line*PcWidth+:PcWidth]);
      end
      if (has_second[line] && seconds[line*RegionWidth+:RegionWidth] == region) begin
        twice = twice | in_second;
        in_second = 1'b1;
        agrees = agrees & ~lent_q;
      end
    end
    for (int slot = 0; slot < Fifo; slot++) begin
      slot_waits = SlotWidth'(slot) >= head ? CountWidth'(slot) - CountWidth'(head) < waiting
                                            : CountWidth'(slot) + CountWidth'(Fifo) - CountWidth'(head) < waiting;
      if (slot_waits && waiting_regions[slot*RegionWidth+:RegionWidth] == region) begin
        twice = twice | in_fifo;
        in_fifo = 1'b1;
        agrees = agrees & lent_q & pc_q == waiting_pcs[slot*PcWidth+:PcWidth];
      end
    end
    if (!taken[region]) agrees = agrees & ~lent_q;
  end
  assign valid_slots = 32'(head) < Fifo & 32'(waiting) <= Fifo &
                       tail == SlotWidth'((32'(head) + 32'(waiting)) % Fifo);

  always_comb begin
    assume (rst_ni == started_q);
    assume (regions_i == regions && 32'(regions) <= Regions && 32'(region) < Regions);
    // The contract of the ports. A part is released only if its warp runs; assumed for this part.
    assume (!rst_ni || !commit || (stall == 2'd0 && !force_i));
    assume (!rst_ni || ((!pop_i || full_valid) && (!force_i || partial_valid) && !(pop_i && force_i)));
    assume (!release_i[region] || out_q);
    // thread_address_adder_properties
    assume (!spawn_valid_i || (threads != '0 && 32'(threads) <= Lanes));
    // spawn_lut_properties
    assume ((match & (match - 1'b1)) == '0);
    assume (((used + 1'b1) & used) == '0);
    for (int line = 0; line < Lines; line++) begin
      assume (has_first[line] || !(has_second[line] || counts[line*EntryWidth+:EntryWidth] != '0));
      assume (used[line] || !has_first[line]);
      // lowest_partial_properties
      assume (!partial_line[line] ||
              (has_first[line] && counts[line*EntryWidth+:EntryWidth] != '0 &&
               partial_pc == pcs[line*PcWidth+:PcWidth] && partial_region == firsts[line*RegionWidth+:RegionWidth] &&
               partial_threads == counts[line*EntryWidth+:EntryWidth]));
    end
    assume (partial_valid == |partial_line && (partial_line & (partial_line - 1'b1)) == '0);
  end

  always_comb begin
    if (rst_ni) begin
      addresses_are_unique : assert (!handed || !lent_q);
      not_both_parts : assert (!handed_second || first != region);
      part_of_one_owner : assert (!twice && 32'(in_first) + 32'(in_second) + 32'(in_fifo) + 32'(out_q) == 32'(taken[region]));
      parts_of_this_launch : assert (!taken[region] || (RegionWidth + 1)'(region) < regions_i);
      entry_as_the_block_says : assert (agrees);
      counter_passes_no_warp : assert (!lent_q || !in_first || 32'(place) < Lanes - 1);
      whole_warps_wait : assert (whole_q == in_fifo);
      slots_by_turns : assert (valid_slots);
      full_warps_are_whole : assert (!pop_i || full_region != region || (whole_q && lent_q && full_pc == pc_q));
      partial_warps_are_all :
      assert (!force_i || partial_region != region || (lent_q == (place < partial_threads) && (!lent_q || partial_pc == pc_q)));
      if (Wrong == 4) assert (!handed_second);
      if (Wrong == 5) assert (!pop_i || !commit || !completes);
    end
  end
endmodule

bind dynamic_microkernel dynamic_microkernel_properties #(
  .Lines  (Lines),
  .Regions(Regions),
  .Fifo   (Fifo),
  .Lanes  (Lanes),
  .PcWidth(PcWidth)
) i_properties (
  .clk_i          (clk_i),
  .rst_ni         (rst_ni),
  .regions_i      (regions_i),
  .spawn_valid_i  (spawn_valid_i),
  .spawn_commit_i (spawn_commit_i),
  .spawn_pc_i     (spawn_pc_i),
  .stall          (spawn_stall_o),
  .completes      (completes),
  .pop_i          (pop_i),
  .full_valid     (full_valid_o),
  .full_pc        (full_pc_o),
  .full_region    (full_region_o),
  .force_i        (force_i),
  .partial_valid  (partial_valid_o),
  .partial_pc     (partial_pc_o),
  .partial_region (partial_region_o),
  .partial_threads(partial_threads_o),
  .release_i      (release_i),
  .first          (first),
  .second         (second),
  .count          (count),
  .threads        (threads),
  .taken          (taken),
  .used           (used),
  .has_first      (has_first),
  .has_second     (has_second),
  .match          (match),
  .partial_line   (partial_line),
  .pcs            (pcs),
  .firsts         (firsts),
  .seconds        (seconds),
  .counts         (counts),
  .head           (head),
  .tail           (tail),
  .waiting        (waiting),
  .waiting_pcs    (waiting_pcs),
  .waiting_regions(waiting_regions)
);
