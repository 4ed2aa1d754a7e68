// SPDX-License-Identifier: Apache-2.0
// The properties in `formal/` as concurrent assertions for simulation. Bound to the block.
//
// The assertions follow every entry of the formation area: `lent` has the entries with a thread that was created and whose warp
// has not ended.
module dynamic_microkernel_assertions #(
  parameter int unsigned Lines = 64,
  parameter int unsigned Regions = 54,
  parameter int unsigned Fifo = 64,
  parameter int unsigned Lanes = 32,
  localparam int unsigned RegionWidth = $clog2(Regions),
  localparam int unsigned EntryWidth = $clog2(Lanes),
  localparam int unsigned AddressWidth = RegionWidth + EntryWidth,
  localparam int unsigned SlotWidth = Fifo > 1 ? $clog2(Fifo) : 1
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic                          commit,
  input logic [Lanes-1:0]              lanes,
  input logic [Lanes*AddressWidth-1:0] address,
  input logic                          pop,     // a full warp starts
  input logic [RegionWidth-1:0]        full_region,
  input logic                          leaves,  // a partial warp starts
  input logic [RegionWidth-1:0]        partial_region,
  input logic [EntryWidth-1:0]         partial_threads,
  input logic [Regions-1:0]            release_i,
  // Internal signals of the block.
  input logic [Regions-1:0]            taken,
  input logic [Lines-1:0]              has_first,
  input logic [Lines-1:0]              has_second,
  input logic [Lines*RegionWidth-1:0]  firsts,
  input logic [Lines*RegionWidth-1:0]  seconds,
  input logic [Lines*EntryWidth-1:0]   counts,
  input logic [Lines-1:0]              match,
  input logic [SlotWidth-1:0]          head,
  input logic [$clog2(Fifo+1)-1:0]     waiting,
  input logic [Fifo*RegionWidth-1:0]   waiting_regions
);
  logic running_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) running_q <= 1'b0;
    else running_q <= 1'b1;
  end

  // --- Entries that this cycle hands out: each thread gets a different one, which has no thread yet.
  logic [Regions*Lanes-1:0] lent_q, handed;
  logic handed_twice;
  always_comb begin
    handed = '0;
    handed_twice = 1'b0;
    for (int lane = 0; lane < Lanes; lane++) begin
      if (commit && lanes[lane]) begin
        handed_twice = handed_twice | handed[address[lane*AddressWidth+:AddressWidth]];
        handed[address[lane*AddressWidth+:AddressWidth]] = 1'b1;
      end
    end
    handed_twice = handed_twice | |(handed & lent_q);
  end
  // Each thread gets a different entry, which has no thread yet.
  addresses_are_unique : assert property (@(posedge clk_i) disable iff (!running_q) !handed_twice);

  // --- A taken part belongs to a line, or is whole, or its warp runs.
  logic [Regions*Lanes-1:0] held;  // entries with a thread, according to the lines
  logic [Regions-1:0] out_q, whole, owned;
  logic owned_twice, dropped;
  always_comb begin
    held = '0;
    owned = '0;
    owned_twice = 1'b0;
    for (int line = 0; line < Lines; line++) begin
      if (has_first[line]) begin
        owned_twice = owned_twice | owned[firsts[line*RegionWidth+:RegionWidth]];
        owned[firsts[line*RegionWidth+:RegionWidth]] = 1'b1;
        held[int'(firsts[line*RegionWidth+:RegionWidth])*Lanes+:Lanes] = (Lanes'(1) << counts[line*EntryWidth+:EntryWidth]) - Lanes'(1);
      end
      if (has_second[line]) begin
        owned_twice = owned_twice | owned[seconds[line*RegionWidth+:RegionWidth]];
        owned[seconds[line*RegionWidth+:RegionWidth]] = 1'b1;
      end
    end
    dropped = 1'b0;
    for (int region = 0; region < Regions; region++) begin
      whole[region] = &lent_q[region*Lanes+:Lanes] & ~out_q[region];
      dropped = dropped | (~out_q[region] & ~whole[region] & lent_q[region*Lanes+:Lanes] != held[region*Lanes+:Lanes]);
    end
  end
  part_of_one_owner :
  assert property (@(posedge clk_i) disable iff (!running_q)
                   !owned_twice && (owned & out_q) == '0 && (owned & whole) == '0 && (owned | out_q | whole) == taken);
  // A part of the area with threads is not freed.
  no_thread_is_dropped : assert property (@(posedge clk_i) disable iff (!running_q) !dropped);

  // --- A whole warp waits in the FIFO exactly once.
  logic [Regions-1:0] in_fifo;
  always_comb begin
    in_fifo = '0;
    for (int slot = 0; slot < Fifo; slot++) begin
      if ((slot + Fifo - int'(head)) % Fifo < int'(waiting)) in_fifo[waiting_regions[slot*RegionWidth+:RegionWidth]] = 1'b1;
    end
  end
  whole_warps_wait_once :
  assert property (@(posedge clk_i) disable iff (!running_q) whole == in_fifo && $countones(in_fifo) == int'(waiting));

  // --- One line for each micro-kernel.
  one_line : assert property (@(posedge clk_i) disable iff (!running_q) $onehot0(match));

  // --- A warp that leaves has all of its threads.
  full_warp_is_whole : assert property (@(posedge clk_i) disable iff (!running_q) pop |-> whole[full_region]);
  // One bit for the assertion: Verilator 5.006 generates C++ that does not compile if the assertion reads the entries itself.
  logic partial_is_all;
  always_comb begin
    partial_is_all = !leaves;
    for (int region = 0; region < Regions; region++) begin
      if (leaves && partial_region == RegionWidth'(region)) begin
        partial_is_all = partial_threads != '0 && lent_q[region*Lanes+:Lanes] == (Lanes'(1) << partial_threads) - Lanes'(1);
      end
    end
  end
  // A partial warp that leaves has all threads of its line.
  partial_warp_is_all : assert property (@(posedge clk_i) disable iff (!running_q) partial_is_all);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lent_q <= '0;
      out_q <= '0;
    end else begin
      for (int region = 0; region < Regions; region++) begin
        if (release_i[region]) lent_q[region*Lanes+:Lanes] <= '0;
        else lent_q[region*Lanes+:Lanes] <= lent_q[region*Lanes+:Lanes] | handed[region*Lanes+:Lanes];
        out_q[region] <= (out_q[region] & !release_i[region]) | (pop & full_region == RegionWidth'(region)) |
                         (leaves & partial_region == RegionWidth'(region));
      end
    end
  end
endmodule

bind dynamic_microkernel dynamic_microkernel_assertions #(
  .Lines  (Lines),
  .Regions(Regions),
  .Fifo   (Fifo),
  .Lanes  (Lanes)
) i_assertions (
  .clk_i          (clk_i),
  .rst_ni         (rst_ni),
  .commit         (commit),
  .lanes          (spawn_lanes_i),
  .address        (spawn_address_o),
  .pop            (pop_i && full_valid_o),
  .full_region    (full_region_o),
  .leaves         (force_i && partial_valid_o),
  .partial_region (partial_region_o),
  .partial_threads(partial_threads_o),
  .release_i      (release_i),
  .taken          (taken),
  .has_first      (has_first),
  .has_second     (has_second),
  .firsts         (firsts),
  .seconds        (seconds),
  .counts         (counts),
  .match          (match),
  .head           (head),
  .waiting        (waiting),
  .waiting_regions(waiting_regions)
);
