// SPDX-License-Identifier: Apache-2.0
#include "testbenches/random/statement_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "testbenches/random/operations.hpp"

namespace reconverge::random_programs {

namespace {

std::string negated(const std::string& predicate) {
  return predicate.starts_with('!') ? predicate.substr(1) : fmt::format("!{}", predicate);
}

}  // namespace

void StatementWriter::label(std::string_view name, std::uint32_t number) {
  text += fmt::format("{}_{}:\n", name, number);
}

void StatementWriter::write(const std::vector<Statement>& statements, Place place) {
  for (const Statement& statement : statements) {
    write_one(statement, place);
    if (parts_for_long(statement)) place = Place{};
  }
}

void StatementWriter::write_one(const Statement& statement, const Place& place) {
  switch (statement.kind) {
    case Statement::Kind::plain:
      text += statement.text;
      break;
    case Statement::Kind::exit:
      write_exit(statement);
      break;
    case Statement::Kind::choice:
      write_choice(statement, place);
      break;
    case Statement::Kind::selection:
      write_selection(statement, place);
      break;
    case Statement::Kind::loop:
      write_loop(statement, place);
      break;
    case Statement::Kind::tangle:
      write_tangle(statement);
      break;
    case Statement::Kind::leave:
      write_leave(statement);
      break;
    case Statement::Kind::next_round:
      line(fmt::format("@{} bra NEXT_{}", statement.predicate, statement.target));
      break;
    case Statement::Kind::call:
      write_call(statement, place);
      break;
    case Statement::Kind::exchange:
      write_exchange(statement, place);
      break;
    case Statement::Kind::meeting:
      if (place.block) text += text_of(statement, program_, counted_);
      break;
  }
}

void StatementWriter::write_exit(const Statement& statement) {
  if (statement.guarded) {
    line(fmt::format("@{} exit", statement.predicate));
    return;
  }
  const std::uint32_t stay = labels_++;
  line(fmt::format("@{} bra STAY_{}", negated(statement.predicate), stay));
  line("exit");
  label("STAY", stay);
}

void StatementWriter::write_leave(const Statement& statement) {
  if (statement.target != Statement::function_end) {
    line(fmt::format("@{} bra END_{}", statement.predicate, statement.target));
    return;
  }
  if (inside_ != nullptr) text += result_text(program_.passing, statement.selector);
  line(fmt::format("@{} ret", statement.predicate));
}

void StatementWriter::write_choice(const Statement& statement, const Place& place) {
  const std::uint32_t number = statement.number;
  Place arms[2];
  if (is_common(statement.predicate)) {
    arms[0] = arms[1] = place;
  } else if (place.warp()) {
    for (unsigned arm = 0; arm < 2; ++arm) {
      if (wants_members(statement.arms[arm], program_)) arms[arm].members = fmt::format("%{}{}", "mk"[arm], number);
    }
    if (arms[0].warp() || arms[1].warp()) {
      line(fmt::format("vote.sync.ballot.b32 %m{}, {}, {}", number, statement.predicate, place.members));
    }
    if (arms[1].warp()) {
      line(fmt::format("not.b32 %k{0}, %m{0}", number));
      line(fmt::format("and.b32 %k{0}, %k{0}, {1}", number, place.members));
    }
  }
  line(fmt::format("@{} bra{} ELSE_{}", negated(statement.predicate), is_common(statement.predicate) ? ".uni" : "",
                   number));
  write(statement.arms[0], arms[0]);
  if (!statement.arms[1].empty()) line(fmt::format("bra END_{}", number));
  label("ELSE", number);
  write(statement.arms[1], arms[1]);
  label("END", number);
}

void StatementWriter::write_selection(const Statement& statement, const Place& place) {
  const std::uint32_t number = statement.number;
  const std::size_t count = statement.arms.size();
  // The block stays together if all its threads take one path, and none is missing where an arm falls through.
  const Place arms = statement.uniform && !parts_for_long(statement) && !leaves_itself(statement) ? place : Place{};
  const std::string suffix = statement.uniform ? ".uni" : "";
  const std::string guard = statement.predicate.empty() ? "" : fmt::format("@{} ", statement.predicate);
  line(fmt::format("and.b32 %t1, {}, 7", statement.uniform ? "%u0" : fmt::format("%r{}", statement.selector)));
  if (statement.table) {
    text += fmt::format("TABLE_{}: .branchtargets ", number);
    for (std::size_t i = 0; i < 8; ++i) text += fmt::format("{}CASE_{}_{}", i == 0 ? "" : ", ", number, i % count);
    text += ";\n";
    line(fmt::format("{}brx.idx{} %t1, TABLE_{}", guard, suffix, number));
  } else {
    if (!guard.empty()) line(fmt::format("{}mov.b32 %t1, 0", guard));
    for (std::size_t i = 0; i + 1 < count; ++i) {
      line(fmt::format("setp.eq.u32 %q0, %t1, {}", i));
      line(fmt::format("@%q0 bra{} CASE_{}_{}", suffix, number, i));
    }
    line(fmt::format("bra CASE_{}_{}", number, count - 1));
  }
  for (std::size_t i = 0; i < count; ++i) {
    text += fmt::format("CASE_{}_{}:\n", number, i);
    write(statement.arms[i], arms);
    if (!statement.falls_through[i]) line(fmt::format("bra END_{}", number));
  }
  label("END", number);
}

void StatementWriter::write_trips(const Statement& statement) {
  const std::uint32_t number = statement.number;
  const std::string word = statement.uniform ? "%u0" : fmt::format("%r{}", statement.selector);
  line(fmt::format("and.b32 %n{}, {}, 7", number, word));
  line(fmt::format("min.u32 %n{0}, %n{0}, {1}", number, statement.trips));
  line(fmt::format("mov.b32 %c{}, 0", number));
}

void StatementWriter::write_loop(const Statement& statement, const Place& place) {
  const std::uint32_t number = statement.number;
  Place body;
  if (meets_every_round(statement)) {
    if (statement.uniform) {
      body = place;
    } else if (place.warp() && wants_members(statement.arms[0], program_)) {
      body.members = fmt::format("%m{}", number);
    }
  }
  // Lanes that continue to another round determine their members again.
  const auto count_members = [&](std::string_view predicate) {
    if (!statement.uniform && body.warp())
      line(fmt::format("vote.sync.ballot.b32 %m{0}, {1}, %m{0}", number, predicate));
  };
  write_trips(statement);
  if (!statement.uniform && body.warp()) line(fmt::format("mov.b32 %m{}, {}", number, place.members));
  label("LOOP", number);
  if (statement.guarded) {  // the test is before the body
    line(fmt::format("setp.ge.u32 %q1, %c{0}, %n{0}", number));
    count_members("!%q1");
    line(fmt::format("@%q1 bra END_{}", number));
  }
  write(statement.arms[0], body);
  label("NEXT", number);
  line(fmt::format("add.u32 %c{0}, %c{0}, 1", number));
  if (statement.guarded) {
    line(fmt::format("bra LOOP_{}", number));
  } else {
    line(fmt::format("setp.lt.u32 %q1, %c{0}, %n{0}", number));
    count_members("%q1");
    line(fmt::format("@%q1 bra LOOP_{}", number));
  }
  label("END", number);
}

void StatementWriter::write_tangle(const Statement& statement) {
  const std::uint32_t number = statement.number;
  const std::size_t count = statement.arms.size();
  const auto jump = [&](std::size_t from) {
    line(fmt::format("@{} bra PIECE_{}_{}", statement.predicates[from], number, statement.targets[from] % count));
  };
  line(fmt::format("mov.b32 %c{}, 0", number));
  jump(count);  // control enters here or at another arm
  for (std::size_t i = 0; i < count; ++i) {
    text += fmt::format("PIECE_{}_{}:\n", number, i);
    write(statement.arms[i], Place{});
    line(fmt::format("add.u32 %c{0}, %c{0}, 1", number));
    line(fmt::format("setp.ge.u32 %q1, %c{}, {}", number, statement.trips));
    line(fmt::format("@%q1 bra END_{}", number));
    jump(i);
  }
  label("END", number);
}

void StatementWriter::write_exchange(const Statement& statement, const Place& place) {
  if (statement.whole ? !place.whole_warp() : !place.warp()) return;
  std::string instruction = statement.text;
  constexpr std::string_view mark = "MEMBERS";
  if (const auto at = instruction.find(mark); at != std::string::npos) {
    instruction.replace(at, mark.size(), place.members);
  }
  text += instruction;
}

void StatementWriter::write_call(const Statement& statement, const Place& place) {
  const bool all_go = statement.predicate.empty() || is_common(statement.predicate);
  const Function* callee = statement.indirect ? nullptr : &program_.functions[statement.target];
  if (callee == nullptr && table_of(program_).empty()) return;
  if (callee != nullptr && callee->exchanges && !(place.warp() && all_go)) return;
  if (callee != nullptr && callee->meets && !(place.block && all_go)) return;
  const bool together = callee != nullptr && (callee->exchanges || callee->meets);

  const std::uint32_t number = statement.number;
  const std::string guard = statement.predicate.empty() ? "" : fmt::format("@{} ", statement.predicate);
  // The remaining call depth: all threads that continue together agree on it.
  if (inside_ != nullptr) {
    line("setp.eq.u32 %q0, %fuel, 0");
    line(fmt::format("@%q0 bra PAST_{}", number));
    line("sub.u32 %t0, %fuel, 1");
  } else if (together) {
    line(fmt::format("mov.b32 %t0, {}", statement.trips % 3));
  } else {
    line(fmt::format("and.b32 %t0, %r{}, 3", (statement.selector + 5) % 8));
    line("min.u32 %t0, %t0, 2");
  }
  std::string function = fmt::format("f{}", statement.target);
  if (statement.indirect) {
    const std::string index = statement.uniform ? "%u0" : fmt::format("%r{}", statement.selector);
    const std::string_view space = number % 2 == 0 ? "const" : "global";
    line(fmt::format("rem.u32 %t1, {}, {}", index, table_of(program_).size()));
    line("mul.wide.u32 %a1, %t1, 8");
    line(fmt::format("mov.u64 %a2, {}_table", space));
    line("add.u64 %a1, %a1, %a2");
    line(fmt::format("ld.{}.u64 %a1, [%a1]", space));
    function = "%a1";
  }
  const bool in_registers = program_.passing == Passing::registers;
  const bool record = program_.passing == Passing::record;
  const auto r = [&](std::uint32_t i) { return fmt::format("%r{}", (statement.selector + i) % 8); };
  const auto d = [&](std::uint32_t i) { return fmt::format("%d{}", (statement.selector + i) % 4); };
  const std::string members = callee != nullptr && callee->exchanges ? place.members : "0";

  text += "  {\n";
  std::string arguments;
  const auto pass = [&](std::string_view type, const std::string& value) {
    const std::string name =
        in_registers ? value : fmt::format("p{}", std::count(arguments.begin(), arguments.end(), ','));
    if (!in_registers) {
      line(fmt::format(".param .{} {}", type, name));
      line(fmt::format("st.param.{} [{}], {}", type, name, value));
    }
    arguments += name + ", ";
  };
  pass("b64", "%slice");
  pass("b64", "%sums");
  pass("b32", "%thread");
  pass("b32", members);
  pass("b32", "%t0");
  pass("b32", "%u0");
  if (record) {
    line(".param .align 8 .b8 both[16]");
    line(fmt::format("st.param.b32 [both], {}", r(0)));
    line(fmt::format("st.param.b64 [both+8], {}", d(0)));
    arguments += "both, ";
  } else {
    pass("b32", r(0));
    pass("b64", d(0));
  }
  arguments.resize(arguments.size() - 2);
  if (!in_registers) line(parameter_list(program_.passing, "got"));
  std::string targets;
  if (statement.indirect) {
    const std::string name = fmt::format("CALLED_{}", number);
    if (number % 3 == 0) {
      text += fmt::format("{}: .calltargets ", name);
      for (const std::uint32_t target : table_of(program_)) {
        text += fmt::format("{}f{}", target == table_of(program_).front() ? "" : ", ", target);
      }
      text += ";\n";
    } else {
      text += fmt::format("{}: .callprototype ({}) _ ({});\n", name, parameter_list(program_.passing, "_"),
                          parameter_list(program_.passing));
    }
    targets = fmt::format(", {}", name);
  }
  const std::string_view suffix = !statement.indirect && guard.empty() && number % 2 == 0 ? ".uni" : "";
  line(fmt::format("{}call{} ({}), {}, ({}){}", guard, suffix, in_registers ? r(1) : "got", function, arguments,
                   targets));
  // A load of a result must not be guarded: threads that did not call discard the value.
  const auto receive = [&](std::string_view type, std::string_view from, const std::string& to,
                           std::string_view spare) {
    line(fmt::format("ld.param.{} {}, [{}]", type, guard.empty() ? to : spare, from));
    if (!guard.empty()) line(fmt::format("{}mov.{} {}, {}", guard, type, to, spare));
  };
  if (program_.passing == Passing::word || record) receive("b32", "got", r(1), "%t3");
  if (program_.passing == Passing::wide) receive("b64", "got", d(1), "%a3");
  if (record) receive("b64", "got+8", d(1), "%a3");
  text += "  }\n";
  if (inside_ != nullptr) label("PAST", number);
}

}  // namespace reconverge::random_programs
