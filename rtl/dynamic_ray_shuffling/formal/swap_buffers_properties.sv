// SPDX-License-Identifier: Apache-2.0
// Properties of one unit's buffers in any swap. Bound to them. Proved with swap_units_properties.
module swap_buffers_properties #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Buffers = 2,
  parameter int unsigned RayRegisters = 17,
  parameter int unsigned Width = 32,
  localparam int unsigned Steps = $clog2(Lanes),
  localparam int unsigned SlotWidth = $clog2(Buffers),
  localparam int unsigned CountWidth = $clog2(2 * RayRegisters + 1),
  localparam int unsigned HeldWidth = (Lanes - 1) * Width
) (
  input logic                   rst_ni,
  input logic                   busy,
  input logic                   both_ways,
  input logic [CountWidth-1:0]  read_count,
  input logic [CountWidth-1:0]  written_count,
  input logic [CountWidth-1:0]  transfers,
  input logic [SlotWidth-1:0]   read_slot,
  input logic [SlotWidth-1:0]   write_slot,
  // For proofs that follow a word: the moves of the lanes, and the first two buffers.
  // verilator lint_off UNUSEDSIGNAL
  input logic [Steps*Lanes-1:0] source_moves,
  input logic [Steps*Lanes-1:0] destination_moves,
  input logic [2*HeldWidth-1:0] held
  // verilator lint_on UNUSEDSIGNAL
);
  always_comb begin
    if (rst_ni) begin
      transfers_of_swap : assert (!busy || transfers == (both_ways ? CountWidth'(2 * RayRegisters) : CountWidth'(RayRegisters)));
      written_after_read : assert (written_count <= read_count && read_count <= transfers);
      buffers_suffice : assert (read_count - written_count <= CountWidth'(Buffers));
      back_is_read_first : assert (!busy || !both_ways || !written_count[0] || read_count > written_count);
      slots_by_turns : assert (read_slot == SlotWidth'(read_count % CountWidth'(Buffers)) &&
                               write_slot == SlotWidth'(written_count % CountWidth'(Buffers)));
    end
  end
endmodule

bind swap_buffers swap_buffers_properties #(
  .Lanes       (Lanes),
  .Buffers     (Buffers),
  .RayRegisters(RayRegisters),
  .Width       (Width)
) i_properties (
  .rst_ni           (rst_ni),
  .busy             (busy_o),
  .both_ways        (both_ways_q),
  .source_moves     (source_moves_q),
  .destination_moves(destination_moves_q),
  .read_count       (read_q),
  .written_count    (written_q),
  .transfers        (transfers_q),
  .read_slot        (read_slot_q),
  .write_slot       (write_slot_q),
  .held             ({held_q[1], held_q[0]})
);
