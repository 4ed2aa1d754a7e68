#include "models/execution/module_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "models/core/error.hpp"
#include "models/core/suggestion.hpp"

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

/// Puts the variable there, if it is not yet, and what its initial value points to.
DeviceAddress place(const kernel::Program& program, const GlobalVariable& variable, DeviceMemory& memory) {
  const std::string name = buffer_name(program, variable);
  if (const Buffer* known = memory.find(name)) return known->address;
  if (variable.texture) {
    throw InputError({program.file, 0, 0}, fmt::format("texture reference '{}' is not bound", variable.name),
                     "bind it to a buffer before the launch");
  }
  const DeviceAddress address = variable.initial.empty()
                                    ? memory.allocate(name, variable.bytes)
                                    : memory.upload(name, std::span<const std::uint8_t>(variable.initial));
  for (const kernel::InitialAddress& initial : variable.addresses) {
    const bool is_global = initial.global != kernel::InitialAddress::no_global;
    std::uint64_t value = (is_global ? place(program, program.globals[initial.global], memory) : 0) + initial.addend;
    value >>= initial.shift;
    std::memcpy(memory.view(address).data() + initial.offset, &value, initial.bytes);
  }
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

}  // namespace reconverge
