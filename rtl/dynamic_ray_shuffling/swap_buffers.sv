// SPDX-License-Identifier: Apache-2.0
// The swapping-request table with its buffers (DRS section 3.2.4, Fig. 5): the register and row that the swap will read or
// write next, and the words in flight. It makes at most one read and one write in a cycle; a register row that was read in a
// cycle can be written in the next. A buffer holds packed words, the lowest lane's first, at most one less than a row has.
module swap_buffers #(
  parameter int unsigned Rows = 61,          // of rays
  parameter int unsigned Lanes = 32,         // of a row, a power of two
  parameter int unsigned Buffers = 6,        // at least 2
  parameter int unsigned RayRegisters = 17,  // of a row, 2 to 256
  parameter int unsigned Width = 32,         // bits of a register
  localparam int unsigned Steps = $clog2(Lanes),
  localparam int unsigned SlotWidth = $clog2(Buffers),
  localparam int unsigned RowWidth = $clog2(Rows),
  localparam int unsigned RegisterWidth = RayRegisters > 1 ? $clog2(RayRegisters) : 1,
  localparam int unsigned Most = 2 * RayRegisters > Buffers ? 2 * RayRegisters : Buffers,
  localparam int unsigned CountWidth = $clog2(Most + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // A swap: taken if ready.
  input  logic                   swap_valid_i,
  output logic                   swap_ready_o,
  input  logic [RowWidth-1:0]    source_i,
  input  logic [RowWidth-1:0]    destination_i,
  input  logic [Lanes-1:0]       source_lanes_i,
  input  logic [Lanes-1:0]       destination_lanes_i,
  input  logic [Steps*Lanes-1:0] source_moves_i,  // steps that pack these lanes
  input  logic [Steps*Lanes-1:0] destination_moves_i,
  input  logic                   both_ways_i,
  // The swap ends when its transfers are done and may_end_i is 1.
  output logic                   busy_o,
  input  logic                   may_end_i,
  output logic                   ends_o,
  output logic [RowWidth-1:0]    source_o,
  output logic [RowWidth-1:0]    destination_o,
  // Accesses: valid until granted. Read words arrive with the grant; words to write are valid with the request.
  output logic                   read_valid_o,
  output logic [RowWidth-1:0]    read_row_o,
  output logic [RegisterWidth-1:0] read_register_o,
  output logic [Lanes-1:0]       read_lanes_o,
  input  logic                   read_grant_i,
  input  logic [Lanes*Width-1:0] read_words_i,
  output logic                   write_valid_o,
  output logic [RowWidth-1:0]    write_row_o,
  output logic [RegisterWidth-1:0] write_register_o,
  output logic [Lanes-1:0]       write_lanes_o,
  output logic [Lanes*Width-1:0] write_words_o,   // undefined unless valid, and outside write_lanes_o
  input  logic                   write_grant_i
);
  logic [RowWidth-1:0] source_q, destination_q;
  logic [Lanes-1:0] source_lanes_q, destination_lanes_q;
  logic [Steps*Lanes-1:0] source_moves_q, destination_moves_q;
  logic both_ways_q, busy_q;
  logic [CountWidth-1:0] read_q, written_q, transfers_q;

  logic take, read_back, write_back;
  logic [CountWidth-1:0] needed;

  assign ends_o = busy_q & written_q == transfers_q & may_end_i;
  assign swap_ready_o = ~busy_q | ends_o;
  assign take = swap_valid_i & swap_ready_o;
  assign busy_o = busy_q;
  assign source_o = source_q;
  assign destination_o = destination_q;

  // If rays move both ways, odd transfers go from the destination to the source.
  assign read_back = both_ways_q & read_q[0];
  assign read_valid_o = (read_q != transfers_q) & (read_q - written_q != CountWidth'(Buffers));
  assign read_row_o = read_back ? destination_q : source_q;
  assign read_lanes_o = read_back ? destination_lanes_q : source_lanes_q;
  assign read_register_o = both_ways_q ? read_q[RegisterWidth:1] : read_q[RegisterWidth-1:0];

  // Before the first transfer of a register overwrites a row, the second must have read it.
  assign write_back = both_ways_q & written_q[0];
  assign needed = written_q + ((both_ways_q & ~write_back) ? CountWidth'(2) : CountWidth'(1));
  assign write_valid_o = (written_q != transfers_q) & (read_q >= needed);
  assign write_row_o = write_back ? source_q : destination_q;
  assign write_lanes_o = write_back ? source_lanes_q : destination_lanes_q;
  assign write_register_o = both_ways_q ? written_q[RegisterWidth:1] : written_q[RegisterWidth-1:0];

  // The buffers, used in turn.
  localparam int unsigned HeldWidth = (Lanes - 1) * Width;

  logic [HeldWidth-1:0] held_q [Buffers];
  logic [SlotWidth-1:0] read_slot_q, write_slot_q;

  logic [Steps*Lanes-1:0] read_moves, write_moves;
  assign read_moves = read_back ? destination_moves_q : source_moves_q;
  assign write_moves = write_back ? source_moves_q : destination_moves_q;

  // Packs the words of the lanes, step by step.
  always_ff @(posedge clk_i) begin : gather
    logic [Lanes*Width-1:0] words;
    if (read_grant_i) begin
      words = read_words_i;
      for (int step = 0; step < Steps; step++) begin
        for (int lane = 0; lane + (1 << step) < Lanes; lane++) begin
          words[lane*Width+:Width] = read_moves[step*Lanes+lane] ? words[(lane+(1<<step))*Width+:Width]
                                                                 : words[lane*Width+:Width];
        end
      end
      held_q[read_slot_q] <= words[HeldWidth-1:0];
    end
  end

  // Unpacks them to the lanes of the other row, by the same steps in reverse.
  always_comb begin
    write_words_o = {{Width{1'b0}}, held_q[write_slot_q]};
    for (int step = Steps - 1; step >= 0; step--) begin
      for (int lane = Lanes - 1; lane >= (1 << step); lane--) begin
        write_words_o[lane*Width+:Width] = write_moves[step*Lanes+lane-(1<<step)] ? write_words_o[(lane-(1<<step))*Width+:Width]
                                                                                  : write_words_o[lane*Width+:Width];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      read_slot_q <= '0;
      write_slot_q <= '0;
      read_q <= '0;
      written_q <= '0;
      transfers_q <= '0;
    end else begin
      if (take) busy_q <= 1'b1;
      else if (ends_o) busy_q <= 1'b0;
      if (take) begin
        read_q <= '0;
        written_q <= '0;
        transfers_q <= both_ways_i ? CountWidth'(2 * RayRegisters) : CountWidth'(RayRegisters);
      end
      if (read_grant_i) begin
        read_q <= read_q + CountWidth'(1);
        read_slot_q <= read_slot_q == SlotWidth'(Buffers - 1) ? '0 : read_slot_q + SlotWidth'(1);
      end
      if (write_grant_i) begin
        written_q <= written_q + CountWidth'(1);
        write_slot_q <= write_slot_q == SlotWidth'(Buffers - 1) ? '0 : write_slot_q + SlotWidth'(1);
      end
    end
  end

  // Loaded before they are used: no reset.
  always_ff @(posedge clk_i) begin
    if (take) begin
      source_q <= source_i;
      destination_q <= destination_i;
      source_lanes_q <= source_lanes_i;
      destination_lanes_q <= destination_lanes_i;
      source_moves_q <= source_moves_i;
      destination_moves_q <= destination_moves_i;
      both_ways_q <= both_ways_i;
    end
  end
endmodule
