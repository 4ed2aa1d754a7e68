// SPDX-License-Identifier: Apache-2.0
// A network that splits a group between two memory banks, and a network that reads the records back.
module round_trip #(
  parameter int unsigned NumPorts = 16,
  parameter int unsigned DataWidth = 32,
  localparam int unsigned Levels = $clog2(NumPorts),
  localparam int unsigned Settings = (2 * Levels - 1) * NumPorts / 2
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          packs_i,  // pack to one bank; otherwise split
  input  logic [NumPorts-1:0]           active_i,
  input  logic [NumPorts-1:0]           taken_i,
  input  logic [Levels-1:0]             first_i,
  input  logic [Levels-1:0]             second_i,
  input  logic [NumPorts*DataWidth-1:0] data_i,
  output logic                          ready_o,
  output logic                          back_ready_o,
  output logic [NumPorts-1:0]           valid_o,
  output logic [NumPorts-1:0]           bank_o,
  output logic [NumPorts*DataWidth-1:0] data_o,
  output logic                          back_where_it_was_o  // every port is read if it was written, and from the same bank
);
  // State of the networks, for properties.
  (* hierconn *) wire \i_there.second_q ;
  (* hierconn *) wire \i_back.second_q ;
  (* hierconn *) wire \i_there.conflicts ;

  logic [NumPorts-1:0] written, bank, reads, read_bank;
  logic [NumPorts*DataWidth-1:0] data;

  benes_network #(.NumPorts(NumPorts), .DataWidth(DataWidth)) i_there (
    .clk_i, .rst_ni, .valid_i(1'b1), .ready_o, .mode_i(packs_i ? 2'd0 : 2'd1), .active_i, .taken_i, .first_i, .second_i,
    .cross_i(Settings'(0)), .data_i, .next_first_o(), .next_second_o(), .read_o(), .read_bank_o(), .valid_o(written),
    .bank_o(bank), .data_o(data)
  );
  benes_network #(.NumPorts(NumPorts), .DataWidth(DataWidth)) i_back (
    .clk_i, .rst_ni, .valid_i(1'b1), .ready_o(back_ready_o), .mode_i(2'd2), .active_i,
    .taken_i(taken_i | {NumPorts{packs_i}}), .first_i, .second_i, .cross_i(Settings'(0)), .data_i(data), .next_first_o(),
    .next_second_o(), .read_o(reads), .read_bank_o(read_bank), .valid_o, .bank_o, .data_o
  );
  assign back_where_it_was_o = reads == written && ((read_bank ^ bank) & reads) == '0;
endmodule
