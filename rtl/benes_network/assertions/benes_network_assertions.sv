// SPDX-License-Identifier: Apache-2.0
// The properties in `formal/` as concurrent assertions for simulation, for networks of any size and with registers. Bound to the
// block.
//
// The assertions move records one by one to the ports of their ranks, and delay them by one clock for each register.
module benes_network_assertions #(
  parameter int unsigned NumPorts = 16,
  parameter int unsigned DataWidth = 32,
  parameter int unsigned RegisterEvery = 0,
  localparam int unsigned Levels = $clog2(NumPorts),
  localparam int unsigned Stages = 2 * Levels - 1,
  localparam int unsigned Latency = RegisterEvery == 0 ? 0 : (Stages + RegisterEvery - 1) / RegisterEvery
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
  input logic                          second_q
);
  logic running_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) running_q <= 1'b0;
    else running_q <= 1'b1;
  end

  // --- Destinations of the records of this clock: of bank 0 unless this is a second clock, of bank 1 if ready is high. A second
  // clock has the same records, because the request holds.
  logic packs, unpacks;
  logic [NumPorts-1:0] arrives, in_bank, from, from_bank;
  logic [NumPorts*DataWidth-1:0] brings;
  logic [Levels-1:0] up, down, place;
  logic to_first;
  assign packs = valid_i && mode_i < 2'd2;
  assign unpacks = valid_i && mode_i == 2'd2;
  always_comb begin
    arrives = '0;
    in_bank = '0;
    from = '0;
    from_bank = '0;
    brings = '0;
    up = first_i;
    down = second_i;
    for (int lane = 0; lane < NumPorts; lane++) begin
      to_first = taken_i[lane] || mode_i == 2'd0;
      place = to_first ? up : down;
      if (active_i[lane]) begin
        if (to_first) up = up + 1'b1;
        else down = down - 1'b1;
        if (to_first ? !second_q : ready) begin
          if (packs) begin
            arrives[place] = 1'b1;
            in_bank[place] = !to_first;
            brings[place*DataWidth+:DataWidth] = data_i[lane*DataWidth+:DataWidth];
          end
          if (unpacks) begin
            from[place] = 1'b1;
            from_bank[place] = !to_first;
            arrives[lane] = 1'b1;
            in_bank[lane] = !to_first;
            brings[lane*DataWidth+:DataWidth] = data_i[place*DataWidth+:DataWidth];
          end
        end
      end
    end
  end

  // --- The same, delayed until the records leave.
  logic packed_now, unpacked_now;
  logic [NumPorts-1:0] wanted, wanted_bank;
  logic [NumPorts*DataWidth-1:0] wanted_data, seen_data;
  if (Latency == 0) begin : gen_now
    assign packed_now = packs;
    assign unpacked_now = unpacks;
    assign wanted = arrives;
    assign wanted_bank = in_bank;
    assign wanted_data = brings;
  end else begin : gen_later
    logic [Latency-1:0] packs_q, unpacks_q;
    logic [NumPorts-1:0] arrives_q[Latency], in_bank_q[Latency];
    logic [NumPorts*DataWidth-1:0] brings_q[Latency];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        packs_q <= '0;
        unpacks_q <= '0;
      end else begin
        packs_q <= Latency'({packs_q, packs});
        unpacks_q <= Latency'({unpacks_q, unpacks});
      end
    end
    always_ff @(posedge clk_i) begin
      for (int i = 0; i < Latency; i++) begin
        arrives_q[i] <= i == 0 ? arrives : arrives_q[i-1];
        in_bank_q[i] <= i == 0 ? in_bank : in_bank_q[i-1];
        brings_q[i] <= i == 0 ? brings : brings_q[i-1];
      end
    end
    assign packed_now = packs_q[Latency-1];
    assign unpacked_now = unpacks_q[Latency-1];
    assign wanted = arrives_q[Latency-1];
    assign wanted_bank = in_bank_q[Latency-1];
    assign wanted_data = brings_q[Latency-1];
  end
  always_comb begin
    for (int port = 0; port < NumPorts; port++) begin
      seen_data[port*DataWidth+:DataWidth] = data[port*DataWidth+:DataWidth] & {DataWidth{wanted[port]}};
    end
  end

  // Records leave at consecutive stripes, one for each active lane.
  records_are_packed : assert property (@(posedge clk_i) disable iff (!running_q) packed_now |-> valid == wanted);
  // Records leave in the order of their lanes.
  order_is_kept : assert property (@(posedge clk_i) disable iff (!running_q) packed_now |-> seen_data == wanted_data);
  // Unpacking returns each record to its lane.
  records_return :
  assert property (@(posedge clk_i) disable iff (!running_q) unpacked_now |-> valid == wanted && seen_data == wanted_data);
  // A record has the bank that the control stream gives it.
  bank_is_kept :
  assert property (@(posedge clk_i) disable iff (!running_q) packed_now || unpacked_now |-> (bank & wanted) == wanted_bank);
  // Unpacking reads exactly the ports that have the records, from their banks.
  ports_are_read :
  assert property (@(posedge clk_i) disable iff (!running_q) reads == from && (read_bank & from) == from_bank);
  // A request takes two clocks at most.
  two_clocks_at_most : assert property (@(posedge clk_i) disable iff (!running_q) !ready |=> ready);
  // The next stripes follow those of the group.
  stripes_go_on :
  assert property (@(posedge clk_i) disable iff (!running_q) packs || unpacks |-> next_first == up && next_second == down);
  // A whole group with adjacent stripes splits in one clock.
  whole_groups_split_at_once :
  assert property (@(posedge clk_i) disable iff (!running_q) valid_i && active_i == '1 && second_i + 1'b1 == first_i |-> ready);
endmodule

bind benes_network benes_network_assertions #(
  .NumPorts     (NumPorts),
  .DataWidth    (DataWidth),
  .RegisterEvery(RegisterEvery)
) i_assertions (
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
  .second_q   (second_q)
);
