// SPDX-License-Identifier: Apache-2.0
// Properties of the records of a request, in any lanes. Proved for two arbitrary lanes and an arbitrary port. Bound to a network
// without registers.
module benes_network_properties #(
  parameter int unsigned NumPorts = 16,
  parameter int unsigned DataWidth = 32,
  parameter int unsigned Place = 64,  // the lane and port to prove the properties for; NumPorts or more: all
  parameter int unsigned Wrong = 0,   // 1 to 3: a wrong property, which the proof must refute
  localparam int unsigned Levels = $clog2(NumPorts)
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic                          valid_i,
  input logic                          ready,
  input logic [1:0]                    mode_i,
  input logic [NumPorts-1:0]           active_i,
  input logic [NumPorts-1:0]           taken_i,
  input logic [Levels-1:0]             first_i,
  input logic [Levels-1:0]             second_i,
  input logic [NumPorts*DataWidth-1:0] data_i,
  input logic [Levels-1:0]             next_first,
  input logic [Levels-1:0]             next_second,
  input logic [NumPorts-1:0]           reads,
  input logic [NumPorts-1:0]           read_bank,
  input logic [NumPorts-1:0]           valid,
  input logic [NumPorts-1:0]           bank,
  input logic [NumPorts*DataWidth-1:0] data,
  input logic                          conflicts,
  input logic                          second_q
);
  (* anyconst *) logic [Levels-1:0] any_lane, other, any_port;
  logic [Levels-1:0] lane, port;
  assign lane = Place < NumPorts ? Levels'(Place) : any_lane;
  assign port = Place < NumPorts ? Levels'(Place) : any_port;

  // Reset is active in the first clock.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // --- A request holds until ready.
  logic held_q;
  logic [3+2*NumPorts+2*Levels-1:0] request, request_q;
  assign request = {valid_i, mode_i, active_i, taken_i, first_i, second_i};
  always_ff @(posedge clk_i) begin
    held_q <= started_q & ~ready;
    request_q <= request;
  end

  // --- Ranks, by counting.
  logic [NumPorts-1:0] firsts;
  logic [Levels:0] firsts_all, seconds_all;
  logic [Levels-1:0] lane_rank, other_rank, lane_port, other_port;
  logic packs, unpacks, one_enters, other_enters;
  assign packs = valid_i && mode_i < 2'd2;
  assign unpacks = valid_i && mode_i == 2'd2;
  assign firsts = taken_i | {NumPorts{mode_i == 2'd0}};
  always_comb begin
    firsts_all = '0;
    seconds_all = '0;
    lane_rank = '0;
    other_rank = '0;
    for (int i = 0; i < NumPorts; i++) begin
      if (Levels'(i) == lane) lane_rank = firsts[i] ? firsts_all[Levels-1:0] : seconds_all[Levels-1:0];
      if (Levels'(i) == other) other_rank = firsts[i] ? firsts_all[Levels-1:0] : seconds_all[Levels-1:0];
      if (active_i[i] & firsts[i]) firsts_all = firsts_all + 1'b1;
      if (active_i[i] & ~firsts[i]) seconds_all = seconds_all + 1'b1;
    end
  end
  assign lane_port = firsts[lane] ? first_i + lane_rank : second_i - lane_rank;
  assign other_port = firsts[other] ? first_i + other_rank : second_i - other_rank;
  // Records of bank 0 enter in the first clock, records of bank 1 in the last.
  assign one_enters = active_i[lane] & (firsts[lane] ? ~second_q : ready);
  assign other_enters = active_i[other] & (firsts[other] ? ~second_q : ready);

  // --- Stripes of the records that enter.
  logic [Levels-1:0] up, down;
  logic in_first, in_second;
  assign up = port - first_i;
  assign down = second_i - port;
  assign in_first = {1'b0, up} < firsts_all & ~second_q;
  assign in_second = {1'b0, down} < seconds_all & ready;

  logic whole, lowest;
  assign lowest = (active_i & (active_i + 1'b1)) == '0;
  assign whole = &active_i;

  always_comb begin
    assume (rst_ni == started_q);
    assume (!rst_ni || !held_q || request == request_q);
  end

  always_comb begin
    if (rst_ni) begin
      second_clock_is_held : assert (second_q == held_q && (!second_q || conflicts));
      two_clocks_at_most : assert (!second_q || ready);
      packed_where_the_rank_says :
      assert (!packs || !one_enters || (valid[lane_port] && bank[lane_port] == !firsts[lane] &&
                                        data[lane_port*DataWidth+:DataWidth] == data_i[lane*DataWidth+:DataWidth]));
      one_record_a_port :
      assert (!(packs || unpacks) || !one_enters || !other_enters || lane == other || lane_port != other_port);
      no_gap_and_no_other_record : assert (!packs || valid[port] == (in_first | in_second));
      back_to_its_lane :
      assert (!unpacks || !one_enters || (valid[lane] && bank[lane] == !firsts[lane] &&
                                          data[lane*DataWidth+:DataWidth] == data_i[lane_port*DataWidth+:DataWidth]));
      to_no_other_lane : assert (!unpacks || valid[lane] == one_enters);
      read_where_they_are : assert (!unpacks || (reads[port] == (in_first | in_second) && (!reads[port] || read_bank[port] == in_second)));
      stripes_go_on :
      assert (next_first == Levels'({1'b0, first_i} + firsts_all) && next_second == Levels'({1'b0, second_i} - seconds_all));
      lowest_lanes_split_at_once : assert (!lowest || second_i + 1'b1 != first_i || ready);
      stripes_meet_again : assert (!whole || second_i + 1'b1 != first_i || next_second + 1'b1 == next_first);
      if (Wrong == 1) assert (!packs || !valid[port] || !bank[port]);
      if (Wrong == 2) assert (!unpacks || ready);
      if (Wrong == 3) assert (second_i + 1'b1 != first_i || ready);
    end
  end
endmodule

bind benes_network benes_network_properties #(
  .NumPorts (NumPorts),
  .DataWidth(DataWidth)
) i_properties (
  .clk_i      (clk_i),
  .rst_ni     (rst_ni),
  .valid_i    (valid_i),
  .ready      (ready_o),
  .mode_i     (mode_i),
  .active_i   (active_i),
  .taken_i    (taken_i),
  .first_i    (first_i),
  .second_i   (second_i),
  .data_i     (data_i),
  .next_first (next_first_o),
  .next_second(next_second_o),
  .reads      (read_o),
  .read_bank  (read_bank_o),
  .valid      (valid_o),
  .bank       (bank_o),
  .data       (data_o),
  .conflicts  (conflicts),
  .second_q   (second_q)
);
