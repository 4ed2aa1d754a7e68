// The lowest of a set of rows.
module first_row #(
  parameter int unsigned Rows = 61,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input  logic [Rows-1:0]     rows_i,
  output logic                valid_o,  // there is one
  output logic [RowWidth-1:0] row_o     // 0 when there is none
);
  logic [Rows-1:0] lowest;
  assign lowest = rows_i & (~rows_i + Rows'(1));

  for (genvar i = 0; i < RowWidth; i++) begin : gen_bit
    logic [Rows-1:0] numbers;  // those with this bit
    for (genvar row = 0; row < Rows; row++) begin : gen_row
      assign numbers[row] = 1'(row >> i);
    end
    assign row_o[i] = |(lowest & numbers);
  end
  assign valid_o = |rows_i;
endmodule
