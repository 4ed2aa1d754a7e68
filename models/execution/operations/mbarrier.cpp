// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "models/execution/operations/addressing.hpp"

// mbarrier: a word of 64 bits in shared memory that counts arrivals, and pending bytes. Executed lane by lane, lowest
// first. PTX leaves its bits open; here, from the bottom: arrivals that the phase still waits for (20), those of every
// phase (20), pending bytes (22, signed), a mark of initialised barriers, the parity of the phase.

namespace reconverge::operations {

namespace {

using kernel::MbarrierOperation;
using kernel::Space;

constexpr unsigned count_bits = 20;
constexpr std::uint64_t count_mask = (std::uint64_t{1} << count_bits) - 1;
constexpr std::int64_t most_bytes = static_cast<std::int64_t>(count_mask);

struct Barrier {
  std::uint64_t pending = 0;
  std::uint64_t expected = 0;
  std::int64_t bytes = 0;
  bool initialised = false;
  bool parity = false;
};

constexpr unsigned bytes_at = 2 * count_bits;
constexpr unsigned initialised_at = 62;
constexpr unsigned parity_at = 63;

constexpr Barrier unpack(std::uint64_t bits) {
  Barrier barrier;
  barrier.pending = bits & count_mask;
  barrier.expected = bits >> count_bits & count_mask;
  barrier.bytes = static_cast<std::int64_t>(bits << (64 - initialised_at)) >> (bytes_at + 64 - initialised_at);
  barrier.initialised = (bits >> initialised_at & 1U) != 0;
  barrier.parity = bits >> parity_at != 0;
  return barrier;
}

constexpr std::uint64_t pack(const Barrier& barrier) {
  constexpr std::uint64_t bytes_mask = (std::uint64_t{1} << (initialised_at - bytes_at)) - 1;
  return barrier.pending | barrier.expected << count_bits |
         (static_cast<std::uint64_t>(barrier.bytes) & bytes_mask) << bytes_at |
         std::uint64_t{barrier.initialised} << initialised_at | std::uint64_t{barrier.parity} << parity_at;
}

/// One lane's operation. `fault`: the error of the program, if any.
struct Step {
  Barrier barrier;
  const char* fault = nullptr;

  void arrive(std::uint64_t count) {
    if (count == 0 || count > barrier.pending) {
      fault = "more arrivals than the mbarrier waits for";
      return;
    }
    barrier.pending -= count;
    end_phase();
  }
  void drop(std::uint64_t count) {
    if (count > barrier.expected) fault = "more arrivals dropped than the mbarrier expects";
    barrier.expected -= count;
  }
  void expect_bytes(std::int64_t count) {
    barrier.bytes += count;
    if (barrier.bytes > most_bytes || barrier.bytes < -most_bytes) fault = "an mbarrier counts up to 2^20 - 1 bytes";
  }
  void end_phase() {
    if (barrier.pending != 0 || barrier.bytes != 0) return;
    barrier.pending = barrier.expected;
    barrier.parity = !barrier.parity;
  }
};

constexpr bool gives_state(MbarrierOperation operation) {
  return operation >= MbarrierOperation::arrive && operation <= MbarrierOperation::arrive_drop_expect_tx;
}

/// Applies the operation to a barrier; `argument` is the count, or the bytes.
void apply(MbarrierOperation operation, std::uint32_t argument, Step& step) {
  const auto bytes = static_cast<std::int32_t>(argument);
  switch (operation) {
    case MbarrierOperation::init:
      step.barrier = {argument, argument, 0, true, false};
      if (argument == 0 || argument > count_mask) step.fault = "an mbarrier expects 1 to 2^20 - 1 arrivals";
      return;
    case MbarrierOperation::inval:
      step.barrier = {};
      return;
    case MbarrierOperation::arrive_drop:
      step.drop(argument);
      [[fallthrough]];
    case MbarrierOperation::arrive:
      return step.arrive(argument);
    case MbarrierOperation::arrive_drop_expect_tx:
      step.drop(1);
      [[fallthrough]];
    case MbarrierOperation::arrive_expect_tx:
      step.expect_bytes(bytes);
      return step.arrive(1);
    case MbarrierOperation::expect_tx:
      return step.expect_bytes(bytes);
    case MbarrierOperation::complete_tx:
      step.expect_bytes(-std::int64_t{bytes});
      return step.end_phase();
    default:
      return;
  }
}

void on_barriers(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const auto operation = static_cast<MbarrierOperation>(instruction.variant);
  const bool waits = operation == MbarrierOperation::test_wait || operation == MbarrierOperation::test_wait_parity;
  const LaneMask lanes = resolve_addresses(instruction, context, mask, sizeof(std::uint64_t), !waits);
  if (lanes != mask || context.access.space != Space::shared) {
    const unsigned lane = first_lane(lanes != mask ? mask & ~lanes : mask);
    fail_access(instruction, context, lane, context.access.address[lane], "an mbarrier that is not in shared memory");
  }
  const Operand argument = instruction.source[1];
  alignas(64) std::array<std::uint64_t, warp_size> states{};
  LaneMask passed = 0;
  for_each_lane(mask, [&](unsigned lane) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, place(context, lane), sizeof(bits));
    const auto fail = [&](const char* what) {
      fail_access(instruction, context, lane, context.access.address[lane], what);
    };
    Step step{unpack(bits)};
    if (operation != MbarrierOperation::init && !step.barrier.initialised) fail("an mbarrier that is not initialised");
    states[lane] = bits;
    if (waits) {
      const bool by_parity = operation == MbarrierOperation::test_wait_parity;
      const bool asked = by_parity ? (Reader<std::uint32_t>(context, argument)[lane] & 1U) != 0
                                   : unpack(Reader<std::uint64_t>(context, argument)[lane]).parity;
      if (asked != step.barrier.parity) passed |= lane_bit(lane);
      return;
    }
    apply(operation, argument.present() ? Reader<std::uint32_t>(context, argument)[lane] : 1, step);
    if (step.fault != nullptr) fail(step.fault);
    bits = pack(step.barrier);
    std::memcpy(place(context, lane), &bits, sizeof(bits));
    context.changed_memory = true;
  });
  if (waits) write_predicate(context, instruction.destination[0], passed, mask);
  if (gives_state(operation) && instruction.destination[0].present()) {
    write_lanes<std::uint64_t>(context, instruction.destination[0], states.data(), mask);
  }
}

/// Arrivals that a state's phase still waited for.
struct PendingCount {
  std::uint32_t operator()(std::uint64_t state) const { return static_cast<std::uint32_t>(unpack(state).pending); }
};

}  // namespace

Operation select_mbarrier(const Instruction& instruction) {
  if (static_cast<MbarrierOperation>(instruction.variant) == MbarrierOperation::pending_count) {
    return &lanewise<PendingCount, std::uint32_t, std::uint64_t>;
  }
  return &on_barriers;
}

}  // namespace reconverge::operations
