// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Assigns immediates and addresses of variables to rows of the constant bank, each value once.

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "models/kernel/decode/symbols.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Values of function pointers: small numbers that are not addresses of data, the same for all kernels of a module.
inline constexpr std::uint64_t function_base = 0x1000;
inline constexpr std::uint64_t function_stride = 16;

/// Fills Program::constants, globals, address_constants and shared_bytes while a kernel is decoded.
class ConstantPool {
 public:
  ConstantPool(Program& program, const Module& module, const ModuleSymbols& symbols)
      : program_(program), module_(module), symbols_(symbols) {}

  /// The row of a literal. Throws InputError (at `position`) if the bank is full.
  Operand literal(std::uint64_t bits, bool wide, Position position);

  /// The row of the address of `variable`, in global, constant or shared memory, plus `addend` in the variable's state
  /// space. A variable is allocated when it is first named. Throws InputError for variables that cannot have an
  /// address.
  Operand address(const VariableDeclaration& variable, std::int64_t addend, bool wide, Position position);

  /// The value of a pointer to `function`, which belongs to the module.
  std::uint64_t function_address(const Function& function) const;

  /// Must be called once, at the end: allocates the dynamic shared memory after the static one.
  void finish();

 private:
  enum class Kind : std::uint8_t { literal, global, dynamic_shared };
  using Key = std::tuple<Kind, std::uint64_t, std::uint64_t, bool>;

  Operand constant(const Key& key, std::uint64_t bits, Position position);
  std::uint64_t place_shared(const VariableDeclaration& variable);
  std::uint32_t global_index(const VariableDeclaration& variable, Position position);
  void initialise(const VariableDeclaration& variable, std::uint32_t global);
  InitialAddress initial_address(const InitialValue& initial);

  Program& program_;
  const Module& module_;
  const ModuleSymbols& symbols_;
  std::map<Key, std::uint32_t> index_;
  std::unordered_map<const VariableDeclaration*, std::uint64_t> places_;
  std::uint64_t initialised_bytes_ = 0;
  std::uint32_t free_row_ = 0;  ///< an unused row before a wide constant; 0: none, because row 0 is never unused
  std::uint32_t dynamic_alignment_ = 1;
};

}  // namespace reconverge::kernel
