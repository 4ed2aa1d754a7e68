// SPDX-License-Identifier: Apache-2.0
// Finds the partial warp of the lowest micro-kernel address with a tournament: the lower of two addresses advances.
module lowest_partial #(
  parameter int unsigned Lines = 64,      // that take part
  parameter int unsigned PcWidth = 16,    // bits of the address of a micro-kernel
  parameter int unsigned InfoWidth = 11,  // further bits of a line
  localparam int unsigned Leaves = 1 << $clog2(Lines)
) (
  input  logic [Lines-1:0]           partial_i,  // the line has a partial warp
  input  logic [Lines*PcWidth-1:0]   pc_i,       // micro-kernel of each line
  input  logic [Lines*InfoWidth-1:0] info_i,     // further bits of each line
  output logic                       valid_o,    // a line has a partial warp
  output logic [PcWidth-1:0]         pc_o,       // of the winner
  output logic [InfoWidth-1:0]       info_o,     // of the winner
  output logic [Lines-1:0]           line_o      // the line of the winner, one-hot
);
  // Node n is the parent of nodes 2n and 2n + 1; node 1 is the root, and the leaves are the last nodes.
  logic [2*Leaves-1:0] valid, wins;
  logic [Leaves-1:0] lower;  // the left child advances
  logic [2*Leaves*PcWidth-1:0] pc;
  logic [2*Leaves*InfoWidth-1:0] info;

  always_comb begin
    valid = '0;
    pc = '0;
    info = '0;
    wins = '0;
    lower = '0;
    for (int line = 0; line < Lines; line++) begin
      valid[Leaves+line] = partial_i[line];
      pc[(Leaves+line)*PcWidth+:PcWidth] = pc_i[line*PcWidth+:PcWidth];
      info[(Leaves+line)*InfoWidth+:InfoWidth] = info_i[line*InfoWidth+:InfoWidth];
    end
    for (int node = Leaves - 1; node > 0; node--) begin
      lower[node] = valid[2*node] & (~valid[2*node+1] | pc[2*node*PcWidth+:PcWidth] < pc[(2*node+1)*PcWidth+:PcWidth]);
      valid[node] = valid[2*node] | valid[2*node+1];
      pc[node*PcWidth+:PcWidth] = lower[node] ? pc[2*node*PcWidth+:PcWidth] : pc[(2*node+1)*PcWidth+:PcWidth];
      info[node*InfoWidth+:InfoWidth] =
          lower[node] ? info[2*node*InfoWidth+:InfoWidth] : info[(2*node+1)*InfoWidth+:InfoWidth];
    end
    wins[1] = valid[1];
    for (int node = 1; node < Leaves; node++) begin
      wins[2*node] = wins[node] & lower[node];
      wins[2*node+1] = wins[node] & ~lower[node];
    end
  end
  assign valid_o = valid[1];
  assign pc_o = pc[PcWidth+:PcWidth];
  assign info_o = info[InfoWidth+:InfoWidth];
  assign line_o = wins[Leaves+:Lines];
endmodule
