// SPDX-License-Identifier: Apache-2.0
#include "tests/device/random_job.hpp"

#include "testbenches/contract/kernels.hpp"
#include "tests/device/definite.hpp"

namespace reconverge::tests {

device::Job random_job(const random_programs::Program& program) {
  const std::vector<std::uint32_t> input = contract::random_words();
  const auto words = std::as_bytes(std::span(input));
  device::Job job;
  job.ptx = made_definite(random_programs::text_of(program));
  job.entry = "kernel";
  job.grid = program.grid;
  job.block = program.block;
  job.dynamic_shared_bytes = program.dynamic_shared_bytes();
  job.buffers = {{words.begin(), words.end()},
                 std::vector<std::byte>(program.threads() * random_programs::slice_words * 4),
                 std::vector<std::byte>(contract::sum_words * 4)};
  job.arguments = {device::BufferAddress{0}, device::BufferAddress{1}, device::BufferAddress{2}};
  return job;
}

}  // namespace reconverge::tests
