// What holds of one unit's buffers, whatever their swap. Bound to them. What is here serves the proofs of
// dynamic_ray_shuffling_properties: with it they need to look only one cycle ahead.
module swap_buffers_properties #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Buffers = 2,
  parameter int unsigned RayRegisters = 17,
  parameter int unsigned Width = 32,
  parameter int unsigned Follow = 1,  // 0: nothing of lanes
  localparam int unsigned Steps = $clog2(Lanes),
  localparam int unsigned SlotWidth = $clog2(Buffers),
  localparam int unsigned CountWidth = $clog2(2 * RayRegisters + 1),
  localparam int unsigned HeldWidth = (Lanes - 1) * Width
) (
  input logic                   rst_ni,
  input logic                   busy,
  input logic                   both_ways,
  input logic [Lanes-1:0]       source_lanes,
  input logic [Lanes-1:0]       destination_lanes,
  input logic [Steps*Lanes-1:0] source_moves,
  input logic [Steps*Lanes-1:0] destination_moves,
  input logic [CountWidth-1:0]  read_count,
  input logic [CountWidth-1:0]  written_count,
  input logic [CountWidth-1:0]  transfers,
  input logic [SlotWidth-1:0]   read_slot,
  input logic [SlotWidth-1:0]   write_slot,
  // verilator lint_off UNUSEDSIGNAL
  input logic [2*HeldWidth-1:0] held  // the first two, for those who follow a word
  // verilator lint_on UNUSEDSIGNAL
);
  `include "lane_bits.svh"

  function automatic logic [$clog2(Lanes):0] count(input logic [Lanes-1:0] lanes);
    count = '0;
    for (int lane = 0; lane < Lanes; lane++) count = count + ($clog2(Lanes) + 1)'(lanes[lane]);
  endfunction

  // The i-th of these lanes and the i-th place are each other's.
  function automatic logic ordered(input logic [Steps*Lanes-1:0] moves, input logic [Lanes-1:0] lanes);
    logic [Lanes-1:0] lane_bit, place_bit;
    ordered = 1'b1;
    place_bit = Lanes'(1);
    for (int lane = 0; lane < Lanes; lane++) begin
      lane_bit = Lanes'(1) << lane;
      if (lanes[lane]) begin
        ordered = ordered && |(compress(moves, lane_bit) & place_bit) && |(expand(moves, place_bit) & lane_bit);
        place_bit = place_bit << 1;
      end
    end
  endfunction

  always_comb begin
    if (rst_ni) begin
      transfers_of_swap : assert (!busy || transfers == (both_ways ? CountWidth'(2 * RayRegisters) : CountWidth'(RayRegisters)));
      written_after_read : assert (written_count <= read_count && read_count <= transfers);
      buffers_suffice : assert (read_count - written_count <= CountWidth'(Buffers));
      back_is_read_first : assert (!busy || !both_ways || !written_count[0] || read_count > written_count);
      slots_by_turns : assert (read_slot == SlotWidth'(read_count % CountWidth'(Buffers)) &&
                               write_slot == SlotWidth'(written_count % CountWidth'(Buffers)));
    end
    if (Follow != 0 && rst_ni) begin
      as_many_lanes : assert (count(source_lanes) == count(destination_lanes));
      never_all_lanes : assert (!(&source_lanes) && !(&destination_lanes));
      some_lane : assert (!busy || |source_lanes);
      source_order : assert (ordered(source_moves, source_lanes));
      destination_order : assert (ordered(destination_moves, destination_lanes));
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
  .source_lanes     (source_lanes_q),
  .destination_lanes(destination_lanes_q),
  .source_moves     (source_moves_q),
  .destination_moves(destination_moves_q),
  .read_count       (read_q),
  .written_count    (written_q),
  .transfers        (transfers_q),
  .read_slot        (read_slot_q),
  .write_slot       (write_slot_q),
  .held             ({held_q[1], held_q[0]})
);
