// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/inspect/inspect.hpp"

#include <catch2/catch.hpp>
#include <cctype>
#include <sstream>
#include <string>

#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using tests::load;

namespace {

const std::string branchy =
    "ld.param.u64 %rd1, [pa];\nmov.u32 %r1, %tid.x;\nsetp.lt.s32 %p1, %r1, 4;\n@!%p1 bra \tEND;\n"
    "st.global.u32 [%rd1+8], %r1;\nEND:\nret;";

}  // namespace

TEST_CASE("a listing shows pc, operand rows, PTX, branch targets and reconvergence points") {
  CHECK(listing(load(branchy)) ==
        "k: 3 registers in 3 rows, 1 predicates, 24 B parameters, 0 B shared, 0 B local\n"
        "B0: to B2 B1, meets at B2 END\n"
        "     0  ld.param.u64 r[0:1] +0                        ld.param.u64 %rd1, [pa]\n"
        "     1  mov.u32 r2 <- %tid.x                          mov.u32 %r1, %tid.x\n"
        "     2  setp.s32 p0 <- r2 c0                          setp.lt.s32 %p1, %r1, 4\n"
        "     3  @!p0 bra -> 5 meet 5                          @!%p1 bra END\n"
        "B1: to B2, meets at B2 END\n"
        "     4  st.u32 <- r[0:1] r2 +8                        st.global.u32 [%rd1+8], %r1\n"
        "B2 END: to exit, meets at exit\n"
        "     5  exit                                          ret\n"
        "c0 = 0x4\n");
}

TEST_CASE("constants that are addresses show their variable") {
  const std::string text = listing(load("mov.u64 %rd1, g+8;\nmov.u64 %rd2, 5;", ".global .u32 g[4];"));
  CHECK(text.find("c[0:1] = g+8\n") != std::string::npos);
  CHECK(text.find("c[2:3] = 0x5\n") != std::string::npos);
}

TEST_CASE("the control-flow graph is shown as text and for Graphviz") {
  const Program program = load(branchy);
  CHECK(flow_text(program) ==
        "B0: pc 0-3, from entry, to B2 B1, meets at B2 END\n"
        "B1: pc 4-4, from B0, to B2, meets at B2 END\n"
        "B2 END: pc 5-5, from B0 B1, to exit, meets at exit\n");
  const std::string dot = flow_dot(program);
  for (const char* line : {"digraph \"k\" {\n", "  B0 -> B2;\n", "  B0 -> B1;\n", "  B1 -> B2;\n", "  B2 -> exit;\n",
                           "  B0 -> B2 [style=dashed, constraint=false];\n", "B2 END\\l5 ret\\l\"];\n"}) {
    INFO(line);
    CHECK(dot.find(line) != std::string::npos);
  }
  CHECK(dot.ends_with("}\n"));
  const std::string braces = flow_dot(load("mov.b64 %rd1, {%r1, %r2};"));
  CHECK(braces.find("\\{%r1, %r2\\}") != std::string::npos);
}

TEST_CASE("names have the spelling of PTX") {
  CHECK(name_of(Opcode::and_) == "and");
  CHECK(name_of(Opcode::extension) == "extension");
  CHECK(name_of(Opcode::bfind) == "bfind");
  CHECK(name_of(Opcode::redux) == "redux");
  CHECK(name_of(DataType::f16x2) == "f16x2");
  CHECK(name_of(DataType::f64) == "f64");
  CHECK(name_of(OperationClass::extension) == "extension");
  CHECK(name_of(Space::constant) == "const");
  CHECK(name_of(Rounding::rpi) == "rpi");
  CHECK(name_of(Comparison::nan) == "nan");
  CHECK(name_of(Boolean::xor_) == "xor");
  CHECK(name_of(Half::wide) == "wide");
  CHECK(name_of(AtomicOperation::cas) == "cas");
  CHECK(name_of(DynamicRegister::total_smem_size) == "%total_smem_size");
  CHECK(name_of(SpecialRow::tid_x) == "%tid.x");
  CHECK(name_of(SpecialRow::gridid) == "%gridid");
  CHECK(name_of(SpecialRow::local_home) == "%local_home");
  CHECK(name_of(static_cast<DataType>(200)) == "?");
}
