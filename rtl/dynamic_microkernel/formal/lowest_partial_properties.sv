// SPDX-License-Identifier: Apache-2.0
// Properties of the choice of a partial warp. Proved for two arbitrary lines. Bound to its module, which has no state.
module lowest_partial_properties #(
  parameter int unsigned Lines = 64,
  parameter int unsigned PcWidth = 16,
  parameter int unsigned InfoWidth = 11,
  parameter int unsigned Wrong = 0,  // 2: a wrong property, which the proof must refute
  localparam int unsigned LineWidth = $clog2(Lines)
) (
  input logic [Lines-1:0]           partial,
  input logic [Lines*PcWidth-1:0]   pcs,
  input logic [Lines*InfoWidth-1:0] infos,
  input logic                       valid,
  input logic [PcWidth-1:0]         pc,
  input logic [InfoWidth-1:0]       info,
  input logic [Lines-1:0]           chosen
);
  (* anyconst *) logic [LineWidth-1:0] line, other;
  logic differ;
  assign differ = 32'(line) < Lines & 32'(other) < Lines & line != other;

  always_comb begin
    some_if_any : assert (valid == |partial && valid == |chosen);
    if (32'(line) < Lines) begin
      one_that_has_one : assert (!chosen[line] || partial[line]);
      as_its_line_says : assert (!chosen[line] || (pc == pcs[line*PcWidth+:PcWidth] && info == infos[line*InfoWidth+:InfoWidth]));
      the_lowest : assert (!partial[line] || pc <= pcs[line*PcWidth+:PcWidth]);
      if (Wrong == 2) assert (!partial[line] || chosen[line]);
    end
    one_alone : assert (!differ || !chosen[line] || !chosen[other]);
  end
endmodule

bind lowest_partial lowest_partial_properties #(
  .Lines    (Lines),
  .PcWidth  (PcWidth),
  .InfoWidth(InfoWidth)
) i_properties (
  .partial(partial_i),
  .pcs    (pc_i),
  .infos  (info_i),
  .valid  (valid_o),
  .pc     (pc_o),
  .info   (info_o),
  .chosen (line_o)
);
