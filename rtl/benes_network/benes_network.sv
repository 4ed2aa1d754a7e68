// SPDX-License-Identifier: Apache-2.0
// A Benes network between lanes and two memory banks with one stripe for each lane (Popa 2004, section 4.1.1, Fig. 4.1). On a
// write, it packs records or splits them between the banks; on a read, it returns them to their lanes.
//
// A request is a group of records, at most one for each lane. It enters in the clock in which valid_i and ready_o are high. If a
// request needs two clocks, ready_o is low in the first: the records of bank 0 enter, and the requester holds the request. The
// records of bank 1 enter in the second clock. Each register delays records by one clock; there is one before every
// RegisterEvery stages.
module benes_network #(
  parameter int unsigned NumPorts = 16,      // a power of two, 2 to 64
  parameter int unsigned DataWidth = 32,     // bits of a record, 1 to 1024
  parameter int unsigned RegisterEvery = 0,  // stages between registers, 0 to 11; 0: no registers
  localparam int unsigned Levels = $clog2(NumPorts),
  localparam int unsigned Stages = NumPorts > 1 ? 2 * Levels - 1 : 1,
  localparam int unsigned Switches = NumPorts / 2
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          valid_i,       // there is a request
  output logic                          ready_o,       // the request is complete in this clock
  input  logic [1:0]                    mode_i,        // 0: pack, 1: split, 2: unpack, 3: permute
  input  logic [NumPorts-1:0]           active_i,      // lanes with a record
  input  logic [NumPorts-1:0]           taken_i,       // lanes whose record belongs to bank 0; pack: all do
  input  logic [Levels-1:0]             first_i,       // next stripe of bank 0, which fills upwards
  input  logic [Levels-1:0]             second_i,      // next stripe of bank 1, which fills downwards
  input  logic [Stages*Switches-1:0]    cross_i,       // permute: crossed switches, stage by stage
  input  logic [NumPorts*DataWidth-1:0] data_i,        // of lanes; unpack: of ports, as read_o and read_bank_o select
  output logic [Levels-1:0]             next_first_o,  // the first stripes after the group; meaningless for permute
  output logic [Levels-1:0]             next_second_o,  // of bank 1
  output logic [NumPorts-1:0]           read_o,        // unpack: ports whose records enter in this clock
  output logic [NumPorts-1:0]           read_bank_o,   // the bank that each is read from
  output logic [NumPorts-1:0]           valid_o,       // ports with a record; unpack: lanes with a record
  output logic [NumPorts-1:0]           bank_o,        // the bank of each record
  output logic [NumPorts*DataWidth-1:0] data_o         // of ports; unpack: of lanes
);
  // Legal sizes.
  if (NumPorts < 2 || NumPorts > 64 || 32'd1 << Levels != NumPorts) begin : gen_num_ports
    $error("NumPorts must be a power of two, 2 to 64");
  end
  if (DataWidth < 1 || DataWidth > 1024) begin : gen_data_width
    $error("DataWidth must be 1 to 1024");
  end
  if (RegisterEvery > 11) begin : gen_register_every
    $error("RegisterEvery must be 0 to 11");
  end

  localparam logic [1:0] Pack = 2'd0;
  localparam logic [1:0] Unpack = 2'd2;
  localparam logic [1:0] Permute = 2'd3;
  localparam int unsigned Every = RegisterEvery == 0 ? Stages : RegisterEvery;

  logic [NumPorts-1:0] to_first, to_second, first_ports, second_ports;
  logic [Levels*Switches-1:0] ways;
  logic conflict, conflicts, second_q, first_enters, second_enters;

  assign to_first = active_i & (taken_i | {NumPorts{mode_i == Pack}});
  assign to_second = active_i & ~to_first;
  benes_control #(.NumPorts(NumPorts)) i_control (
    .to_first_i(to_first), .to_second_i(to_second), .first_i, .second_i, .second_clock_i(second_q),
    .cross_o(ways), .conflict_o(conflict), .first_ports_o(first_ports), .second_ports_o(second_ports),
    .next_first_o, .next_second_o
  );

  // The banks whose records arrive in this clock. All records pass through the network, which loses none; the outputs mask
  // records that did not arrive. So the settings need not wait for the conflict.
  assign conflicts = valid_i & conflict & mode_i != Permute;
  assign ready_o = ~conflicts | second_q;
  assign first_enters = valid_i & ~(conflicts & second_q);
  assign second_enters = valid_i & ready_o;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) second_q <= 1'b0;
    else second_q <= ~ready_o;
  end

  // Inputs of the first stage.
  logic [NumPorts-1:0] valid, bank;
  logic [Stages*Switches-1:0] crossed;

  logic unpacks;
  assign unpacks = mode_i == Unpack;
  // If both banks have a record at a port, the first clock reads bank 0.
  assign bank = unpacks ? second_ports & (~first_ports | {NumPorts{second_q}}) : to_second;
  assign valid = unpacks ? first_ports | second_ports : active_i;
  assign read_o = ((first_ports & {NumPorts{first_enters}}) | (second_ports & {NumPorts{second_enters}})) & {NumPorts{unpacks}};
  assign read_bank_o = second_ports & {NumPorts{second_enters}};
  // Unpacking uses the settings of packing in the mirrored stages.
  for (genvar stage = 0; stage < Stages; stage++) begin : gen_settings
    localparam int unsigned Level = stage < Levels ? Levels - 1 - stage : stage + 1 - Levels;
    localparam logic Before = stage < Levels;       // used for unpacking
    localparam logic Behind = stage >= Levels - 1;  // used for packing
    assign crossed[stage*Switches+:Switches] =
        mode_i == Permute ? cross_i[stage*Switches+:Switches] :
        ways[Level*Switches+:Switches] & {Switches{unpacks ? Before : Behind}};
  end

  for (genvar stage = 0; stage < Stages; stage++) begin : gen_stage
    localparam int unsigned Distance = 1 << (stage < Levels ? Levels - 1 - stage : stage + 1 - Levels);
    logic [NumPorts-1:0] valid_in, valid_here, valid_out, bank_in, bank_here, bank_out;
    logic [NumPorts*DataWidth-1:0] data_in, data_here, data_out;
    logic [(Stages-stage)*Switches-1:0] crossed_in, crossed_here;  // of this stage and all later ones
    logic first_in, first_here, second_in, second_here;            // records of this bank arrive
    if (stage == 0) begin : gen_first
      assign valid_in = valid;
      assign bank_in = bank;
      assign data_in = data_i;
      assign crossed_in = crossed;
      assign first_in = first_enters;
      assign second_in = second_enters;
    end else begin : gen_next
      assign valid_in = gen_stage[stage-1].valid_out;
      assign bank_in = gen_stage[stage-1].bank_out;
      assign data_in = gen_stage[stage-1].data_out;
      assign crossed_in = gen_stage[stage-1].crossed_here[Switches+:(Stages-stage)*Switches];
      assign first_in = gen_stage[stage-1].first_here;
      assign second_in = gen_stage[stage-1].second_here;
    end
    if (RegisterEvery != 0 && stage % Every == 0) begin : gen_register
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          first_here <= 1'b0;
          second_here <= 1'b0;
        end else begin
          first_here <= first_in;
          second_here <= second_in;
        end
      end
      always_ff @(posedge clk_i) begin
        valid_here <= valid_in;
        bank_here <= bank_in;
        data_here <= data_in;
        crossed_here <= crossed_in;
      end
    end else begin : gen_wires
      assign valid_here = valid_in;
      assign bank_here = bank_in;
      assign data_here = data_in;
      assign crossed_here = crossed_in;
      assign first_here = first_in;
      assign second_here = second_in;
    end
    benes_stage #(.NumPorts(NumPorts), .Width(1), .Distance(Distance)) i_valid (
      .cross_i(crossed_here[0+:Switches]), .in_i(valid_here), .out_o(valid_out)
    );
    benes_stage #(.NumPorts(NumPorts), .Width(1), .Distance(Distance)) i_bank (
      .cross_i(crossed_here[0+:Switches]), .in_i(bank_here), .out_o(bank_out)
    );
    benes_stage #(.NumPorts(NumPorts), .Width(DataWidth), .Distance(Distance)) i_data (
      .cross_i(crossed_here[0+:Switches]), .in_i(data_here), .out_o(data_out)
    );
  end
  assign bank_o = gen_stage[Stages-1].bank_out;
  assign valid_o = gen_stage[Stages-1].valid_out &
                   ((bank_o & {NumPorts{gen_stage[Stages-1].second_here}}) | (~bank_o & {NumPorts{gen_stage[Stages-1].first_here}}));
  assign data_o = gen_stage[Stages-1].data_out;
endmodule
