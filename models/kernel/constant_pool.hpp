#pragma once
/// Immediates and addresses of variables, each value once, laid out in rows of the constant bank.

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "models/kernel/program.hpp"
#include "models/kernel/syntax.hpp"

namespace reconverge::kernel {

/// Fills Program::constants, globals, address_constants, shared_bytes and local_bytes while a kernel is decoded.
class ConstantPool {
 public:
  ConstantPool(Program& program, std::string_view file) : program_(program), file_(file) {}

  /// The row of a literal. Throws InputError (at `position`) when the bank is full.
  Operand literal(std::uint64_t bits, bool wide, Position position);

  /// The row of the address of `variable` plus `addend` in the variable's own state space. A variable gets its place
  /// when it is first named. Throws InputError for variables that this front end cannot place.
  Operand address(const VariableDeclaration& variable, std::int64_t addend, bool wide, Position position);

  /// Call once, last: places the dynamic shared memory behind the static.
  void finish();

 private:
  enum class Kind : std::uint8_t { literal, global, dynamic_shared };
  using Key = std::tuple<Kind, std::uint64_t, std::uint64_t, bool>;

  Operand constant(const Key& key, std::uint64_t bits, Position position);
  std::uint64_t place(const VariableDeclaration& variable);
  std::uint32_t global_index(const VariableDeclaration& variable, Position position);

  Program& program_;
  std::string_view file_;
  std::map<Key, std::uint32_t> index_;
  std::unordered_map<const VariableDeclaration*, std::uint64_t> places_;
  std::uint32_t free_row_ = 0;  ///< a row left over before a wide constant; 0: none, as row 0 is never left over
  std::uint32_t dynamic_alignment_ = 1;
};

}  // namespace reconverge::kernel
