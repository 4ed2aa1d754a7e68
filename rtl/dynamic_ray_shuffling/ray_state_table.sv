// SPDX-License-Identifier: Apache-2.0
// The states of all lanes of all rows, two bits each (DRS section 3.2.2, Fig. 4a), with one read port and one write port, and
// for each state the rows that have it.
//
// A state is {high, low}: 00 no ray, 01 fetch, 10 inner, 11 leaf. A read or write takes a row into a register; the row changes
// at the end of the cycle after the write. The table has no reset: the block writes every row first.
module ray_state_table #(
  parameter int unsigned Rows = 61,   // of rays
  parameter int unsigned Lanes = 32,  // of a row
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                read_i,       // reads a row
  input  logic [RowWidth-1:0] read_row_i,   // the row
  output logic [Lanes-1:0]    read_high_o,  // of the last read
  output logic [Lanes-1:0]    read_low_o,   // of the last read
  input  logic                write_i,      // writes a row
  input  logic [RowWidth-1:0] write_row_i,  // the row
  input  logic [Lanes-1:0]    write_high_i,  // high bits of its states
  input  logic [Lanes-1:0]    write_low_i,   // low bits
  output logic                writes_o,     // a row changes at the end of this cycle
  // For each state, rows that have it in a lane.
  output logic [Rows-1:0]     none_o,
  output logic [Rows-1:0]     fetch_o,
  output logic [Rows-1:0]     inner_o,
  output logic [Rows-1:0]     leaf_o
);
  logic [2*Lanes-1:0] states_q [Rows];
  logic [Rows-1:0] none_q, fetch_q, inner_q, leaf_q;
  logic [Lanes-1:0] read_high_q, read_low_q, write_high_q, write_low_q;
  logic [RowWidth-1:0] write_row_q;
  logic write_q;

  assign read_high_o = read_high_q;
  assign read_low_o = read_low_q;
  assign writes_o = write_q;
  assign none_o = none_q;
  assign fetch_o = fetch_q;
  assign inner_o = inner_q;
  assign leaf_o = leaf_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) write_q <= 1'b0;
    else write_q <= write_i;
  end

  always_ff @(posedge clk_i) begin
    if (read_i) {read_high_q, read_low_q} <= states_q[read_row_i];
    if (write_i) begin
      write_row_q <= write_row_i;
      write_high_q <= write_high_i;
      write_low_q <= write_low_i;
    end
    if (write_q) begin
      states_q[write_row_q] <= {write_high_q, write_low_q};
      none_q[write_row_q] <= |(~write_high_q & ~write_low_q);
      fetch_q[write_row_q] <= |(~write_high_q & write_low_q);
      inner_q[write_row_q] <= |(write_high_q & ~write_low_q);
      leaf_q[write_row_q] <= |(write_high_q & write_low_q);
    end
  end
endmodule
