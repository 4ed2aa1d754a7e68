// SPDX-License-Identifier: Apache-2.0
// Services of the host for a thread: printf, assert, malloc, free.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <regex>

#include "models/execution/narrow_address.hpp"
#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge {

using kernel::HostFunction;
using kernel::Instruction;

namespace {

constexpr std::size_t whole_text = std::size_t{1} << 20;
constexpr std::uint64_t most_arguments = 32;

// One value formatted by the C library; `length` is that of the type of `value`.
template <typename T>
std::string rendered(const std::string& flags, int width, int precision, const std::string& type, T value) {
  // A negative precision means no precision, and a width of zero no width.
  const std::string format = "%" + flags + "*.*" + type;
  std::vector<char> text(whole_text * 2);
  const int length = std::snprintf(text.data(), text.size(), format.c_str(), width, precision, value);
  return {text.data(), static_cast<std::size_t>(std::max(0, length))};
}

/// The device address of a pointer that the kernel passes.
std::uint64_t address_of(std::uint64_t pointer, bool wide) {
  return wide ? pointer : widened(static_cast<std::uint32_t>(pointer), kernel::Space::generic);
}

}  // namespace

std::uint64_t ScalarInterpreter::value_at(const Thread& thread, std::uint64_t address, unsigned bytes) const {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    const std::uint64_t at = address + i;
    const std::uint64_t low = at % window_bytes;
    const std::byte* from = nullptr;
    switch (at - low) {
      case shared_window:
        if (low < shared_.size()) from = &shared_[low];
        break;
      case local_window:
        if (low < thread.local.size()) from = &thread.local[low];
        break;
      case param_window:
        if (low < launch_->parameters.size()) from = &launch_->parameters[low];
        break;
      default:
        if (memory_.find(at) != nullptr) from = memory_.host() + at;
        break;
    }
    if (from == nullptr) fail(thread, fmt::format("address {:#x} is in no buffer", at));
    value |= std::to_integer<std::uint64_t>(*from) << 8 * i;
  }
  return value;
}

std::string ScalarInterpreter::text_at(const Thread& thread, std::uint64_t address, std::size_t limit) const {
  std::string text;
  for (; text.size() < limit; ++address) {
    const auto next = static_cast<char>(value_at(thread, address, 1));
    if (next == 0) break;
    text.push_back(next);
  }
  return text;
}

std::pair<std::string, std::uint64_t> ScalarInterpreter::formatted(const Thread& thread, std::uint64_t format,
                                                                   std::uint64_t arguments,
                                                                   unsigned address_bytes) const {
  static const std::regex conversion(
      R"(%([-+ #0]*)(\*|[0-9]*)(\.(\*|[0-9]*))?(hh|h|ll|l|j|z|t)?([diouxXcspaAeEfFgG%]))");
  std::string result;
  std::uint64_t taken = 0;
  const auto take = [&](unsigned bytes) {
    arguments += (bytes - arguments % bytes) % bytes;
    const std::uint64_t value = value_at(thread, arguments, bytes);
    arguments += bytes;
    ++taken;
    return value;
  };
  const auto count = [&](const std::string& written) {
    if (written == "*")
      return static_cast<int>(std::clamp<std::int64_t>(reference::signed_value(take(4), 32), -65535, 65535));
    return static_cast<int>(std::min(65535.0, std::atof(written.c_str())));
  };
  std::string rest = text_at(thread, format, whole_text);
  for (std::smatch match; std::regex_search(rest, match, conversion); rest = match.suffix()) {
    result += match.prefix();
    const char type = match.str(6)[0];
    const auto stars = static_cast<std::uint64_t>(std::count(match[0].first, match[0].second, '*'));
    if (type == '%') {
      taken += stars;
      result += '%';
      continue;
    }
    if (taken + stars >= most_arguments) {
      result += match.str(0);
      continue;
    }
    const int width = count(match.str(2));
    const int precision = match[3].matched ? count(match.str(4)) : -1;
    const std::string flags = match.str(1);
    const std::string size = match.str(5);
    const unsigned width_of_integer = size == "hh" ? 8 : size == "h" ? 16 : size.empty() ? 32 : 64;
    const auto integer = [&] { return take(width_of_integer == 64 ? 8 : 4); };
    const std::string letter(1, type);
    switch (type) {
      case 'c':
        result += rendered(flags, width, precision, "c", static_cast<int>(take(4)));
        break;
      case 's': {
        const std::uint64_t address = take(address_bytes);
        const std::size_t limit = precision < 0 ? whole_text : static_cast<std::size_t>(precision);
        const std::string text =
            address == 0 ? "(null)" : text_at(thread, address_of(address, address_bytes == 8), limit);
        result += rendered(flags, width, precision, "s", text.c_str());
        break;
      }
      case 'p': {
        const std::uint64_t address = take(address_bytes);
        result += rendered(flags, width, -1, "s", (address == 0 ? "(nil)" : fmt::format("{:#x}", address)).c_str());
        break;
      }
      case 'd':
      case 'i':
        result += rendered(flags, width, precision, "lld",
                           static_cast<long long>(reference::signed_value(integer(), width_of_integer)));
        break;
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        result += rendered(flags, width, precision, "ll" + letter,
                           static_cast<unsigned long long>(reference::low_bits(integer(), width_of_integer)));
        break;
      default:
        result += rendered(flags, width, precision, letter, reference::float_of<double>(take(8)));
        break;
    }
  }
  return {result + rest, taken};
}

std::uint64_t ScalarInterpreter::allocated(std::uint64_t bytes, bool wide) {
  const DeviceAddress address = memory_.heap().allocate(bytes);
  if (wide || address == 0) return address;
  const std::optional<std::uint32_t> narrow = narrowed(address, bytes);
  if (!narrow) memory_.heap().release(address);
  return narrow.value_or(0);
}

void ScalarInterpreter::execute_host(Thread& thread, const Instruction& instruction) {
  const std::uint64_t first = source(thread, instruction, 0);
  const std::uint64_t second = source(thread, instruction, 1);
  const bool wide = instruction.wide_source(0);
  const auto text = [&](std::uint64_t pointer) { return text_at(thread, address_of(pointer, wide), whole_text); };
  switch (static_cast<HostFunction>(instruction.variant)) {
    case HostFunction::print: {
      if (first == 0) return write_destination(thread, instruction, 0, ~std::uint64_t{0});
      const auto [printed, arguments] =
          formatted(thread, address_of(first, wide), address_of(second, wide), wide ? 8 : 4);
      if (launch_->print) launch_->print(printed);
      return write_destination(thread, instruction, 0, arguments);
    }
    case HostFunction::assert_fail:
      fail(thread, fmt::format("assertion '{}' failed ({}:{}, in '{}')", text(first), text(second),
                               source(thread, instruction, 2), text(source(thread, instruction, 3))));
    case HostFunction::allocate:
      return write_destination(thread, instruction, 0, allocated(first, instruction.wide_destination(0)));
    case HostFunction::release: {
      const std::uint64_t address = address_of(first, wide);
      if (address != 0 && !memory_.heap().release(address))
        fail(thread, fmt::format("free of {:#x}, no part of the heap", address));
      return;
    }
  }
}

}  // namespace reconverge
