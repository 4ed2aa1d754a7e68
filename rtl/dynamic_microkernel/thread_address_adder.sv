// From the two addresses of a spawn LUT line to an entry of the formation area for each new thread (DMK section IV-C,
// Fig. 5): a chain over the lanes that adds one entry for each active lane. A part of the area holds one warp.
module thread_address_adder #(
  parameter int unsigned Lanes = 32,
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
  logic [ThreadWidth-1:0] ahead;  // active lanes before this one
  logic [ThreadWidth:0] place;    // in both warps

  always_comb begin
    ahead = '0;
    place = '0;
    address_o = '0;
    for (int lane = 0; lane < Lanes; lane++) begin
      place = (ThreadWidth + 1)'(count_i) + (ThreadWidth + 1)'(ahead);
      address_o[lane*AddressWidth+:AddressWidth] =
          {place[ThreadWidth:EntryWidth] == '0 ? first_i : second_i, place[EntryWidth-1:0]};
      ahead = ahead + ThreadWidth'(lanes_i[lane]);
    end
    threads_o = ahead;
  end
endmodule
