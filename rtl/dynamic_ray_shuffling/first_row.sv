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
    for (int below = 0; below < Rows; below++) begin
      if (rows_i[Rows-1-below]) row_o = RowWidth'(Rows - 1 - below);
    end
  end
  assign valid_o = |rows_i;
endmodule
