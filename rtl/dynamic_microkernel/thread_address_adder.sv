// SPDX-License-Identifier: Apache-2.0
// Computes an entry of the formation area for each new thread from the two addresses of a spawn LUT line (DMK section IV-C,
// Fig. 5): each active lane gets the entry after the previous active lane's. A part of the area holds one warp. The paper's
// chain over the lanes is a tree of sums here, to which the line's count is added last.
module thread_address_adder #(
  parameter int unsigned Lanes = 32,       // a power of two
  parameter int unsigned RegionWidth = 6,  // bits of the number of a part of the formation area
  localparam int unsigned EntryWidth = $clog2(Lanes),
  localparam int unsigned AddressWidth = RegionWidth + EntryWidth,
  localparam int unsigned ThreadWidth = $clog2(Lanes + 1)
) (
  input  logic [Lanes-1:0]              lanes_i,    // lanes that create a thread
  input  logic [RegionWidth-1:0]        first_i,    // part of the warp that is forming
  input  logic [RegionWidth-1:0]        second_i,   // part of the next warp
  input  logic [EntryWidth-1:0]         count_i,    // threads in the first part
  output logic [Lanes*AddressWidth-1:0] address_o,  // an inactive lane has the address of the next active one
  output logic [ThreadWidth-1:0]        threads_o   // active lanes
);
  logic [Lanes*ThreadWidth-1:0] up_to;  // active lanes up to and including each lane
  logic [ThreadWidth:0] place;          // within both parts

  always_comb begin
    up_to = '0;
    for (int lane = 0; lane < Lanes; lane++) up_to[lane*ThreadWidth] = lanes_i[lane];
    // Sums of 2, 4, 8 and more lanes: lanes of the upper half add the total of the lower half.
    for (int step = 0; step < EntryWidth; step++) begin
      for (int lane = 0; lane < Lanes; lane++) begin
        if (((lane >> step) & 1) == 1) begin
          up_to[lane*ThreadWidth+:ThreadWidth] = up_to[lane*ThreadWidth+:ThreadWidth] +
                                                 up_to[((lane >> step << step) - 1)*ThreadWidth+:ThreadWidth];
        end
      end
    end
    threads_o = up_to[(Lanes-1)*ThreadWidth+:ThreadWidth];
  end

  always_comb begin
    for (int lane = 0; lane < Lanes; lane++) begin
      place = (ThreadWidth + 1)'(count_i);
      if (lane > 0) place = place + (ThreadWidth + 1)'(up_to[(lane-1)*ThreadWidth+:ThreadWidth]);
      address_o[lane*AddressWidth+:AddressWidth] =
          {place[ThreadWidth:EntryWidth] == '0 ? first_i : second_i, place[EntryWidth-1:0]};
    end
  end
endmodule
