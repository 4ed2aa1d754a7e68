// SPDX-License-Identifier: Apache-2.0
// Dynamic warp formation (Steffen and Zambreno, MICRO 2010, section IV-C, Figs. 4 and 5): spawn LUT, thread address adder,
// partial warp pool and new-warp FIFO. In a cycle the block accepts one spawn, and one warp can start: a full warp, or a partial
// warp that is forced out.
//
// An address is the number of an entry in the formation area; a part of the area has `Lanes` entries. No spawn may be committed
// in a cycle with force_i.
module dynamic_microkernel #(
  parameter int unsigned Lines = 64,    // of the spawn LUT, 1 to 256
  parameter int unsigned Regions = 54,  // parts of the formation area, 2 to 256
  parameter int unsigned Fifo = 64,     // full warps that can wait, 1 to 1024
  parameter int unsigned Lanes = 32,    // of a warp, a power of two, 2 to 32
  parameter int unsigned PcWidth = 16,  // bits of the address of a micro-kernel, 1 to 64
  localparam int unsigned RegionWidth = $clog2(Regions),
  localparam int unsigned EntryWidth = $clog2(Lanes),
  localparam int unsigned AddressWidth = RegionWidth + EntryWidth,
  localparam int unsigned ThreadWidth = $clog2(Lanes + 1)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [RegionWidth:0]          regions_i,          // parts of the area; constant after reset
  // A spawn of at least one lane. The outputs show what it would get; with commit, it issues.
  input  logic                          spawn_valid_i,
  input  logic                          spawn_commit_i,     // only if the spawn does not stall
  input  logic [PcWidth-1:0]            spawn_pc_i,
  input  logic [Lanes-1:0]              spawn_lanes_i,
  output logic [1:0]                    spawn_stall_o,      // 0: none, 1: no room in the area, 2: the FIFO is full
  output logic [Lanes*AddressWidth-1:0] spawn_address_o,
  output logic                          spawn_completes_o,  // the spawn completes a warp
  // The next full warp.
  input  logic                          pop_i,              // only if full_valid_o
  output logic                          full_valid_o,
  output logic [PcWidth-1:0]            full_pc_o,
  output logic [RegionWidth-1:0]        full_region_o,
  // The partial warp of the lowest micro-kernel address.
  input  logic                          force_i,            // only if partial_valid_o
  output logic                          partial_valid_o,
  output logic [PcWidth-1:0]            partial_pc_o,
  output logic [RegionWidth-1:0]        partial_region_o,
  output logic [EntryWidth-1:0]         partial_threads_o,
  // Parts of warps that have ended.
  input  logic [Regions-1:0]            release_i
);
  // Legal sizes.
  if (Lines < 1 || Lines > 256) begin : gen_lines
    $error("Lines must be 1 to 256");
  end
  if (Regions < 2 || Regions > 256) begin : gen_regions
    $error("Regions must be 2 to 256");
  end
  if (Fifo < 1 || Fifo > 1024) begin : gen_fifo
    $error("Fifo must be 1 to 1024");
  end
  if (Lanes < 2 || Lanes > 32 || 32'd1 << $clog2(Lanes) != Lanes) begin : gen_lanes
    $error("Lanes must be a power of two, 2 to 32");
  end
  if (PcWidth < 1 || PcWidth > 64) begin : gen_pc_width
    $error("PcWidth must be 1 to 64");
  end

  logic commit, room, completes, fifo_room;
  logic [RegionWidth-1:0] first, second, free_first, free_second;
  logic [EntryWidth-1:0] count;
  logic [ThreadWidth-1:0] threads;
  logic [1:0] free_valid, take;

`ifdef RECONVERGE_STATE_PORTS
  // State of the four modules, for properties.
  localparam int unsigned SlotWidth = Fifo > 1 ? $clog2(Fifo) : 1;
  // verilator lint_off UNUSEDSIGNAL
  logic [Regions-1:0] taken;
  logic [Lines-1:0] used, has_first, has_second, match, partial_line;
  logic [Lines*PcWidth-1:0] pcs;
  logic [Lines*RegionWidth-1:0] firsts, seconds;
  logic [Lines*EntryWidth-1:0] counts;
  logic [SlotWidth-1:0] head, tail;
  logic [$clog2(Fifo+1)-1:0] waiting;
  logic [Fifo*PcWidth-1:0] waiting_pcs;
  logic [Fifo*RegionWidth-1:0] waiting_regions;
  // verilator lint_on UNUSEDSIGNAL
`endif

  assign commit = spawn_valid_i && spawn_commit_i;
  assign spawn_completes_o = completes;
  always_comb begin
    spawn_stall_o = 2'd0;
    if (!room) spawn_stall_o = 2'd1;
    else if (completes && !fifo_room) spawn_stall_o = 2'd2;
  end

  spawn_lut #(.Lines(Lines), .Lanes(Lanes), .PcWidth(PcWidth), .RegionWidth(RegionWidth)) i_lut (
    .clk_i, .rst_ni,
`ifdef RECONVERGE_STATE_PORTS
    .used_o(used), .has_first_o(has_first), .has_second_o(has_second), .pcs_o(pcs), .firsts_o(firsts),
    .seconds_o(seconds), .counts_o(counts), .match_o(match), .forced_o(partial_line),
`endif
    .commit_i(commit), .pc_i(spawn_pc_i), .threads_i(threads),
    .room_o(room), .first_o(first), .second_o(second), .count_o(count), .completes_o(completes),
    .free_valid_i(free_valid), .free_first_i(free_first), .free_second_i(free_second), .take_o(take),
    .force_i, .partial_valid_o, .partial_pc_o, .partial_region_o, .partial_threads_o
  );
  thread_address_adder #(.Lanes(Lanes), .RegionWidth(RegionWidth)) i_adder (
    .lanes_i(spawn_lanes_i), .first_i(first), .second_i(second), .count_i(count),
    .address_o(spawn_address_o), .threads_o(threads)
  );
  partial_warp_pool #(.Regions(Regions)) i_pool (
    .clk_i, .rst_ni, .regions_i,
`ifdef RECONVERGE_STATE_PORTS
    .taken_o(taken),
`endif
    .take_i(take), .release_i,
    .valid_o(free_valid), .first_o(free_first), .second_o(free_second)
  );
  new_warp_fifo #(.Warps(Fifo), .PcWidth(PcWidth), .RegionWidth(RegionWidth)) i_fifo (
    .clk_i, .rst_ni,
`ifdef RECONVERGE_STATE_PORTS
    .head_o(head), .tail_o(tail), .count_o(waiting), .pcs_o(waiting_pcs), .regions_o(waiting_regions),
`endif
    .push_i(commit && completes), .pc_i(spawn_pc_i), .region_i(first),
    .pop_i, .room_o(fifo_room),
    .valid_o(full_valid_o), .pc_o(full_pc_o), .region_o(full_region_o)
  );
endmodule
