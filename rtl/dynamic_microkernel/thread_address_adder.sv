// SPDX-License-Identifier: Apache-2.0
// From the two addresses of a spawn LUT line to an entry of the formation area for each new thread (DMK section IV-C,
// Fig. 5): one entry more for each active lane. A part of the area holds one warp. The paper's chain over the lanes is a
// tree of sums here; what the line adds to them comes last.
module thread_address_adder #(
  parameter int unsigned Lanes = 32,  // a power of two
  parameter int unsigned RegionWidth = 6,
  localparam int unsigned EntryWidth = $clog2(Lanes),
  localparam int unsigned AddressWidth = RegionWidth + EntryWidth,
  localparam int unsigned ThreadWidth = $clog2(Lanes + 1)
) (
  input  logic [Lanes-1:0]              lanes_i,
  input  logic [RegionWidth-1:0]        first_i,    // part of the warp that is being made
  input  logic [RegionWidth-1:0]        second_i,   // part of the warp behind it
  input  logic [EntryWidth-1:0]         count_i,    // threads of the first
  output logic [Lanes*AddressWidth-1:0] address_o,  // of a lane that is not active: of the next active one
  output logic [ThreadWidth-1:0]        threads_o   // active lanes
);
  logic [Lanes*ThreadWidth-1:0] up_to;  // active lanes up to each, itself included
  logic [ThreadWidth:0] place;          // in both warps

  always_comb begin
    up_to = '0;
    for (int lane = 0; lane < Lanes; lane++) up_to[lane*ThreadWidth] = lanes_i[lane];
    // Sums of 2, 4, 8 and more lanes: those of the upper half add what the lower half has in all.
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
