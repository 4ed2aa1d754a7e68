// SPDX-License-Identifier: Apache-2.0
// The performance directives of a kernel constrain every launch.

#include "models/execution/launch.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"

namespace reconverge {
namespace {

kernel::Program program_with(const std::string& directives) {
  return kernel::load_program_text(
      ".version 7.0\n.target sm_75\n.address_size 64\n.entry k()\n" + directives + "\n{ ret; }", "t.ptx", "k");
}

}  // namespace

TEST_CASE(".reqntid is the extent of every block") {
  const kernel::Program program = program_with(".reqntid 16, 4");
  CHECK(make_launch(program, {3}, {16, 4, 1}, {}).threads_per_block() == 64);
  CHECK_THROWS_WITH(make_launch(program, {3}, {64, 1, 1}, {}),
                    "t.ptx:5: kernel 'k' requires blocks of 16 x 4 x 1 threads (.reqntid), 64 x 1 x 1 given");
  CHECK_THROWS_AS(make_launch(program, {3}, {16, 4, 2}, {}), InputError);
}

TEST_CASE(".maxntid bounds the threads of a block, not each extent") {
  const kernel::Program program = program_with(".maxntid 16, 4");
  CHECK(make_launch(program, {3}, {1, 1, 64}, {}).threads_per_block() == 64);
  CHECK(make_launch(program, {3}, {32}, {}).threads_per_block() == 32);
  CHECK_THROWS_WITH(
      make_launch(program, {3}, {65}, {}),
      "t.ptx:5: kernel 'k' allows blocks of at most 16 x 4 x 1 threads in all (.maxntid), 65 x 1 x 1 given");
}

}  // namespace reconverge
