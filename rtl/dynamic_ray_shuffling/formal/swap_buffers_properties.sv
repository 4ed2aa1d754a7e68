// SPDX-License-Identifier: Apache-2.0
// Properties of the swap buffers in any swap. Bound to them. Proved with swaps_properties.
module swap_buffers_properties #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Buffers = 6,
  parameter int unsigned RayRegisters = 17,
  parameter int unsigned Width = 32,
  localparam int unsigned SlotWidth = $clog2(Buffers),
  localparam int unsigned Most = 2 * RayRegisters > Buffers ? 2 * RayRegisters : Buffers,
  localparam int unsigned CountWidth = $clog2(Most + 1)
) (
  input logic                  rst_ni,
  input logic                  busy,
  input logic                  both_ways,
  input logic [CountWidth-1:0] read_count,
  input logic [CountWidth-1:0] written_count,
  input logic [CountWidth-1:0] transfers,
  input logic [SlotWidth-1:0]  read_slot,
  input logic [SlotWidth-1:0]  write_slot,
  // For proofs that follow a word: the buffers, six at most.
  // verilator lint_off UNUSEDSIGNAL
  input logic [6*(Lanes-1)*Width-1:0] held
  // verilator lint_on UNUSEDSIGNAL
);
  logic [CountWidth-1:0] in_flight;
  logic [31:0] slot;
  assign in_flight = read_count - written_count;
  assign slot = 32'(write_slot) + 32'(in_flight);

  always_comb begin
    if (rst_ni) begin
      transfers_of_swap : assert (!busy || transfers == (both_ways ? CountWidth'(2 * RayRegisters) : CountWidth'(RayRegisters)));
      no_more_after_swap : assert (busy || written_count == transfers);
      written_after_read : assert (written_count <= read_count && read_count <= transfers);
      buffers_suffice : assert (32'(in_flight) <= Buffers);
      back_is_read_first : assert (!busy || !both_ways || !written_count[0] || read_count > written_count);
      slots_by_turns : assert (32'(write_slot) < Buffers && 32'(read_slot) == (slot < Buffers ? slot : slot - Buffers));
    end
  end
endmodule

bind swap_buffers swap_buffers_properties #(
  .Lanes       (Lanes),
  .Buffers     (Buffers),
  .RayRegisters(RayRegisters),
  .Width       (Width)
) i_properties (
  .rst_ni       (rst_ni),
  .busy         (busy_o),
  .both_ways    (both_ways_q),
  .read_count   (read_q),
  .written_count(written_q),
  .transfers    (transfers_q),
  .read_slot    (read_slot_q),
  .write_slot   (write_slot_q),
  .held         ({held_q[Buffers > 5 ? 5 : 0], held_q[Buffers > 4 ? 4 : 0], held_q[Buffers > 3 ? 3 : 0], held_q[Buffers > 2 ? 2 : 0],
                  held_q[1], held_q[0]})
);
