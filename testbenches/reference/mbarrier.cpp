// SPDX-License-Identifier: Apache-2.0
// mbarrier: the word holds its four counts as digits of one number, a different encoding from the vector execution's,
// so that the two share nothing but the operations.

#include <cstring>

#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge {

using kernel::Instruction;
using kernel::MbarrierOperation;

namespace {

constexpr std::uint64_t counts = 1U << 20U;
constexpr std::int64_t zero_bytes = counts;  // how a count of no bytes is stored

struct Phase {
  std::uint64_t waited_for = 0;
  std::uint64_t of_each = 0;
  std::int64_t bytes = 0;
  std::uint64_t parity = 0;
};

std::uint64_t written(const Phase& phase) {
  const auto bytes = static_cast<std::uint64_t>(phase.bytes + zero_bytes);
  return ((bytes * 2 + phase.parity) * counts + phase.of_each) * counts + phase.waited_for;
}

Phase read_phase(std::uint64_t word) {
  Phase phase;
  phase.waited_for = word % counts;
  phase.of_each = word / counts % counts;
  phase.parity = word / counts / counts % 2;
  phase.bytes = static_cast<std::int64_t>(word / counts / counts / 2) - zero_bytes;
  return phase;
}

}  // namespace

void ScalarInterpreter::execute_mbarrier(Thread& thread, const Instruction& instruction) {
  const auto operation = static_cast<MbarrierOperation>(instruction.variant);
  if (operation == MbarrierOperation::pending_count) {
    return write_destination(thread, instruction, 0, read_phase(source(thread, instruction, 0)).waited_for);
  }
  const Place place = locate(thread, instruction, sizeof(std::uint64_t));
  if (!place.shared) fail(thread, "an mbarrier that is not in shared memory");
  std::uint64_t word = 0;
  std::memcpy(&word, place.bytes, sizeof(word));
  const std::uint64_t argument = instruction.source[1].present() ? source(thread, instruction, 1) : 1;
  const auto store = [&](std::uint64_t bits) { std::memcpy(place.bytes, &bits, sizeof(bits)); };
  if (operation == MbarrierOperation::init) {
    if (argument == 0 || argument >= counts) fail(thread, "an mbarrier expects 1 to 2^20 - 1 arrivals");
    return store(written({argument, argument, 0, 0}));
  }
  if (word == 0) fail(thread, "an mbarrier that is not initialised");
  if (operation == MbarrierOperation::inval) return store(0);
  Phase phase = read_phase(word);
  if (operation == MbarrierOperation::test_wait || operation == MbarrierOperation::test_wait_parity) {
    const std::uint64_t asked = operation == MbarrierOperation::test_wait ? read_phase(argument).parity : argument % 2;
    return write_destination(thread, instruction, 0, asked != phase.parity ? 1 : 0);
  }
  const bool drops =
      operation == MbarrierOperation::arrive_drop || operation == MbarrierOperation::arrive_drop_expect_tx;
  const bool with_bytes =
      operation == MbarrierOperation::arrive_expect_tx || operation == MbarrierOperation::arrive_drop_expect_tx;
  const bool arrives = drops || with_bytes || operation == MbarrierOperation::arrive;
  const std::int64_t bytes = reference::signed_value(argument, 32);
  if (with_bytes || operation == MbarrierOperation::expect_tx) phase.bytes += bytes;
  if (operation == MbarrierOperation::complete_tx) phase.bytes -= bytes;
  if (arrives) {
    const std::uint64_t arrivals = with_bytes ? 1 : argument;
    if (arrivals == 0 || arrivals > phase.waited_for) fail(thread, "more arrivals than the mbarrier waits for");
    phase.waited_for -= arrivals;
    if (drops) phase.of_each -= arrivals;
    write_destination(thread, instruction, 0, word);
  }
  const bool completes = operation != MbarrierOperation::expect_tx;
  if (completes && phase.waited_for == 0 && phase.bytes == 0) {
    phase.parity = 1 - phase.parity;
    phase.waited_for = phase.of_each;
  }
  store(written(phase));
}

}  // namespace reconverge
