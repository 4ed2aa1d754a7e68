// SPDX-License-Identifier: Apache-2.0
// Selects the two rows of the next swap of a unit, in four stages: sample, weigh, first row, second row.
//
// A collecting unit moves rays of its state from the first row that has some (the second row) into its special row (the first
// row): a row with only such rays, otherwise an empty row, otherwise any row with such a ray. The ejecting unit moves inner
// rays of its special row (the first row) to the first other row that has some (the second row).
module row_choice #(
  parameter int unsigned Rows = 61,  // of rays
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input  logic                clk_i,
  // Stages; at most one in a cycle, in order.
  input  logic                sample_i,
  input  logic                weigh_i,
  input  logic                first_i,
  input  logic                second_i,
  // At the sample: the rows, those with rays in the unit's state, and the special rows of the other collecting units.
  input  logic [Rows-1:0]     bound_i,
  input  logic [Rows-1:0]     swapping_i,
  input  logic [Rows-1:0]     full_i,           // rays of one state in all lanes
  input  logic [Rows-1:0]     uniform_i,        // rays of only one state
  input  logic [Rows-1:0]     empty_i,          // without rays
  input  logic [Rows-1:0]     wanted_i,
  input  logic [Rows-1:0]     others_i,         // from the sample to the weighing
  // The unit, from the sample to the end.
  input  logic                collects_i,       // or ejects
  input  logic                special_valid_i,
  input  logic [RowWidth-1:0] special_row_i,
  // After the second row.
  output logic                kept_o,           // without a swap, the unit keeps its special row
  output logic                found_o,          // in the stage second_i: there is a swap
  output logic [RowWidth-1:0] first_row_o,
  output logic [RowWidth-1:0] second_row_o
);
  // Rows neither bound, nor full, nor swapping; of these, rows with rays to move.
  logic [Rows-1:0] loose, some, ordinary, special;
  logic [Rows-1:0] some_q, pure_q, spare_q, pick_d, pick_q;
  logic held, held_q, blocked_q, special_uniform_q, none_bound_q, kept_d, kept_q;
  logic special_some, alone, first_valid, first_valid_q, second_valid;
  logic [RowWidth-1:0] first_row, first_row_q, second_row, second_row_q;

  assign special = Rows'(1) << special_row_i;
  assign ordinary = ~others_i;
  assign loose = ~(bound_i | swapping_i | full_i);
  // The ejecting unit moves no rays from or to the special row of a collecting unit.
  assign some = loose & wanted_i & (collects_i ? {Rows{1'b1}} : ordinary);
  assign held = special_valid_i & ~(|(special & (bound_i | full_i)));

  // No unit would bring rays to exchange for the special row's other rays, so the unit starts again with an empty row.
  assign special_some = |(some_q & special);
  assign alone = none_bound_q & ~special_uniform_q & special_some & ~(|(some_q & ~special)) & (|spare_q);
  assign kept_d = held_q & (blocked_q | (collects_i ? ~alone : special_some));
  always_comb begin
    pick_d = some_q & ordinary;
    if (kept_d) pick_d = special;
    else if (collects_i && (|pure_q)) pick_d = pure_q;
    else if (collects_i && (|spare_q)) pick_d = spare_q;
  end

  lowest #(.Width(Rows)) i_first (.set_i(pick_q), .valid_o(first_valid), .index_o(first_row));
  lowest #(
    .Width(Rows)
  ) i_second (
    .set_i  (some_q & ~(Rows'(1) << first_row_q)),
    .valid_o(second_valid),
    .index_o(second_row)
  );

  assign kept_o = kept_q;
  assign found_o = first_valid_q & second_valid & ~blocked_q;
  assign first_row_o = first_row_q;
  assign second_row_o = second_row_q;

  // Loaded stage by stage before they are used: no reset.
  always_ff @(posedge clk_i) begin
    if (sample_i) begin
      some_q <= some;
      pure_q <= some & uniform_i & ordinary;
      spare_q <= loose & empty_i & ordinary;
      held_q <= held;
      blocked_q <= held & (|(special & swapping_i));  // another swap is using the special row
      special_uniform_q <= |(special & uniform_i);
      none_bound_q <= ~(|bound_i);
    end
    if (weigh_i) begin
      pick_q <= pick_d;
      kept_q <= kept_d;
    end
    if (first_i) begin
      first_valid_q <= first_valid;
      first_row_q <= first_row;
    end
    if (second_i) second_row_q <= second_row;
  end
endmodule
