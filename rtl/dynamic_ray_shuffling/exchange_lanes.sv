// States of two rows after a swap: the i-th of the first row's lanes and the i-th of the second's change places.
module exchange_lanes #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned CountWidth = $clog2(Lanes + 1)
) (
  input  logic [Lanes-1:0] first_lanes_i,
  input  logic [Lanes-1:0] second_lanes_i,  // as many
  input  logic [Lanes-1:0] first_high_i,
  input  logic [Lanes-1:0] first_low_i,
  input  logic [Lanes-1:0] second_high_i,
  input  logic [Lanes-1:0] second_low_i,
  output logic [Lanes-1:0] first_high_o,
  output logic [Lanes-1:0] first_low_o,
  output logic [Lanes-1:0] second_high_o,
  output logic [Lanes-1:0] second_low_o
);
  // The counts are equal, so nobody asks for them; the highest bit of a rank is never set.
  // verilator lint_off UNUSEDSIGNAL
  logic [Lanes*CountWidth-1:0] first_ranks, second_ranks;
  logic [CountWidth-1:0] first_count, second_count;
  // verilator lint_on UNUSEDSIGNAL

  lane_ranks #(.Lanes(Lanes)) i_first (.lanes_i(first_lanes_i), .ranks_o(first_ranks), .count_o(first_count));
  lane_ranks #(.Lanes(Lanes)) i_second (.lanes_i(second_lanes_i), .ranks_o(second_ranks), .count_o(second_count));

  // Packed: what leaves either row, by rank.
  logic [Lanes-1:0] from_first_high, from_first_low, from_second_high, from_second_low;
  always_comb begin
    from_first_high = '0;
    from_first_low = '0;
    from_second_high = '0;
    from_second_low = '0;
    first_high_o = first_high_i;
    first_low_o = first_low_i;
    second_high_o = second_high_i;
    second_low_o = second_low_i;
    if (|first_lanes_i) begin
      for (int lane = 0; lane < Lanes; lane++) begin
        if (first_lanes_i[lane]) begin
          from_first_high[first_ranks[lane*CountWidth+:$clog2(Lanes)]] = first_high_i[lane];
          from_first_low[first_ranks[lane*CountWidth+:$clog2(Lanes)]] = first_low_i[lane];
        end
        if (second_lanes_i[lane]) begin
          from_second_high[second_ranks[lane*CountWidth+:$clog2(Lanes)]] = second_high_i[lane];
          from_second_low[second_ranks[lane*CountWidth+:$clog2(Lanes)]] = second_low_i[lane];
        end
      end
      for (int lane = 0; lane < Lanes; lane++) begin
        first_high_o[lane] = first_lanes_i[lane] ? from_second_high[first_ranks[lane*CountWidth+:$clog2(Lanes)]] : first_high_i[lane];
        first_low_o[lane] = first_lanes_i[lane] ? from_second_low[first_ranks[lane*CountWidth+:$clog2(Lanes)]] : first_low_i[lane];
        second_high_o[lane] = second_lanes_i[lane] ? from_first_high[second_ranks[lane*CountWidth+:$clog2(Lanes)]] : second_high_i[lane];
        second_low_o[lane] = second_lanes_i[lane] ? from_first_low[second_ranks[lane*CountWidth+:$clog2(Lanes)]] : second_low_i[lane];
      end
    end
  end
endmodule
