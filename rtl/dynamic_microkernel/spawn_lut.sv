// SPDX-License-Identifier: Apache-2.0
// The spawn look-up table (DMK section IV-C, Fig. 5). A line has, for one micro-kernel, the part of the formation area where its
// new threads form a warp, the part for the next warp, and the number of threads in the first part. The table is fully
// associative by the micro-kernel's address. The paper's first address consists of the first part and the count.
module spawn_lut #(
  parameter int unsigned Lines = 64,       // one for each micro-kernel with partial warps, 1 to 256
  parameter int unsigned Lanes = 32,       // of a warp, a power of two
  parameter int unsigned PcWidth = 16,     // bits of the address of a micro-kernel
  parameter int unsigned RegionWidth = 6,  // bits of the number of a part of the formation area
  localparam int unsigned EntryWidth = $clog2(Lanes),
  localparam int unsigned ThreadWidth = $clog2(Lanes + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
`ifdef RECONVERGE_STATE_PORTS
  // The whole state, for properties.
  output logic [Lines-1:0]             used_o,
  output logic [Lines-1:0]             has_first_o,
  output logic [Lines-1:0]             has_second_o,
  output logic [Lines*PcWidth-1:0]     pcs_o,
  output logic [Lines*RegionWidth-1:0] firsts_o,
  output logic [Lines*RegionWidth-1:0] seconds_o,
  output logic [Lines*EntryWidth-1:0]  counts_o,
  output logic [Lines-1:0]             match_o,    // lines that match pc_i
  output logic [Lines-1:0]             forced_o,   // the line of the partial warp that would leave
`endif
  // Creation of threads at a micro-kernel: a look-up, which commit_i turns into an update.
  input  logic                   commit_i,
  input  logic [PcWidth-1:0]     pc_i,
  input  logic [ThreadWidth-1:0] threads_i,       // 1 to Lanes
  output logic                   room_o,          // a line, and parts for all threads, are available
  output logic [RegionWidth-1:0] first_o,
  output logic [RegionWidth-1:0] second_o,
  output logic [EntryWidth-1:0]  count_o,         // threads in the first part, before the update
  output logic                   completes_o,     // the spawn completes the warp in the first part
  // The next two free parts, and how many of them are taken: 01 takes the first, 11 takes both.
  input  logic [1:0]             free_valid_i,
  input  logic [RegionWidth-1:0] free_first_i,
  input  logic [RegionWidth-1:0] free_second_i,
  output logic [1:0]             take_o,
  // The partial warp of the lowest micro-kernel address. force_i makes it leave, and excludes commit_i in the same cycle.
  input  logic                   force_i,
  output logic                   partial_valid_o,
  output logic [PcWidth-1:0]     partial_pc_o,
  output logic [RegionWidth-1:0] partial_region_o,
  output logic [EntryWidth-1:0]  partial_threads_o
);
  logic [Lines-1:0] used_q, has_first_q, has_second_q;
  logic [PcWidth-1:0] pc_q [Lines];
  logic [RegionWidth-1:0] first_q [Lines], second_q [Lines];
  logic [EntryWidth-1:0] count_q [Lines];

  // The line: the one that matches, or the first unused one. Lines are allocated in order.
  logic [Lines-1:0] match, line;
  logic hit, unused;
  for (genvar i = 0; i < Lines; i++) begin : gen_line
    assign match[i] = used_q[i] & pc_q[i] == pc_i;
  end
  assign hit = |match;
  assign unused = ~used_q[Lines-1];
  assign line = hit ? match : ~used_q & Lines'({used_q, 1'b1});

  // Contents of the line; zero for an unused line.
  logic needs_first, needs_second;
  logic [RegionWidth-1:0] line_first, line_second;
  always_comb begin
    line_first = '0;
    line_second = '0;
    count_o = '0;
    for (int i = 0; i < Lines; i++) begin
      line_first = line_first | (first_q[i] & {RegionWidth{match[i]}});
      line_second = line_second | (second_q[i] & {RegionWidth{match[i]}});
      count_o = count_o | (count_q[i] & {EntryWidth{match[i]}});
    end
  end
  assign needs_first = ~|(match & has_first_q);
  assign needs_second = ~|(match & has_second_q);

  // Missing addresses are filled in order, from at most two free parts.
  logic has_first, has_second, gives_second;
  logic [RegionWidth-1:0] for_second;
  assign has_first = !needs_first || free_valid_i[0];
  assign gives_second = needs_first ? free_valid_i[1] : free_valid_i[0];
  assign for_second = needs_first ? free_second_i : free_first_i;
  assign has_second = !needs_second || gives_second;
  assign first_o = needs_first ? free_first_i : line_first;
  assign second_o = needs_second ? for_second : line_second;

  logic [ThreadWidth:0] sum;
  logic overflows;
  assign sum = (ThreadWidth + 1)'(count_o) + (ThreadWidth + 1)'(threads_i);
  assign completes_o = sum >= (ThreadWidth + 1)'(Lanes);
  assign overflows = sum > (ThreadWidth + 1)'(Lanes);
  assign room_o = (hit || unused) && has_first && (has_second || !overflows);

  // A completed warp keeps its part. The second address becomes the first, and a new second is taken unless two parts already were.
  logic [1:0] provided, taken;  // bit 0: at least one, bit 1: two
  logic refilled;
  logic [RegionWidth-1:0] refill;
  always_comb begin
    provided = {needs_first && needs_second && free_valid_i[1],
                (needs_first && free_valid_i[0]) || (needs_second && gives_second)};
    refilled = completes_o && !provided[1] && (provided[0] ? free_valid_i[1] : free_valid_i[0]);
    refill = provided[0] ? free_second_i : free_first_i;
    taken = provided;
    if (refilled) taken = provided[0] ? 2'b11 : 2'b01;
    take_o = commit_i && room_o ? taken : 2'b00;
  end

  // The partial warp of the lowest address.
  logic [Lines-1:0] partial, partial_line;
  logic [Lines*PcWidth-1:0] pcs;
  logic [Lines*(RegionWidth+EntryWidth)-1:0] infos;
  for (genvar i = 0; i < Lines; i++) begin : gen_partial
    assign partial[i] = used_q[i] & count_q[i] != '0;
    assign pcs[i*PcWidth+:PcWidth] = pc_q[i];
    assign infos[i*(RegionWidth+EntryWidth)+:RegionWidth+EntryWidth] = {first_q[i], count_q[i]};
  end
  lowest_partial #(.Lines(Lines), .PcWidth(PcWidth), .InfoWidth(RegionWidth + EntryWidth)) i_partial (
    .partial_i(partial), .pc_i(pcs), .info_i(infos), .valid_o(partial_valid_o), .pc_o(partial_pc_o),
    .info_o({partial_region_o, partial_threads_o}), .line_o(partial_line)
  );

`ifdef RECONVERGE_STATE_PORTS
  assign used_o = used_q;
  assign has_first_o = has_first_q;
  assign has_second_o = has_second_q;
  assign match_o = match;
  assign forced_o = partial_line;
  assign pcs_o = pcs;
  for (genvar i = 0; i < Lines; i++) begin : gen_all
    assign firsts_o[i*RegionWidth+:RegionWidth] = first_q[i];
    assign seconds_o[i*RegionWidth+:RegionWidth] = second_q[i];
    assign counts_o[i*EntryWidth+:EntryWidth] = count_q[i];
  end
`endif

  logic [Lines-1:0] changed, forced;
  assign changed = line & {Lines{commit_i && room_o}};
  assign forced = partial_line & {Lines{force_i && !(commit_i && room_o)}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
      has_first_q <= '0;
      has_second_q <= '0;
      for (int i = 0; i < Lines; i++) count_q[i] <= '0;
    end else begin
      used_q <= used_q | changed;
      for (int i = 0; i < Lines; i++) begin
        if (changed[i]) begin
          count_q[i] <= sum[EntryWidth-1:0];
          has_first_q[i] <= completes_o ? has_second : 1'b1;
          has_second_q[i] <= completes_o ? refilled : has_second;
        end else if (forced[i]) begin
          count_q[i] <= '0;
          has_first_q[i] <= has_second_q[i];
          has_second_q[i] <= 1'b0;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Lines; i++) begin
      if (changed[i]) begin
        pc_q[i] <= pc_i;
        first_q[i] <= completes_o ? second_o : first_o;
        second_q[i] <= completes_o ? refill : second_o;
      end else if (forced[i]) begin
        first_q[i] <= second_q[i];
      end
    end
  end
endmodule
