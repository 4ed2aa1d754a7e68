// SPDX-License-Identifier: Apache-2.0
#include "models/execution/module_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "models/core/error.hpp"
#include "models/core/suggestion.hpp"
#include "models/execution/narrow_address.hpp"

namespace reconverge {

namespace {

using kernel::GlobalVariable;

bool may_take_memory(const kernel::Program& program) {
  return std::any_of(program.instructions.begin(), program.instructions.end(), [](const kernel::Instruction& one) {
    const auto function = static_cast<kernel::HostFunction>(one.variant);
    return one.opcode == kernel::Opcode::host &&
           (function == kernel::HostFunction::allocate || function == kernel::HostFunction::release);
  });
}

/// The 32-bit address of the variable, which is at `address`.
std::uint32_t narrow_address_of(const kernel::Program& program, const GlobalVariable& variable, DeviceAddress address) {
  if (const auto narrow = narrowed(address, variable.bytes)) return *narrow;
  throw InputError(
      {program.file, 0, 0},
      fmt::format("'{}' lies beyond the first 1792 MiB of memory, which addresses of 32 bits reach", variable.name),
      "use smaller buffers, or compile for 64-bit addresses");
}

DeviceAddress place(const kernel::Program& program, const GlobalVariable& variable, DeviceMemory& memory);

/// Gives the variable, which is at `address`, its initial value.
void initialise(const kernel::Program& program, const GlobalVariable& variable, DeviceAddress address,
                DeviceMemory& memory) {
  const std::span<std::byte> bytes = memory.view(address);
  std::ranges::copy(std::as_bytes(std::span(variable.initial)), bytes.begin());
  for (const kernel::InitialAddress& initial : variable.addresses) {
    const bool is_global = initial.global != kernel::InitialAddress::no_global;
    std::uint64_t value = initial.addend;
    if (is_global) {
      const GlobalVariable& target = program.globals[initial.global];
      const DeviceAddress there = place(program, target, memory);
      value += initial.narrow ? narrow_address_of(program, target, there) : there;
    }
    value >>= initial.shift;
    std::memcpy(bytes.data() + initial.offset, &value, initial.bytes);
  }
}

/// Places the variable, if it is not placed yet, and the variables that its initial value points to.
DeviceAddress place(const kernel::Program& program, const GlobalVariable& variable, DeviceMemory& memory) {
  const std::string name = buffer_name(program, variable);
  if (const Buffer* known = memory.find(name)) return known->address;
  if (variable.texture) {
    throw InputError({program.file, 0, 0}, fmt::format("texture reference '{}' is not bound", variable.name),
                     "bind it to a buffer before the launch");
  }
  const DeviceAddress address = memory.allocate(name, variable.bytes);
  initialise(program, variable, address, memory);
  return address;
}

}  // namespace

std::string buffer_name(const kernel::Program& program, const GlobalVariable& variable) {
  return program.file + ": " + variable.name;
}

std::vector<DeviceAddress> place_variables(const kernel::Program& program, DeviceMemory& memory) {
  if (may_take_memory(program)) memory.heap();
  std::vector<DeviceAddress> addresses;
  for (const GlobalVariable& variable : program.globals) addresses.push_back(place(program, variable, memory));
  return addresses;
}

std::uint64_t address_bits(const kernel::Program& program, const kernel::AddressConstant& constant,
                           const std::vector<DeviceAddress>& addresses) {
  const auto addend = static_cast<DeviceAddress>(constant.addend);
  const DeviceAddress address = addresses[constant.global];
  if (program.constants[constant.constant].wide) return address + addend;
  return narrow_address_of(program, program.globals[constant.global], address) + addend;
}

const GlobalVariable& find_variable(const kernel::Program& program, std::string_view name) {
  std::vector<std::string_view> names;
  for (const GlobalVariable& variable : program.globals) {
    if (variable.name == name) return variable;
    names.push_back(variable.name);
  }
  throw InputError({program.file, 0, 0}, fmt::format("no variable '{}' in global or constant memory", name),
                   names.empty() ? "the module has none" : suggest(name, names));
}

DeviceAddress place_variable(const kernel::Program& program, std::string_view name, DeviceMemory& memory) {
  return place(program, find_variable(program, name), memory);
}

DeviceAddress place_managed_variable(const kernel::Program& program, std::string_view name, DeviceMemory& memory,
                                     std::byte* host) {
  const GlobalVariable& variable = find_variable(program, name);
  const std::string buffer = buffer_name(program, variable);
  if (const Buffer* known = memory.find(buffer)) return known->address;
  if (host != nullptr) std::fill_n(host, variable.bytes, std::byte{});
  const DeviceAddress address =
      host == nullptr ? memory.allocate_shared(buffer, variable.bytes) : memory.share(buffer, {host, variable.bytes});
  initialise(program, variable, address, memory);
  return address;
}

}  // namespace reconverge
