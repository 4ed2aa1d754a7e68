// SPDX-License-Identifier: Apache-2.0
// Selects the next swap of the ejecting unit. Inner rays of its special row move to the first other row that has some. The
// special rows of the collecting units are excluded.
module eject_choice #(
  parameter int unsigned Rows = 61,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input  logic                busy_i,
  input  logic [Rows-1:0]     bound_i,
  input  logic [Rows-1:0]     swapping_i,
  input  logic [Rows-1:0]     full_i,
  input  logic [Rows-1:0]     inner_i,          // with inner rays
  input  logic                special_valid_i,
  input  logic [RowWidth-1:0] special_row_i,
  input  logic                leaf_valid_i,
  input  logic [RowWidth-1:0] leaf_row_i,
  input  logic                fetch_valid_i,
  input  logic [RowWidth-1:0] fetch_row_i,
  output logic                special_valid_o,
  output logic [RowWidth-1:0] special_row_o,
  output logic                start_o,
  output logic [RowWidth-1:0] source_o,
  output logic [RowWidth-1:0] destination_o
);
  logic kept, blocked, still;
  logic [Rows-1:0] rows, others;
  logic first_valid, destination_valid;
  logic [RowWidth-1:0] first;

  assign kept = special_valid_i & ~bound_i[special_row_i] & ~full_i[special_row_i];
  assign blocked = kept & swapping_i[special_row_i];
  assign rows = inner_i & ~(bound_i | swapping_i | full_i) & (leaf_valid_i ? ~(Rows'(1) << leaf_row_i) : {Rows{1'b1}}) &
                (fetch_valid_i ? ~(Rows'(1) << fetch_row_i) : {Rows{1'b1}});
  assign still = kept & rows[special_row_i];

  lowest #(.Width(Rows)) i_first (.set_i(rows), .valid_o(first_valid), .index_o(first));

  assign source_o = still ? special_row_i : first;
  assign others = first_valid ? rows & ~(Rows'(1) << source_o) : '0;

  lowest #(.Width(Rows)) i_destination (.set_i(others), .valid_o(destination_valid), .index_o(destination_o));

  assign start_o = ~busy_i & ~blocked & destination_valid;
  assign special_valid_o = busy_i ? special_valid_i : blocked | still | start_o;
  assign special_row_o = start_o ? source_o : special_row_i;
endmodule
