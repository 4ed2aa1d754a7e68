// SPDX-License-Identifier: Apache-2.0
// Properties of the addresses of a spawn. Proved for two arbitrary lanes. Bound to the adder, which has no state.
module thread_address_adder_properties #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned RegionWidth = 6,
  parameter int unsigned Wrong = 0,  // 1: a wrong property, which the proof must refute
  localparam int unsigned EntryWidth = $clog2(Lanes),
  localparam int unsigned AddressWidth = RegionWidth + EntryWidth,
  localparam int unsigned ThreadWidth = $clog2(Lanes + 1)
) (
  input logic [Lanes-1:0]              lanes,
  input logic [RegionWidth-1:0]        first,
  input logic [RegionWidth-1:0]        second,
  input logic [EntryWidth-1:0]         count,
  input logic [Lanes*AddressWidth-1:0] address,
  input logic [ThreadWidth-1:0]        threads
);
  (* anyconst *) logic [EntryWidth-1:0] lane, other;
  logic [Lanes-1:0] below, between;
  logic [AddressWidth-1:0] of_lane, of_other, next;
  logic one_before;

  assign below = (Lanes'(1) << lane) - Lanes'(1);
  assign between = ((Lanes'(1) << other) - Lanes'(1)) & ~below & ~(Lanes'(1) << lane);
  assign of_lane = address[lane*AddressWidth+:AddressWidth];
  assign of_other = address[other*AddressWidth+:AddressWidth];
  // The first entry of the second part follows the last entry of the first part.
  assign one_before = lane < other & lanes[lane] & lanes[other] & (lanes & between) == '0;
  assign next[EntryWidth-1:0] = of_lane[EntryWidth-1:0] + 1'b1;
  assign next[AddressWidth-1:EntryWidth] = &of_lane[EntryWidth-1:0] ? second : of_lane[AddressWidth-1:EntryWidth];

  always_comb begin
    first_lane_gets_the_next_entry : assert (!lanes[lane] || (lanes & below) != '0 || of_lane == {first, count});
    // At most one address wraps around, so no entry is used twice.
    each_gets_the_one_behind : assert (!one_before || of_other == next);
    wraps_once : assert (!one_before || !(&of_lane[EntryWidth-1:0]) || count != '0);
    threads_are_counted : assert (threads != '0 || lanes == '0);
    the_last_is_the_sum : assert (!lanes[lane] || (lanes & ~below) != (Lanes'(1) << lane) ||
                                  of_lane[EntryWidth-1:0] == EntryWidth'(count + EntryWidth'(threads) - 1'b1));
    if (Wrong == 1) assert (!lanes[lane] || of_lane[AddressWidth-1:EntryWidth] == first);
  end
endmodule

bind thread_address_adder thread_address_adder_properties #(
  .Lanes      (Lanes),
  .RegionWidth(RegionWidth)
) i_properties (
  .lanes  (lanes_i),
  .first  (first_i),
  .second (second_i),
  .count  (count_i),
  .address(address_o),
  .threads(threads_o)
);
