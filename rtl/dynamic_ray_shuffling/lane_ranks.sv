// How many lanes of a set lie below each lane, and how many there are.
module lane_ranks #(
  parameter int unsigned Lanes = 32,
  localparam int unsigned CountWidth = $clog2(Lanes + 1)
) (
  input  logic [Lanes-1:0]            lanes_i,
  output logic [Lanes*CountWidth-1:0] ranks_o,  // of lane i at [i*CountWidth +: CountWidth]
  output logic [CountWidth-1:0]       count_o
);
  always_comb begin
    count_o = '0;
    ranks_o = '0;
    if (|lanes_i) begin  // most often there are none, and a simulator may skip this
      for (int lane = 0; lane < Lanes; lane++) begin
        ranks_o[lane*CountWidth+:CountWidth] = count_o;
        count_o = count_o + CountWidth'(lanes_i[lane]);
      end
    end
  end
endmodule
