// SPDX-License-Identifier: Apache-2.0
// Selects the next swap of a collecting unit. Rays of the unit's state move from the first row that has some into the special
// row. The special row is a row with only such rays, otherwise an empty row, otherwise any row with such a ray.
module collect_choice #(
  parameter int unsigned Rows = 61,
  localparam int unsigned RowWidth = $clog2(Rows)
) (
  input  logic                busy_i,           // the unit is in a swap
  input  logic [Rows-1:0]     bound_i,
  input  logic [Rows-1:0]     swapping_i,
  input  logic [Rows-1:0]     full_i,           // rays of one state in all lanes
  input  logic [Rows-1:0]     uniform_i,        // rays of only one state
  input  logic [Rows-1:0]     empty_i,          // without rays
  input  logic [Rows-1:0]     wanted_i,         // with rays of the unit's state
  // The unit's special row before and after, and that of the other collecting unit.
  input  logic                special_valid_i,
  input  logic [RowWidth-1:0] special_row_i,
  input  logic                other_valid_i,
  input  logic [RowWidth-1:0] other_row_i,
  output logic                special_valid_o,
  output logic [RowWidth-1:0] special_row_o,
  output logic                start_o,
  output logic [RowWidth-1:0] source_o,
  output logic [RowWidth-1:0] destination_o
);
  logic held, kept, blocked, alone;
  logic [Rows-1:0] loose, some, ordinary, sources;
  logic pure_valid, spare_valid, any_valid, destination_valid, source_valid;
  logic [RowWidth-1:0] pure_row, spare_row, any_row;

  assign held = special_valid_i & ~bound_i[special_row_i] & ~full_i[special_row_i];
  assign blocked = held & swapping_i[special_row_i];  // another unit is swapping it
  // No unit would bring rays to exchange for its other rays, so the unit starts again with an empty row.
  assign alone = ~(|bound_i) & ~uniform_i[special_row_i] & ~(|(some & ~(Rows'(1) << special_row_i))) &
                 some[special_row_i] & spare_valid;
  assign kept = held & (blocked | ~alone);
  assign loose = ~(bound_i | swapping_i | full_i);
  assign some = loose & wanted_i;
  assign ordinary = other_valid_i ? ~(Rows'(1) << other_row_i) : {Rows{1'b1}};

  lowest #(.Width(Rows)) i_pure (.set_i(some & uniform_i & ordinary), .valid_o(pure_valid), .index_o(pure_row));
  lowest #(.Width(Rows)) i_spare (.set_i(loose & empty_i & ordinary), .valid_o(spare_valid), .index_o(spare_row));
  lowest #(.Width(Rows)) i_any (.set_i(some & ordinary), .valid_o(any_valid), .index_o(any_row));

  assign destination_valid = kept | pure_valid | spare_valid | any_valid;
  assign destination_o = kept ? special_row_i : pure_valid ? pure_row : spare_valid ? spare_row : any_row;
  assign sources = some & ~(Rows'(1) << destination_o);

  lowest #(.Width(Rows)) i_source (.set_i(sources), .valid_o(source_valid), .index_o(source_o));

  assign start_o = ~busy_i & ~blocked & destination_valid & source_valid;
  assign special_valid_o = busy_i ? special_valid_i : kept | start_o;
  assign special_row_o = start_o ? destination_o : special_row_i;
endmodule
