// SPDX-License-Identifier: Apache-2.0
#include "models/execution/operations/print_format.hpp"

#include <algorithm>
#include <bit>
#include <cstdarg>
#include <cstdio>

namespace reconverge::operations {

namespace {

constexpr std::size_t longest_text = std::size_t{1} << 20;  // of a format or string; CUDA's whole buffer has as much
constexpr std::uint32_t most_arguments = 32;
constexpr int widest = 65535;

/// Formats one conversion with the C library.
std::string c_format(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  std::string text(static_cast<std::size_t>(std::max(length, 0)) + 1, 0);
  std::vsnprintf(text.data(), text.size(), format, again);
  va_end(again);
  va_end(arguments);
  text.pop_back();
  return text;
}

class Formatter {
 public:
  Formatter(const LaneMemory& memory, DeviceAddress arguments, unsigned address_bytes)
      : memory_(memory), next_(arguments), address_bytes_(address_bytes) {}

  Printed run(const std::string& format) {
    for (std::size_t at = 0; at < format.size();) {
      const std::size_t percent = std::min(format.find('%', at), format.size());
      printed_.text.append(format, at, percent - at);
      at = percent;
      if (at != format.size()) at = convert(format, at);
    }
    return std::move(printed_);
  }

 private:
  /// A conversion from `%` on.
  struct Conversion {
    std::string flags;
    std::optional<int> width;
    std::optional<int> precision;
    unsigned bytes = 4;  // of an integer
    char type = 0;
  };

  /// Prints the conversion that begins at `begin`; returns where the text continues.
  std::size_t convert(const std::string& format, std::size_t begin) {
    const std::uint32_t arguments_before = printed_.arguments;
    const DeviceAddress next_before = next_;
    std::size_t at = begin + 1;
    Conversion conversion;
    while (at < format.size() && std::string_view("-+ #0").find(format[at]) != std::string_view::npos) {
      conversion.flags += format[at++];
    }
    conversion.width = number(format, at);
    if (conversion.width.value_or(0) < 0) {
      conversion.flags += '-';
      conversion.width = -*conversion.width;
    }
    if (at < format.size() && format[at] == '.') {
      ++at;
      conversion.precision = number(format, at).value_or(0);
      if (*conversion.precision < 0) conversion.precision.reset();
    }
    conversion.bytes = size(format, at);
    conversion.type = at < format.size() ? format[at] : '\0';
    if (conversion.type == '%') {
      printed_.text += '%';
      return at + 1;
    }
    const bool known = std::string_view("diouxXcspaAeEfFgG").find(conversion.type) != std::string_view::npos;
    if (!known || conversion.type == 0 || printed_.arguments >= most_arguments) {
      printed_.arguments = arguments_before;
      next_ = next_before;
      printed_.text += '%';
      return begin + 1;
    }
    print(conversion);
    return at + 1;
  }

  /// A width or precision: digits, or `*` for an argument.
  std::optional<int> number(const std::string& format, std::size_t& at) {
    if (at < format.size() && format[at] == '*' && printed_.arguments < most_arguments) {
      ++at;
      return std::clamp(static_cast<int>(argument(4)), -widest, widest);
    }
    std::optional<int> value;
    for (; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at) {
      value = std::min(widest, 10 * value.value_or(0) + (format[at] - '0'));
    }
    return value;
  }

  unsigned size(const std::string& format, std::size_t& at) const {
    const auto take = [&](std::string_view letters) {
      const bool here = format.compare(at, letters.size(), letters) == 0;
      if (here) at += letters.size();
      return here;
    };
    if (take("hh")) return 1;
    if (take("h")) return 2;
    if (take("ll") || take("j")) return 8;
    if (take("l") || take("z") || take("t")) return address_bytes_;
    return 4;
  }

  std::uint64_t argument(unsigned bytes) {
    next_ = (next_ + bytes - 1) / bytes * bytes;
    const std::uint64_t value = memory_.value(next_, bytes);
    next_ += bytes;
    ++printed_.arguments;
    return value;
  }

  void print(const Conversion& conversion) {
    switch (conversion.type) {
      case 'c':
        return add(conversion, "", static_cast<int>(argument(4)));
      case 's':
        return print_string(conversion);
      case 'p': {
        // Not in the host's format: the output must be the same on every host.
        const std::uint64_t address = argument(address_bytes_);
        return add({conversion.flags, conversion.width, {}, 0, 's'}, "",
                   address == 0 ? "(nil)" : c_format("%#llx", static_cast<unsigned long long>(address)).c_str());
      }
      case 'd':
      case 'i': {
        const std::uint64_t bits = argument(std::max(4U, conversion.bytes));
        const unsigned unused = 64 - 8 * conversion.bytes;
        return add(conversion, "ll", static_cast<long long>(bits << unused) >> unused);
      }
      case 'o':
      case 'u':
      case 'x':
      case 'X': {
        const std::uint64_t bits = argument(std::max(4U, conversion.bytes));
        const unsigned unused = 64 - 8 * conversion.bytes;
        return add(conversion, "ll", static_cast<unsigned long long>(bits << unused >> unused));
      }
      default:
        return add(conversion, "", std::bit_cast<double>(argument(8)));
    }
  }

  void print_string(const Conversion& conversion) {
    const DeviceAddress address = argument(address_bytes_);
    const std::size_t limit = conversion.precision ? static_cast<std::size_t>(*conversion.precision) : longest_text;
    const std::string text = address == 0 ? "(null)" : memory_.text(address, limit);
    add(conversion, "", text.c_str());
  }

  template <typename T>
  void add(const Conversion& conversion, std::string_view size, T value) {
    std::string format = "%" + conversion.flags;
    if (conversion.width) format += std::to_string(*conversion.width);
    if (conversion.precision) format += '.' + std::to_string(*conversion.precision);
    format += size;
    format += conversion.type;
    printed_.text += c_format(format.c_str(), value);
  }

  const LaneMemory& memory_;
  DeviceAddress next_;
  unsigned address_bytes_;
  Printed printed_;
};

}  // namespace

Printed format_text(const LaneMemory& memory, DeviceAddress format, DeviceAddress arguments, unsigned address_bytes) {
  return Formatter(memory, arguments, address_bytes).run(memory.text(format, longest_text));
}

}  // namespace reconverge::operations
