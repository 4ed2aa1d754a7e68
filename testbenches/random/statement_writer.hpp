// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Writes statements as PTX, within one kernel or function.

#include <string>
#include <string_view>
#include <vector>

#include "testbenches/random/places.hpp"
#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

class StatementWriter {
 public:
  /// `inside`: the function being written; null: the kernel.
  StatementWriter(const Program& program, const Function* inside)
      : program_(program), inside_(inside), counted_(!ends_early(program)) {}

  std::string text;

  void write(const std::vector<Statement>& statements, Place place);

 private:
  void write_one(const Statement& statement, const Place& place);
  void write_exit(const Statement& statement);
  void write_choice(const Statement& statement, const Place& place);
  void write_selection(const Statement& statement, const Place& place);
  void write_loop(const Statement& statement, const Place& place);
  void write_tangle(const Statement& statement);
  void write_leave(const Statement& statement);
  void write_call(const Statement& statement, const Place& place);
  void write_exchange(const Statement& statement, const Place& place);

  void line(const std::string& instruction) { text += "  " + instruction + ";\n"; }
  void label(std::string_view name, std::uint32_t number);
  /// %n<number>: the number of rounds, from data of a thread or of the block.
  void write_trips(const Statement& statement);

  const Program& program_;
  const Function* inside_;
  bool counted_;
  std::uint32_t labels_ = 0;
};

/// How a function declares its parameters, and the name of its result.
std::string parameter_list(Passing passing);
std::string parameter_list(Passing passing, std::string_view result);

/// Copies the result from registers r and d to where the caller finds it.
std::string result_text(Passing passing, std::uint32_t selector);

}  // namespace reconverge::random_programs
