// SPDX-License-Identifier: Apache-2.0
// Unpacking is the inverse of packing and splitting. Bound to a network and its inverse, which run in the same clocks.
module round_trip_properties #(
  parameter int unsigned NumPorts = 16,
  parameter int unsigned DataWidth = 32,
  parameter int unsigned Wrong = 0,  // 4: a wrong property, which the proof must refute
  localparam int unsigned Levels = $clog2(NumPorts)
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic                          packs_i,
  input logic [NumPorts-1:0]           active_i,
  input logic [NumPorts-1:0]           taken_i,
  input logic [Levels-1:0]             first_i,
  input logic [Levels-1:0]             second_i,
  input logic [NumPorts*DataWidth-1:0] data_i,
  input logic                          ready,
  input logic                          back_ready,
  input logic [NumPorts-1:0]           valid,
  input logic [NumPorts-1:0]           bank,
  input logic [NumPorts*DataWidth-1:0] data,
  input logic                          back_where_it_was,
  input logic                          conflicts,
  input logic                          second_there,
  input logic                          second_back
);
  (* anyconst *) logic [Levels-1:0] lane;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // --- A request holds until ready.
  logic held_q;
  logic [2*NumPorts+2*Levels:0] request, request_q;
  assign request = {packs_i, active_i, taken_i, first_i, second_i};
  always_ff @(posedge clk_i) begin
    held_q <= started_q & ~ready;
    request_q <= request;
  end

  logic taken;
  assign taken = taken_i[lane] | packs_i;

  always_comb begin
    assume (rst_ni == started_q);
    assume (!rst_ni || !held_q || request == request_q);
  end
  always_comb begin
    if (rst_ni) begin
      second_clock_is_held : assert (second_there == held_q && (!second_there || conflicts));
      together : assert (second_there == second_back && ready == back_ready);
      same_ports : assert (back_where_it_was);
      same_lane : assert (!valid[lane] || (active_i[lane] && bank[lane] == !taken));
      same_record : assert (!valid[lane] || data[lane*DataWidth+:DataWidth] == data_i[lane*DataWidth+:DataWidth]);
      each_comes_back : assert (!active_i[lane] || valid[lane] || (taken ? second_there : !ready));
      if (Wrong == 4) assert (!active_i[lane] || valid[lane]);
    end
  end
endmodule

bind round_trip round_trip_properties #(
  .NumPorts (NumPorts),
  .DataWidth(DataWidth)
) i_properties (
  .clk_i            (clk_i),
  .rst_ni           (rst_ni),
  .packs_i          (packs_i),
  .active_i         (active_i),
  .taken_i          (taken_i),
  .first_i          (first_i),
  .second_i         (second_i),
  .data_i           (data_i),
  .ready            (ready_o),
  .back_ready       (back_ready_o),
  .valid            (valid_o),
  .bank             (bank_o),
  .data             (data_o),
  .back_where_it_was(back_where_it_was_o),
  .conflicts        (\i_there.conflicts ),
  .second_there     (\i_there.second_q ),
  .second_back      (\i_back.second_q )
);
