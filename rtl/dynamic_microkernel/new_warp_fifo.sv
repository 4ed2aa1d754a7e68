// SPDX-License-Identifier: Apache-2.0
// Full warps that wait for a warp slot (DMK section IV-C), each with its micro-kernel and its part of the formation area.
module new_warp_fifo #(
  parameter int unsigned Warps = 64,       // that can wait, 1 to 1024
  parameter int unsigned PcWidth = 16,     // bits of the address of a micro-kernel
  parameter int unsigned RegionWidth = 6,  // bits of the number of a part of the formation area
  localparam int unsigned SlotWidth = Warps > 1 ? $clog2(Warps) : 1,
  localparam int unsigned CountWidth = $clog2(Warps + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
`ifdef RECONVERGE_STATE_PORTS
  // The whole state, for properties.
  output logic [SlotWidth-1:0]         head_o,
  output logic [SlotWidth-1:0]         tail_o,
  output logic [CountWidth-1:0]        count_o,
  output logic [Warps*PcWidth-1:0]     pcs_o,
  output logic [Warps*RegionWidth-1:0] regions_o,
`endif
  input  logic                   push_i,    // only if room_o
  input  logic [PcWidth-1:0]     pc_i,      // micro-kernel of the new warp
  input  logic [RegionWidth-1:0] region_i,  // its part of the formation area
  input  logic                   pop_i,     // only if valid_o
  output logic                   room_o,    // includes the entry that pop_i frees
  output logic                   valid_o,   // a warp waits
  output logic [PcWidth-1:0]     pc_o,      // micro-kernel of the oldest warp
  output logic [RegionWidth-1:0] region_o   // its part of the formation area
);
  logic [PcWidth-1:0] pc_q [Warps];
  logic [RegionWidth-1:0] region_q [Warps];
  logic [SlotWidth-1:0] head_q, tail_q;
  logic [CountWidth-1:0] count_q;

  function automatic logic [SlotWidth-1:0] behind(input logic [SlotWidth-1:0] slot);
    behind = slot == SlotWidth'(Warps - 1) ? '0 : slot + 1'b1;
  endfunction

  assign valid_o = count_q != '0;
  assign room_o = count_q != CountWidth'(Warps) || pop_i;
  assign pc_o = pc_q[head_q];
  assign region_o = region_q[head_q];
`ifdef RECONVERGE_STATE_PORTS
  assign head_o = head_q;
  assign tail_o = tail_q;
  assign count_o = count_q;
  for (genvar slot = 0; slot < Warps; slot++) begin : gen_slot
    assign pcs_o[slot*PcWidth+:PcWidth] = pc_q[slot];
    assign regions_o[slot*RegionWidth+:RegionWidth] = region_q[slot];
  end
`endif

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      count_q <= '0;
    end else begin
      if (push_i) tail_q <= behind(tail_q);
      if (pop_i) head_q <= behind(head_q);
      count_q <= count_q + CountWidth'(push_i) - CountWidth'(pop_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) begin
      pc_q[tail_q] <= pc_i;
      region_q[tail_q] <= region_i;
    end
  end
endmodule
