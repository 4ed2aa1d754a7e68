// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/constant_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/kernel/decode/alignment.hpp"

namespace reconverge::kernel {

namespace {

constexpr std::uint64_t max_variable_bytes = std::uint64_t{1} << 30;
// Limit for the total size of variables with initial values, which are stored completely.
constexpr std::uint64_t max_initialised_bytes = std::uint64_t{1} << 28;

// The bits of one element of an initialiser.
std::uint64_t element_bits(const SyntaxOperand& value, DataType type) {
  const auto bits = static_cast<std::uint64_t>(value.integer);
  const bool is_single = value.kind == SyntaxOperand::Kind::single;
  if (type == DataType::f64 && is_single) {
    return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
  }
  if (type == DataType::f32 && value.kind == SyntaxOperand::Kind::floating) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  }
  return bits;
}

}  // namespace

Operand ConstantPool::constant(const Key& key, std::uint64_t bits, Position position) {
  const bool wide = std::get<bool>(key);
  const auto [found, is_new] = index_.try_emplace(key, static_cast<std::uint32_t>(program_.constants.size()));
  if (!is_new) return {Bank::constant, program_.constants[found->second].row};
  std::uint32_t row = program_.constant_rows;
  if (!wide && free_row_ != 0) {
    row = free_row_;
    free_row_ = 0;
  } else {
    if (wide && row % 2 != 0) free_row_ = row++;
    program_.constant_rows = row + (wide ? 2 : 1);
  }
  if (program_.constant_rows > Operand::max_row) {
    throw InputError(locate(module_.file, position), fmt::format("more than {} rows of constants", Operand::max_row),
                     "keep large tables in .const or .global memory");
  }
  program_.constants.push_back({static_cast<std::uint16_t>(row), wide, bits});
  return {Bank::constant, row};
}

Operand ConstantPool::literal(std::uint64_t bits, bool wide, Position position) {
  if (!wide) bits &= 0xffffffffU;
  return constant({Kind::literal, 0, bits, wide}, bits, position);
}

Operand ConstantPool::address(const VariableDeclaration& variable, std::int64_t addend, bool wide, Position position) {
  if (!variable.opaque_type.empty()) {
    throw InputError(locate(module_.file, position),
                     fmt::format("'{}' is a .{}, of which there are none here", variable.name, variable.opaque_type),
                     "pass a buffer, or a texture whose launch says how it is read");
  }
  const auto distance = static_cast<std::uint64_t>(addend);
  switch (variable.space) {
    case Space::shared:
      if (variable.array && variable.elements == 0) {
        dynamic_alignment_ = std::max(dynamic_alignment_, variable.alignment);
        return constant({Kind::dynamic_shared, 0, distance, wide}, distance, position);
      }
      return literal(place_shared(variable) + distance, wide, position);
    case Space::global:
    case Space::constant: {
      const std::uint32_t global = global_index(variable, position);
      const std::size_t before = program_.constants.size();
      const Operand operand = constant({Kind::global, global, distance, wide}, 0, position);
      if (program_.constants.size() != before) {
        program_.address_constants.push_back({static_cast<std::uint32_t>(before), global, addend});
      }
      return operand;
    }
    default:
      throw InputError(locate(module_.file, position), fmt::format("'{}' has no fixed address", variable.name));
  }
}

std::uint64_t ConstantPool::place_shared(const VariableDeclaration& variable) {
  if (const auto found = places_.find(&variable); found != places_.end()) return found->second;
  const std::uint64_t at = align_up(program_.shared_bytes, variable.alignment);
  if (at + variable.bytes() > max_variable_bytes) {
    throw InputError(locate(module_.file, variable.position),
                     fmt::format("'{}' does not fit its state space", variable.name),
                     "shared variables together take at most 1 GiB");
  }
  program_.shared_bytes = static_cast<std::uint32_t>(at + variable.bytes());
  places_.emplace(&variable, at);
  return at;
}

std::uint32_t ConstantPool::global_index(const VariableDeclaration& variable, Position position) {
  if (const auto found = places_.find(&variable); found != places_.end()) {
    return static_cast<std::uint32_t>(found->second);
  }
  if (variable.external) {
    throw InputError(locate(module_.file, position),
                     fmt::format("'{}' is .extern: no module defines it", variable.name),
                     "define the variable in the module of the kernel");
  }
  const std::uint64_t elements = variable.elements * variable.vector_width;
  if (!variable.initial.empty() && variable.initial.back().element >= elements) {
    throw InputError(locate(module_.file, variable.position),
                     fmt::format("'{}' has more values than elements", variable.name));
  }
  if (variable.bytes() > max_variable_bytes) {
    throw InputError(locate(module_.file, variable.position), fmt::format("'{}' is larger than 1 GiB", variable.name));
  }
  const auto index = static_cast<std::uint32_t>(program_.globals.size());
  program_.globals.push_back(
      {std::string(variable.name), variable.space, variable.bytes(), variable.alignment, {}, {}, variable.texture});
  places_.emplace(&variable, index);
  if (!variable.initial.empty()) initialise(variable, index);
  return index;
}

void ConstantPool::initialise(const VariableDeclaration& variable, std::uint32_t global) {
  const unsigned width = bytes_of(variable.type);
  initialised_bytes_ += variable.bytes();
  if (initialised_bytes_ > max_initialised_bytes) {
    throw InputError(locate(module_.file, variable.position),
                     fmt::format("'{}' brings the variables with initial values to more than 256 MiB", variable.name),
                     "fill large variables when the kernel begins");
  }
  std::vector<std::uint8_t> bytes(variable.bytes());
  std::vector<InitialAddress> addresses;
  for (const InitialValue& initial : variable.initial) {
    const std::uint64_t first = initial.element * width;
    if (initial.value.kind == SyntaxOperand::Kind::name) {
      InitialAddress address = initial_address(initial);
      address.offset = first;
      address.bytes = width;
      // A part of an address refers to the width of the module's addresses.
      address.narrow = initial.mask == 0 ? width == sizeof(std::uint32_t) : module_.address_size == 32;
      addresses.push_back(address);
      continue;
    }
    std::uint64_t bits = element_bits(initial.value, variable.type);
    for (unsigned byte = 0; byte < width; ++byte, bits >>= 8) {
      bytes[first + byte] = static_cast<std::uint8_t>(bits);
    }
  }
  program_.globals[global].initial = std::move(bytes);
  program_.globals[global].addresses = std::move(addresses);
}

InitialAddress ConstantPool::initial_address(const InitialValue& initial) {
  InitialAddress address;
  address.addend = static_cast<std::uint64_t>(initial.value.integer);
  // A mask of 0xFF0000 takes that byte of the address, moved down to bit 0.
  if (initial.mask != 0) address.shift = static_cast<std::uint32_t>(std::countr_zero(initial.mask));
  const Symbol symbol = symbols_.find(initial.value.name);
  if (symbol.kind == Symbol::Kind::function) {
    address.global = InitialAddress::no_global;
    address.addend += function_address(*symbol.function);
    return address;
  }
  if (symbol.kind != Symbol::Kind::variable) {
    throw InputError(locate(module_.file, initial.value.position),
                     fmt::format("'{}' is no variable or function of the module", initial.value.name),
                     "an initialiser holds numbers and addresses of what the module defines");
  }
  if (symbol.variable->space == Space::shared) {
    throw InputError(
        locate(module_.file, initial.value.position),
        fmt::format("the address of '{}', in shared memory, is not known before a block runs", initial.value.name),
        "store it when the kernel begins");
  }
  if (symbol.variable->space == Space::local) {
    throw InputError(locate(module_.file, initial.value.position),
                     fmt::format("'{}' is local to each thread, so its address is not known here", initial.value.name),
                     "store it when the kernel begins");
  }
  address.global = global_index(*symbol.variable, initial.value.position);
  return address;
}

std::uint64_t ConstantPool::function_address(const Function& function) const {
  return function_base + function_stride * static_cast<std::uint64_t>(&function - module_.functions.data());
}

void ConstantPool::finish() {
  if (dynamic_alignment_ > 1) {
    program_.shared_bytes = static_cast<std::uint32_t>(align_up(program_.shared_bytes, dynamic_alignment_));
  }
  for (const auto& [key, index] : index_) {
    if (std::get<Kind>(key) == Kind::dynamic_shared) program_.constants[index].bits += program_.shared_bytes;
  }
}

}  // namespace reconverge::kernel
