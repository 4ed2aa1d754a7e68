// The lowest row of a set.
module first_row #(
  parameter int unsigned Rows = 61,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input  logic [Rows-1:0]     rows_i,
  output logic                valid_o,  // there is one
  output logic [RowWidth-1:0] row_o     // 0 when there is none
);
  always_comb begin
    row_o = '0;
    for (int signed row = int'(Rows) - 1; row >= 0; row--) begin
      if (rows_i[row]) row_o = RowWidth'(row);
    end
  end
  assign valid_o = |rows_i;
endmodule
