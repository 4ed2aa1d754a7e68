// SPDX-License-Identifier: Apache-2.0
// add sub mul fma div rcp sqrt in every format, with every rounding mode of the format.

#include <catch2/catch.hpp>
#include <set>

#include "tests/unit/operations/oracle.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

struct Shape {
  DataType type;
  Rounding rounding;
  bool divides;
};

std::vector<Shape> shapes() {
  std::vector<Shape> all = {{DataType::f16, Rounding::rn, false}, {DataType::bf16, Rounding::rn, false}};
  for (const Rounding rounding : {Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp}) {
    all.push_back({DataType::f32, rounding, true});
    all.push_back({DataType::f64, rounding, true});
  }
  return all;
}

/// The number of results that differ from those of MPFR. Reports the first difference.
unsigned differences(Opcode opcode, const Shape& shape, unsigned warps, std::set<std::uint64_t>& results) {
  Operands operands(shape.type, static_cast<std::uint32_t>(opcode));
  const kernel::Instruction instruction = instruction_of(opcode, shape.type, shape.rounding);
  unsigned wrong = 0;
  for (unsigned warp = 0; warp < warps; ++warp) {
    std::array<Values, 3> sources{};
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      sources[0][lane] = operands.next();
      sources[1][lane] = operands.next(sources[0][lane]);
      sources[2][lane] = operands.next(bits_of(0, shape.type));
      if (opcode == Opcode::fma && lane % 2 == 0) {  // an addend close to the product
        sources[2][lane] =
            operands.next(expected(Opcode::mul, shape.type, Rounding::rn, {sources[0][lane], sources[1][lane], 0}));
      }
    }
    const Values found = run(instruction, sources);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const std::array<std::uint64_t, 3> at = {sources[0][lane], sources[1][lane], sources[2][lane]};
      const std::uint64_t wanted = expected(opcode, shape.type, shape.rounding, at);
      results.insert(wanted);
      if (found[lane] != wanted && wrong++ == 0) {
        UNSCOPED_INFO(std::hex << at[0] << ' ' << at[1] << ' ' << at[2] << ": " << found[lane] << ", MPFR " << wanted);
      }
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("arithmetic rounds like MPFR") {
  for (const Shape& shape : shapes()) {
    for (const Opcode opcode :
         {Opcode::add, Opcode::sub, Opcode::mul, Opcode::fma, Opcode::div, Opcode::rcp, Opcode::sqrt}) {
      const bool divides = opcode == Opcode::div || opcode == Opcode::rcp || opcode == Opcode::sqrt;
      if (divides && !shape.divides) continue;
      INFO(kernel::name_of(opcode) << '.' << kernel::name_of(shape.rounding) << '.' << kernel::name_of(shape.type));
      std::set<std::uint64_t> results;
      CHECK(differences(opcode, shape, 1000, results) == 0);
      CHECK(results.size() > 500);  // not only NaN, zero and infinity
    }
  }
}
