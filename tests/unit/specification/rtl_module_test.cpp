// SPDX-License-Identifier: Apache-2.0
/// Reading RTL for specifications: a module written by hand, and constant expressions.

#include "platforms/specification/rtl_module.hpp"

#include <catch2/catch.hpp>

#include "models/core/error.hpp"

using namespace reconverge;
using namespace reconverge::specification;

namespace {

constexpr std::string_view counter = R"(// SPDX-License-Identifier: Apache-2.0
// Counts events,
// up to a limit.
//
// It never wraps.
module counter #(
  parameter int unsigned Limit = 12,   // largest count; 1 to 255
  parameter int unsigned Lanes = 4,    // a power of two
  localparam int unsigned Width = $clog2(Limit + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
`ifdef RECONVERGE_STATE_PORTS
  // The whole state, for properties.
  output logic [Width-1:0] state_o,
`endif
  // An event: valid only if ready.
  input  logic             event_i,
  output logic             ready_o,    // below the limit
  // The count.
  output logic [Width-1:0] count_o
);
  localparam logic [1:0] Idle = 2'd0;
  logic [Width-1:0] count_d, count_q;
  logic [1:0] seen_q [Lanes], full_q;
  lowest #(.Width(Lanes)) i_first (.set_i(full_q));
  lowest #(.Width(Lanes)) i_second (.set_i(full_q));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      for (int lane = 0; lane < Lanes; lane++) seen_q[lane] <= 2'd1;
    end else begin
      count_q <= count_d;
    end
  end
  always_ff @(posedge clk_i) full_q <= event_i;
endmodule
)";

}  // namespace

TEST_CASE("a module is read with its comments") {
  const RtlModule module = read_rtl("counter.sv", counter);
  CHECK(module.name == "counter");
  CHECK(module.text == "Counts events, up to a limit.\n\nIt never wraps.");
  REQUIRE(module.parameters.size() == 3);
  CHECK(module.parameters[0].name == "Limit");
  CHECK(module.parameters[0].comment == "largest count; 1 to 255");
  CHECK(module.parameters[2].local);
  REQUIRE(module.ports.size() == 3);
  CHECK(module.ports[0].comment.empty());
  CHECK(module.ports[0].ports.size() == 2);  // without what a macro adds
  CHECK(module.ports[1].comment == "An event: valid only if ready.");
  CHECK(module.ports[1].ports[1].comment == "below the limit");
  CHECK_FALSE(module.ports[1].ports[1].input);
  CHECK(module.ports[2].ports[0].range == "[Width-1:0]");
  REQUIRE(module.constants.size() == 1);
  CHECK(module.constants[0].value == "2'd0");
  REQUIRE(module.registers.size() == 3);
  CHECK(module.registers[0].name == "count_q");
  CHECK(module.registers[1].entries == "Lanes");
  CHECK(module.registers[0].reset == "'0");
  CHECK(module.registers[1].reset == "2'd1");
  CHECK(module.registers[2].reset.empty());
  CHECK(module.instances == std::vector<std::string>{"lowest"});
}

TEST_CASE("a module in another layout is refused with its line") {
  const std::string other = "module counter (\n  input clk\n);\n";
  CHECK_THROWS_WITH(read_rtl("counter.sv", other), Catch::Contains("counter.sv:1"));
}

TEST_CASE("widths of ports follow from the parameters") {
  const RtlModule module = read_rtl("counter.sv", counter);
  const Constants constants(module.parameters);
  CHECK(constants.width("[Width-1:0]") == 4);
  CHECK(constants.width("") == 1);
  CHECK(constants.value("Limit > 8 ? 2 * Lanes : 1") == 8);
  CHECK(constants.value("1 << $clog2(Limit)") == 16);
  CHECK(constants.value("(Limit - 2) / 5 + 1") == 3);
  CHECK(constants.value("Unknown") == std::nullopt);
  CHECK(constants.value("Limit +") == std::nullopt);
  CHECK(constants.value("Limit / 0") == std::nullopt);
  CHECK(width_text("[Lanes-1:0]") == "Lanes");
  CHECK(width_text("[1:0]") == "2");
  CHECK(width_text("[Width:0]") == "Width+1");
  CHECK(width_text("[8*Width-1:Width]") == "8*Width-Width");
}

TEST_CASE("an assertion has the comment above it, or that of its section") {
  const auto assertions = read_assertions(
      "  // --- A row stays.\n  logic x;\n  rows_stay : assert property (@(posedge clk_i) 1);\n"
      "  // Two\n  // lines.\n  two :\n  assert property (\n");
  REQUIRE(assertions.size() == 2);
  CHECK(assertions[0].name == "rows_stay");
  CHECK(assertions[0].text == "A row stays.");
  CHECK(assertions[1].name == "two");
  CHECK(assertions[1].text == "Two lines.");
}
