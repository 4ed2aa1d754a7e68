// SPDX-License-Identifier: Apache-2.0
// The text around the statements: variables, declarations, initial values, results.

#include <fmt/format.h>

#include "testbenches/random/operations.hpp"
#include "testbenches/random/statement_writer.hpp"

namespace reconverge::random_programs {

namespace {

bool uses(const std::string& text, std::string_view name) { return text.find(name) != std::string::npos; }

/// A line that gives `name` its first value.
struct Start {
  std::string name;
  std::string text;
};

/// The lines that `body` needs, in order.
std::string needed(const std::vector<Start>& starts, const std::string& body) {
  std::string text;
  for (auto start = starts.rbegin(); start != starts.rend(); ++start) {
    if (uses(text, start->name) || uses(body, start->name)) text.insert(0, start->text);
  }
  return text;
}

/// Registers that `body` names; registers of statements are in banks of `statements`. `has_common`: %u0 is declared
/// already.
std::string declarations(const std::string& body, std::uint32_t statements, bool has_common = false) {
  struct Bank {
    std::string_view type;
    std::string_view name;
    std::uint32_t size;  // 0: one for each numbered statement
  };
  constexpr Bank banks[] = {{"b32", "%r", 8}, {"b64", "%d", 4},  {"f32", "%f", 4},  {"f64", "%g", 2},
                            {"b16", "%h", 2}, {"pred", "%p", 4}, {"pred", "%q", 2}, {"pred", "%v", 2},
                            {"b32", "%t", 8}, {"b64", "%a", 4},  {"b32", "%u", 1},  {"b32", "%c", 0},
                            {"b32", "%n", 0}, {"b32", "%m", 0},  {"b32", "%k", 0}};
  std::string text;
  for (const Bank& bank : banks) {
    if (has_common && bank.name == "%u") continue;
    if (body.find(fmt::format("{}0", bank.name)) == std::string::npos) {
      bool used = false;
      for (char digit = '1'; digit <= '9'; ++digit) used = used || uses(body, fmt::format("{}{}", bank.name, digit));
      if (!used) continue;
    }
    text += fmt::format("  .reg .{} {}<{}>;\n", bank.type, bank.name, bank.size == 0 ? statements : bank.size);
  }
  return text;
}

/// The initial contents of the banks, from the eight %r.
void add_banks(std::vector<Start>& starts) {
  const auto add = [&](std::string name, const std::string& instruction) {
    starts.push_back({std::move(name), fmt::format("  {};\n", instruction)});
  };
  for (unsigned i = 0; i < 4; ++i) {
    add(fmt::format("%d{}", i), fmt::format("mov.b64 %d{0}, {{%r{0}, %r{1}}}", i, i + 4));
    add(fmt::format("%f{}", i), fmt::format("cvt.rn.f32.s32 %f{0}, %r{0}", i));
    add(fmt::format("%p{}", i), fmt::format("setp.lt.s32 %p{0}, %r{0}, %r{1}", i, (i + 3) % 8));
  }
  for (unsigned i = 0; i < 2; ++i) {
    add(fmt::format("%g{}", i), fmt::format("cvt.rn.f64.s32 %g{0}, %r{1}", i, i + 4));
    add(fmt::format("%h{}", i), fmt::format("cvt.u16.u32 %h{0}, %r{0}", i));
    add(fmt::format("%v{}", i), fmt::format("and.b32 %t0, %u0, {}", 1U << i));
    starts.back().text += fmt::format("  setp.ne.u32 %v{}, %t0, 0;\n", i);
  }
  const std::string four = "{%thread, %thread, %thread, %thread}";
  starts.push_back(
      {"stack", fmt::format("  st.local.v4.b32 [stack], {0};\n  st.local.v4.b32 [stack+16], {0};\n", four)});
}

/// The number of a thread in its block, or of a block in the grid, x first.
std::string linear(std::string_view name, const Dim3& extents, std::string_view index, std::string_view size) {
  if (extents.y == 1 && extents.z == 1) return fmt::format("  mov.u32 {}, {}.x;\n", name, index);
  std::string text = fmt::format("  mov.u32 {}, {}.z;\n", name, index);
  for (const char axis : {'y', 'x'}) {
    text += fmt::format("  mov.u32 %t0, {}.{};\n  mov.u32 %t1, {}.{};\n", size, axis, index, axis);
    text += fmt::format("  mad.lo.u32 {0}, {0}, %t0, %t1;\n", name);
  }
  return text;
}

std::vector<Start> kernel_starts(const Program& program) {
  const auto words_of = [](std::string_view name, std::string_view number) {
    return fmt::format("  and.b32 %t0, {1}, 511;\n  mul.wide.u32 {0}, %t0, 4;\n  add.u64 {0}, %in, {0};\n", name,
                       number);
  };
  std::vector<Start> starts = {
      {"%in", "  ld.param.u64 %in, [input];\n"},
      {"%slice", "  ld.param.u64 %slice, [output];\n"},
      {"%sums", "  ld.param.u64 %sums, [sums];\n"},
      {"%thread", linear("%thread", program.block, "%tid", "%ntid")},
      {"%block", linear("%block", program.grid, "%ctaid", "%nctaid")},
      {"%gid", fmt::format("  mad.lo.u32 %gid, %block, {}, %thread;\n", program.block.count())},
      {"%slice", fmt::format("  mul.wide.u32 %a0, %gid, {};\n  add.u64 %slice, %slice, %a0;\n", 4 * slice_words)},
      {"%own", words_of("%own", "%gid")},
      {"%common", words_of("%common", "%block")},
      {"%u0", "  ld.global.b32 %u0, [%common+2000];\n"}};
  for (unsigned i = 0; i < 8; ++i) {
    starts.push_back(
        {fmt::format("%r{}", i), fmt::format("  ld.global.b32 %r{}, [{}+{}];\n", i,
                                             i < program.uniform_registers ? "%common" : "%own", 4 * 61 * i)});
  }
  add_banks(starts);
  // Shared memory has undefined initial contents.
  std::string mine = "  mov.u32 %t4, mine;\n  shl.b32 %t5, %thread, 6;\n  add.u32 %t5, %t4, %t5;\n";
  for (unsigned at = 0; at < 4 * work_words; at += 16) {
    mine += fmt::format("  st.shared.v4.b32 [%t5+{}], {{%thread, %thread, %thread, %thread}};\n", at);
  }
  starts.push_back({"mine", mine});
  starts.push_back({"cells",
                    "  mov.u32 %t4, cells;\n  shl.b32 %t5, %thread, 2;\n  add.u32 %t5, %t4, %t5;\n"
                    "  st.shared.b32 [%t5], %thread;\n"});
  starts.push_back({"tally", "  setp.ne.u32 %q0, %thread, 0;\n  @%q0 bra STARTED;\n" + tally_start() + "STARTED:\n"});
  return starts;
}

std::vector<Start> function_starts(Passing passing) {
  std::vector<Start> starts;
  if (passing != Passing::registers) {
    for (const std::string_view wide : {"slice", "sums"}) {
      starts.push_back({fmt::format("%{}", wide), fmt::format("  ld.param.b64 %{0}, [{0}];\n", wide)});
    }
    for (const std::string_view word : {"thread", "members", "fuel", "u0"}) {
      starts.push_back({fmt::format("%{}", word), fmt::format("  ld.param.b32 %{0}, [{0}];\n", word)});
    }
    const bool record = passing == Passing::record;
    starts.push_back({"%x", fmt::format("  ld.param.b32 %x, [{}];\n", record ? "pair" : "x")});
    starts.push_back({"%y", fmt::format("  ld.param.b64 %y, [{}];\n", record ? "pair+8" : "y")});
  }
  starts.push_back({"%r0", "  mov.b32 %r0, %x;\n"});
  for (unsigned i = 1; i < 8; ++i) {
    starts.push_back(
        {fmt::format("%r{}", i), i < 3 ? fmt::format("  cvt.u32.u64 %r{0}, %y;\n  add.u32 %r{0}, %r{0}, {0};\n", i)
                                       : fmt::format("  mad.lo.u32 %r{}, %x, {}, %thread;\n", i, 40503 * i)});
  }
  add_banks(starts);
  return starts;
}

std::string results_text(const Program& program) {
  std::string text;
  unsigned at = 4 * work_words;
  unsigned result = 0;
  const auto kept = [&] { return (program.results >> result++ & 1U) != 0; };
  const auto store = [&](std::string_view type, std::string_view name, unsigned count, unsigned bytes) {
    for (unsigned i = 0; i < count; ++i, at += bytes) {
      if (kept()) text += fmt::format("  st.global.{} [%slice+{}], {}{};\n", type, at, name, i);
    }
  };
  store("b32", "%r", 8, 4);
  store("b64", "%d", 4, 8);
  store("f64", "%g", 2, 8);
  store("f32", "%f", 4, 4);
  store("b16", "%h", 2, 2);
  if (kept()) {
    text += "  mov.b32 %t7, 0;\n";
    for (unsigned i = 0; i < 4; ++i)
      text += fmt::format("  selp.b32 %t0, {}, 0, %p{};\n  or.b32 %t7, %t7, %t0;\n", 1U << i, i);
    text += fmt::format("  st.global.b32 [%slice+{}], %t7;\n", at);
  }
  return text;
}

std::string local_variables(const std::string& text) {
  return uses(text, "stack") ? "  .local .align 16 .b32 stack[8];\n" : "";
}

std::string kernel_text(const Program& program, const std::string& functions) {
  StatementWriter writer(program, nullptr);
  writer.write(program.body, {true, Place::all});
  writer.text += results_text(program);
  // The kernel initialises the shared memory that functions use.
  std::string mentioned = writer.text;
  for (const std::string_view name : {"cells", "mine", "tally"}) {
    if (uses(functions, name)) mentioned += name;
  }
  std::string starts = needed(kernel_starts(program), mentioned);
  if (uses(starts, "st.shared")) starts += "  bar.sync 0;\n";
  std::string single;
  for (const std::string_view name : {"%gid", "%thread", "%block"}) {
    if (uses(starts + writer.text, name)) single += fmt::format("  .reg .b32 {};\n", name);
  }
  for (const std::string_view name : {"%in", "%slice", "%sums", "%own", "%common"}) {
    if (uses(starts + writer.text, name)) single += fmt::format("  .reg .b64 {};\n", name);
  }
  const std::string all = starts + writer.text;
  return ".visible .entry kernel(.param .u64 input, .param .u64 output, .param .u64 sums)\n{\n" + single +
         declarations(all, program.statements + 1) + local_variables(all) + all + "  ret;\n}\n";
}

std::string heading(Passing passing, std::uint32_t number) {
  return fmt::format(".func ({}) f{}({})",
                     parameter_list(passing, passing == Passing::registers ? "%result" : "result"), number,
                     parameter_list(passing));
}

std::string function_text(const Program& program, std::uint32_t number) {
  const Function& function = program.functions[number];
  StatementWriter writer(program, &function);
  Place place;
  place.block = function.meets;
  if (function.exchanges) place.members = "%members";
  writer.write(function.body, place);
  writer.text += result_text(program.passing, number);
  const std::string all = needed(function_starts(program.passing), writer.text) + writer.text;
  std::string single;
  if (program.passing != Passing::registers) {
    for (const std::string_view name : {"%thread", "%members", "%fuel", "%x"}) {
      if (uses(all, name)) single += fmt::format("  .reg .b32 {};\n", name);
    }
    for (const std::string_view name : {"%slice", "%sums", "%y"}) {
      if (uses(all, name)) single += fmt::format("  .reg .b64 {};\n", name);
    }
  }
  const std::string banks = declarations(all, program.statements + 1, program.passing == Passing::registers);
  return heading(program.passing, number) + "\n{\n" + single + banks + local_variables(all) + all + "  ret;\n}\n";
}

std::string variables(const Program& program, const std::string& code) {
  std::string text;
  const auto numbers = [&](std::string_view declaration) {
    text += fmt::format("{} = {{", declaration);
    for (std::uint32_t i = 0; i < 16; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", (i * i + 1) * 0x9e3779b9U);
    text += "};\n";
  };
  if (uses(code, "numbers")) numbers(".const .align 16 .b32 numbers[16]");
  if (uses(code, "words")) numbers(".global .align 16 .b32 words[16]");
  if (uses(code, "cells")) {
    text += program.dynamic ? ".extern .shared .align 16 .b32 cells[];\n"
                            : fmt::format(".shared .align 16 .b32 cells[{}];\n", program.block.count());
  }
  if (uses(code, "mine")) text += fmt::format(".shared .align 16 .b32 mine[{}];\n", work_words * program.block.count());
  if (uses(code, "tally")) text += ".shared .align 16 .b32 tally[8];\n";
  for (const std::string_view space : {"const", "global"}) {
    if (!uses(code, fmt::format("{}_table", space))) continue;
    const auto table = table_of(program);
    text += fmt::format(".{0} .align 8 .u64 {0}_table[{1}] = {{", space, table.size());
    for (const std::uint32_t function : table)
      text += fmt::format("{}f{}", function == table.front() ? "" : ", ", function);
    text += "};\n";
  }
  return text;
}

}  // namespace

std::string parameter_list(Passing passing) {
  if (passing == Passing::registers) {
    return ".reg .b64 %slice, .reg .b64 %sums, .reg .b32 %thread, .reg .b32 %members, .reg .b32 %fuel, .reg .b32 %u0, "
           ".reg .b32 %x, .reg .b64 %y";
  }
  const std::string first =
      ".param .b64 slice, .param .b64 sums, .param .b32 thread, .param .b32 members, .param .b32 fuel, .param .b32 "
      "u0, ";
  return first + (passing == Passing::record ? ".param .align 8 .b8 pair[16]" : ".param .b32 x, .param .b64 y");
}

std::string parameter_list(Passing passing, std::string_view result) {
  switch (passing) {
    case Passing::word:
      return fmt::format(".param .b32 {}", result);
    case Passing::wide:
      return fmt::format(".param .b64 {}", result);
    case Passing::record:
      return fmt::format(".param .align 8 .b8 {}[16]", result);
    case Passing::registers:
      break;
  }
  return fmt::format(".reg .b32 {}", result);
}

std::string result_text(Passing passing, std::uint32_t selector) {
  const std::string word = fmt::format("%r{}", selector % 8);
  const std::string wide = fmt::format("%d{}", selector % 4);
  switch (passing) {
    case Passing::word:
      return fmt::format("  st.param.b32 [result], {};\n", word);
    case Passing::wide:
      return fmt::format("  st.param.b64 [result], {};\n", wide);
    case Passing::record:
      return fmt::format("  st.param.b32 [result], {};\n  st.param.b64 [result+8], {};\n", word, wide);
    case Passing::registers:
      break;
  }
  return fmt::format("  mov.b32 %result, {};\n", word);
}

std::string text_of(const Program& program) {
  const std::set<std::uint32_t> called = called_from(program.body, program);
  std::string functions;
  for (const std::uint32_t number : called) functions += heading(program.passing, number) + ";\n";
  std::string bodies;
  for (const std::uint32_t number : called) bodies += function_text(program, number);
  const std::string kernel = kernel_text(program, bodies);
  return ".version 8.3\n.target sm_90\n.address_size 64\n" + functions + variables(program, bodies + kernel) + bodies +
         kernel;
}

}  // namespace reconverge::random_programs
