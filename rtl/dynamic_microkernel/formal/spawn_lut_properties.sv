// SPDX-License-Identifier: Apache-2.0
// Properties of the lines of the spawn LUT. Proved for two arbitrary lines. Bound to the LUT.
module spawn_lut_properties #(
  parameter int unsigned Lines = 64,
  parameter int unsigned PcWidth = 16,
  parameter int unsigned EntryWidth = 5,
  parameter int unsigned Wrong = 0,  // 3: a wrong property, which the proof must refute
  localparam int unsigned LineWidth = $clog2(Lines)
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic [Lines-1:0]            used,
  input logic [Lines-1:0]            has_first,
  input logic [Lines-1:0]            has_second,
  input logic [Lines*PcWidth-1:0]    pcs,
  input logic [Lines*EntryWidth-1:0] counts,
  input logic [Lines-1:0]            match
);
  (* anyconst *) logic [LineWidth-1:0] line, other;
  logic differ;
  assign differ = 32'(line) < Lines & 32'(other) < Lines & line < other;

  // Reset is active in the first cycle.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  always_comb begin
    if (rst_ni) begin
      used_in_order : assert (((used + 1'b1) & used) == '0);
      if (32'(line) < Lines) begin
        one_unused_has_nothing : assert (used[line] || !(has_first[line] || has_second[line] || counts[line*EntryWidth+:EntryWidth] != '0));
        threads_have_a_part : assert (has_first[line] || !(has_second[line] || counts[line*EntryWidth+:EntryWidth] != '0));
      end
      one_line_for_each : assert (!differ || !used[other] || pcs[line*PcWidth+:PcWidth] != pcs[other*PcWidth+:PcWidth]);
      one_matches : assert (!differ || !match[line] || !match[other]);
      if (Wrong == 3) assert (!differ || !used[other]);
    end
  end
endmodule

bind spawn_lut spawn_lut_properties #(
  .Lines     (Lines),
  .PcWidth   (PcWidth),
  .EntryWidth(EntryWidth)
) i_properties (
  .clk_i     (clk_i),
  .rst_ni    (rst_ni),
  .used      (used_o),
  .has_first (has_first_o),
  .has_second(has_second_o),
  .pcs       (pcs_o),
  .counts    (counts_o),
  .match     (match_o)
);
