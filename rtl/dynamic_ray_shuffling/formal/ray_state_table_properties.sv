// SPDX-License-Identifier: Apache-2.0
// Properties of the ray state table, for all reads and writes. Bound to the table. Proved for one arbitrary row. Only this row is
// read: a read changes no row, and the next read replaces its result.
module ray_state_table_properties #(
  parameter int unsigned Rows = 61,
  parameter int unsigned Lanes = 32,
  parameter int unsigned Wrong = 0,  // 4: a wrong property, which the proof must refute
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                read_i,
  input logic [RowWidth-1:0] read_row_i,
  input logic [2*Lanes-1:0]  read_states,
  input logic                write_i,
  input logic [RowWidth-1:0] write_row_i,
  input logic [2*Lanes-1:0]  write_states_i,
  input logic                writes,
  // Internal signals of the table.
  input logic [RowWidth-1:0] pending_row,     // row that changes at the end of this cycle
  input logic [2*Lanes-1:0]  pending_states,
  input logic [2*Lanes-1:0]  row_states,      // of the row that is read
  input logic [3:0]          row_summary      // {leaf, inner, fetch, none}
);
  (* anyconst *) logic [RowWidth-1:0] row;

  // Reset is active in the first cycle.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    assume (rst_ni == started_q);
    assume (32'(row) < Rows && read_row_i == row);
  end

  // The last write of the row, until it takes effect; the states of the row; and what the last read found.
  logic writes_q, known_q, shown_q;
  logic [2*Lanes-1:0] written_q, expected_q, expected_read_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      writes_q <= 1'b0;
      known_q <= 1'b0;
      shown_q <= 1'b0;
    end else begin
      writes_q <= write_i && write_row_i == row;
      known_q <= known_q | writes_q;
      if (read_i) shown_q <= known_q;
    end
    if (write_i) written_q <= write_states_i;
    if (writes_q) expected_q <= written_q;
    if (read_i) expected_read_q <= expected_q;
  end

  function automatic logic [3:0] summary(input logic [2*Lanes-1:0] states);
    summary = {|(states[2*Lanes-1:Lanes] & states[Lanes-1:0]), |(states[2*Lanes-1:Lanes] & ~states[Lanes-1:0]),
               |(~states[2*Lanes-1:Lanes] & states[Lanes-1:0]), |(~states[2*Lanes-1:Lanes] & ~states[Lanes-1:0])};
  endfunction

  always_comb begin
    if (rst_ni) begin
      write_takes_effect : assert ((writes && pending_row == row) == writes_q && (!writes_q || pending_states == written_q));
      row_as_written : assert (!known_q || row_states == expected_q);
      summary_of_row : assert (!known_q || row_summary == summary(expected_q));
      read_as_written : assert (!shown_q || read_states == expected_read_q);
      if (Wrong == 4) assert (!known_q || !writes_q || written_q == expected_q);
    end
  end
endmodule

bind ray_state_table ray_state_table_properties #(
  .Rows (Rows),
  .Lanes(Lanes)
) i_properties (
  .clk_i         (clk_i),
  .rst_ni        (rst_ni),
  .read_i        (read_i),
  .read_row_i    (read_row_i),
  .read_states   ({read_high_o, read_low_o}),
  .write_i       (write_i),
  .write_row_i   (write_row_i),
  .write_states_i({write_high_i, write_low_i}),
  .writes        (writes_o),
  .pending_row   (write_row_q),
  .pending_states({write_high_q, write_low_q}),
  .row_states    (states_q[read_row_i]),
  .row_summary   ({leaf_q[read_row_i], inner_q[read_row_i], fetch_q[read_row_i], none_q[read_row_i]})
);
