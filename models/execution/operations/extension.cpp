// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <stdexcept>

#include "models/core/error.hpp"
#include "models/execution/operations/addressing.hpp"

// Computes the register results of extension instructions, lane by lane from the lowest.

namespace reconverge::operations {

namespace {

using kernel::ExtensionInstruction;
using kernel::Space;

/// One lane of a warp at an extension instruction.
class Lane final : public kernel::ExtensionThread {
 public:
  Lane(const Instruction& instruction, ExecutionContext& context, unsigned lane)
      : instruction_(instruction), context_(context), lane_(lane) {}

  void read(DeviceAddress address, std::span<std::byte> bytes) override {
    const auto size = static_cast<unsigned>(bytes.size());
    if (address % (size >= 16 ? 16 : 4) != 0) {
      fail_access(instruction_, context_, lane_, address, fmt::format("misaligned {}-byte access", size));
    }
    const Space space = space_of(address);
    if (space == Space::global) {
      check_global(address, size);
      read_global(context_, address, bytes);
    } else if (space == Space::local) {
      copy_local(address, bytes);
    } else {
      fail_access(instruction_, context_, lane_, address, "read of neither global nor local memory");
    }
  }

  void fetch(DeviceAddress address, std::uint32_t bytes, std::uint8_t purpose) override {
    if (context_.fetches == nullptr) return;
    const bool local = space_of(address) == Space::local;
    if (local) address = context_.local_address + first_word(address);
    context_.fetches->push_back(
        {address, static_cast<std::uint16_t>(bytes), static_cast<std::uint8_t>(lane_), purpose, local});
  }

 private:
  void check_global(DeviceAddress address, unsigned bytes) {
    if (context_.last_buffer != nullptr && context_.last_buffer->contains(address, address, bytes)) return;
    const Buffer* const buffer = context_.memory->find(address);
    if (buffer == nullptr || !buffer->contains(address, address, bytes)) {
      fail_access(instruction_, context_, lane_, address, "read outside every buffer");
    }
    context_.last_buffer = buffer;
  }

  /// Index of a word of the lane's local memory in that of the SM.
  std::uint64_t first_word(DeviceAddress address) const {
    const Reader<std::uint32_t> home(context_,
                                     Operand(Bank::special, static_cast<unsigned>(kernel::SpecialRow::local_home)));
    return home[lane_] + (address - local_window) / 4 * row_bytes;
  }

  void copy_local(DeviceAddress address, std::span<std::byte> bytes) {
    if (address - local_window + bytes.size() > context_.local_bytes) {
      fail_access(instruction_, context_, lane_, address, "access outside local memory (stack overflow?)");
    }
    const std::byte* const first = context_.local + first_word(address);
    for (std::size_t done = 0; done < bytes.size(); done += 4) {
      std::memcpy(bytes.data() + done, first + done / 4 * row_bytes, 4);
    }
  }

  const Instruction& instruction_;
  ExecutionContext& context_;
  unsigned lane_;
};

[[noreturn]] void fail(const Instruction& instruction, const ExecutionContext& context, unsigned lane,
                       const std::domain_error& error) {
  throw ExecutionError(fmt::format("{}: {} in kernel '{}' ({})", kernel::place_of(*context.program, instruction),
                                   error.what(), context.program->name, thread_name(context, lane)));
}

std::uint64_t source_of(const Instruction& instruction, const ExecutionContext& context, unsigned index,
                        unsigned lane) {
  const Operand source = instruction.source[index];
  if (source.bank() == Bank::predicate) {
    return (context.predicates[source.row()] >> lane ^ unsigned{instruction.negated_sources} >> index) & 1U;
  }
  if (instruction.wide_source(index)) return Reader<std::uint64_t>(context, source)[lane];
  return Reader<std::uint32_t>(context, source)[lane];
}

void set_destination(const Instruction& instruction, const ExecutionContext& context, unsigned index, unsigned lane,
                     std::uint64_t value) {
  const Operand destination = instruction.destination[index];
  if (!destination.present()) return;
  if (destination.bank() == Bank::predicate) {
    LaneMask& lanes = context.predicates[destination.row()];
    lanes = (lanes & ~lane_bit(lane)) | ((value & 1U) != 0 ? lane_bit(lane) : 0);
  } else if (instruction.wide_destination(index)) {
    set_value<std::uint64_t>(row(context, destination), lane, value);
  } else {
    set_value<std::uint32_t>(row(context, destination), lane, static_cast<std::uint32_t>(value));
  }
}

void compute(const Instruction& instruction, ExecutionContext& context, unsigned lane,
             const ExtensionInstruction& extension) {
  Lane thread(instruction, context, lane);
  for (unsigned i = 0; i < extension.sources.size(); ++i) {
    thread.sources[i] = source_of(instruction, context, i, lane);
  }
  extension.compute(thread);
  for (unsigned i = 0; i < extension.destinations.size(); ++i) {
    set_destination(instruction, context, i, lane, thread.destinations[i]);
  }
}

void extend(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const ExtensionInstruction& extension = context.program->extensions[instruction.extension];
  if (extension.compute == nullptr && !instruction.destination[0].present()) return;
  for_each_lane(mask, [&](unsigned lane) {
    try {
      if (extension.compute != nullptr) return compute(instruction, context, lane, extension);
      const std::uint32_t value = extension.value(Reader<std::uint32_t>(context, instruction.source[0])[lane]);
      set_value<std::uint32_t>(row(context, instruction.destination[0]), lane, value);
    } catch (const std::domain_error& error) {
      fail(instruction, context, lane, error);
    }
  });
}

}  // namespace

Operation select_extension(const Instruction& /*instruction*/) { return &extend; }

}  // namespace reconverge::operations
