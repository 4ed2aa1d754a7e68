// The spawn look-up table (DMK section IV-C, Fig. 5): for each micro-kernel the part of the formation area in which its
// new threads make a warp, the part where the next one begins, and how many threads there are. Fully associative on the
// micro-kernel's address. The first address of the paper is the first part and the count.
module spawn_lut #(
  parameter int unsigned Lines = 64,
  parameter int unsigned Lanes = 32,
  parameter int unsigned PcWidth = 16,
  parameter int unsigned RegionWidth = 6,
  localparam int unsigned EntryWidth = $clog2(Lanes),
  localparam int unsigned ThreadWidth = $clog2(Lanes + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // Threads are created at a micro-kernel: asked, and with commit_i done.
  input  logic                   commit_i,
  input  logic [PcWidth-1:0]     pc_i,
  input  logic [ThreadWidth-1:0] threads_i,       // 1 to Lanes
  output logic                   room_o,          // there is a line, and parts for all of the threads
  output logic [RegionWidth-1:0] first_o,
  output logic [RegionWidth-1:0] second_o,
  output logic [EntryWidth-1:0]  count_o,         // threads of the first, before
  output logic                   completes_o,     // the warp of the first part
  // The next parts that are free, and how many of them are taken: bit 0 the first, both bits both.
  input  logic [1:0]             free_valid_i,
  input  logic [RegionWidth-1:0] free_first_i,
  input  logic [RegionWidth-1:0] free_second_i,
  output logic [1:0]             take_o,
  // The partial warp of the lowest micro-kernel address, and that it leaves: not in a cycle with commit_i.
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

  // The line: the one with the address, or the first that nobody uses.
  localparam int unsigned LineWidth = Lines > 1 ? $clog2(Lines) : 1;
  logic hit, unused;
  logic [LineWidth-1:0] hit_line, unused_line, line;
  always_comb begin
    hit = 1'b0;
    hit_line = '0;
    unused = 1'b0;
    unused_line = '0;
    for (int i = Lines - 1; i >= 0; i--) begin
      if (used_q[i] && pc_q[i] == pc_i) begin
        hit = 1'b1;
        hit_line = LineWidth'(i);
      end
      if (!used_q[i]) begin
        unused = 1'b1;
        unused_line = LineWidth'(i);
      end
    end
  end
  assign line = hit ? hit_line : unused_line;

  // Addresses that are missing are provided in turn, from two parts at most.
  logic needs_first, needs_second, has_first, has_second, gives_second;
  logic [RegionWidth-1:0] for_second;
  assign needs_first = !has_first_q[line];
  assign needs_second = !has_second_q[line];
  assign has_first = !needs_first || free_valid_i[0];
  assign gives_second = needs_first ? free_valid_i[1] : free_valid_i[0];
  assign for_second = needs_first ? free_second_i : free_first_i;
  assign has_second = !needs_second || gives_second;
  assign first_o = needs_first ? free_first_i : first_q[line];
  assign second_o = needs_second ? for_second : second_q[line];
  assign count_o = count_q[line];

  logic [ThreadWidth:0] sum;
  logic overflows;
  assign sum = (ThreadWidth + 1)'(count_o) + (ThreadWidth + 1)'(threads_i);
  assign completes_o = sum >= (ThreadWidth + 1)'(Lanes);
  assign overflows = sum > (ThreadWidth + 1)'(Lanes);
  assign room_o = (hit || unused) && has_first && (has_second || !overflows);

  // A completed warp leaves its part; the second address moves up, and gets another if fewer than two were taken.
  logic [1:0] provided, taken;  // bit 0: one, bit 1: two
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

  // The lowest address among partial warps.
  logic [LineWidth-1:0] partial_line;
  always_comb begin
    partial_valid_o = 1'b0;
    partial_line = '0;
    for (int i = 0; i < Lines; i++) begin
      if (used_q[i] && count_q[i] != '0 && (!partial_valid_o || pc_q[i] < pc_q[partial_line])) begin
        partial_valid_o = 1'b1;
        partial_line = LineWidth'(i);
      end
    end
  end
  assign partial_pc_o = pc_q[partial_line];
  assign partial_region_o = first_q[partial_line];
  assign partial_threads_o = count_q[partial_line];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
      has_first_q <= '0;
      has_second_q <= '0;
      for (int i = 0; i < Lines; i++) count_q[i] <= '0;
    end else if (commit_i && room_o) begin
      used_q[line] <= 1'b1;
      count_q[line] <= sum[EntryWidth-1:0];
      has_first_q[line] <= completes_o ? has_second : 1'b1;
      has_second_q[line] <= completes_o ? refilled : has_second;
    end else if (force_i && partial_valid_o) begin
      count_q[partial_line] <= '0;
      has_first_q[partial_line] <= has_second_q[partial_line];
      has_second_q[partial_line] <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (commit_i && room_o) begin
      pc_q[line] <= pc_i;
      first_q[line] <= completes_o ? second_o : first_o;
      second_q[line] <= completes_o ? refill : second_o;
    end else if (force_i && partial_valid_o) begin
      first_q[partial_line] <= second_q[partial_line];
    end
  end
endmodule
