#include <fmt/format.h>

#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

namespace {

constexpr std::string_view head = R"(.version 6.0
.target sm_60
.address_size 64
.visible .entry kernel(.param .u64 input, .param .u64 output, .param .u64 sums)
{{
  .reg .b32 %gid, %thread, %t<8>, %r<8>, %c<{0}>, %n<{0}>;
  .reg .b64 %in, %slice, %sums, %a<4>, %d<4>;
  .reg .b16 %h<2>;
  .reg .f32 %f<4>;
  .reg .f64 %g<2>;
  .reg .pred %p<4>, %q<2>;
  .shared .align 16 .b32 cells[{1}];
  .local .align 16 .b32 own[8];
  ld.param.u64 %in, [input];
  ld.param.u64 %slice, [output];
  ld.param.u64 %sums, [sums];
  mov.u32 %thread, %tid.y;
  mov.u32 %t0, %ntid.x;
  mov.u32 %t1, %tid.x;
  mad.lo.u32 %thread, %thread, %t0, %t1;
  mov.u32 %t2, %ctaid.x;
  mad.lo.u32 %gid, %t2, {1}, %thread;
  mul.wide.u32 %a0, %gid, {2};
  add.u64 %slice, %slice, %a0;
)";

// Registers and stack begin with words of the input that differ by thread.
std::string first_values() {
  std::string text;
  for (unsigned i = 0; i < 8; ++i) {
    text += fmt::format(
        "  mad.lo.u32 %t0, %gid, {}, {};\n  and.b32 %t0, %t0, 1023;\n  mul.wide.u32 %a0, %t0, 4;\n"
        "  add.u64 %a0, %in, %a0;\n  ld.global.b32 %r{}, [%a0];\n",
        2 * i + 1, 17 * i, i);
  }
  for (unsigned i = 0; i < 4; ++i) {
    text += fmt::format("  mov.b64 %d{0}, {{%r{0}, %r{1}}};\n", i, i + 4);
    text += fmt::format("  cvt.rn.f32.s32 %f{0}, %r{0};\n  setp.lt.s32 %p{0}, %r{0}, %r{1};\n", i, (i + 3) % 8);
  }
  for (unsigned i = 0; i < 2; ++i) {
    text += fmt::format("  cvt.rn.f64.s32 %g{0}, %r{1};\n  cvt.u16.u32 %h{0}, %r{0};\n", i, i + 4);
    text += fmt::format("  setp.ne.u32 %q{0}, %r{0}, 0;\n", i);
  }
  for (unsigned i = 0; i < 8; ++i) text += fmt::format("  st.local.b32 [own+{}], %r{};\n", 4 * i, i);
  return text + "  mov.b32 %t7, 0;\n";
}

std::string last_values() {
  std::string text;
  unsigned at = 4 * work_words;
  const auto store = [&](std::string_view type, std::string_view name, unsigned count, unsigned bytes) {
    for (unsigned i = 0; i < count; ++i, at += bytes)
      text += fmt::format("  st.global.{} [%slice+{}], {}{};\n", type, at, name, i);
  };
  store("b32", "%r", 8, 4);
  store("b64", "%d", 4, 8);
  store("f64", "%g", 2, 8);
  store("f32", "%f", 4, 4);
  store("b16", "%h", 2, 2);
  for (unsigned i = 0; i < 4; ++i)
    text += fmt::format("  selp.b32 %t0, {}, 0, %p{};\n  or.b32 %t7, %t7, %t0;\n", 1U << i, i);
  return text + fmt::format("  st.global.b32 [%slice+{}], %t7;\n  ret;\n}}\n", at);
}

class Writer {
 public:
  std::string text;

  void write(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) write(statement);
  }

 private:
  void write(const Statement& statement);
  void write_selection(const Statement& statement);
  void write_loop(const Statement& statement);
  void line(const std::string& instruction) { text += fmt::format("  {};\n", instruction); }
  void label(std::string_view name, std::uint32_t number) { text += fmt::format("{}_{}:\n", name, number); }

  std::uint32_t labels_ = 0;
};

std::string negated(const std::string& predicate) {
  return predicate.starts_with('!') ? predicate.substr(1) : fmt::format("!{}", predicate);
}

void Writer::write(const Statement& statement) {
  const std::uint32_t number = statement.number;
  switch (statement.kind) {
    case Statement::Kind::plain:
      text += statement.text;
      break;
    case Statement::Kind::exit:
      if (statement.guarded) {
        line(fmt::format("@{} exit", statement.predicate));
      } else {
        const std::uint32_t stay = labels_++;
        line(fmt::format("@{} bra STAY_{}", negated(statement.predicate), stay));
        line("exit");
        label("STAY", stay);
      }
      break;
    case Statement::Kind::choice:
      line(fmt::format("@{} bra ELSE_{}", negated(statement.predicate), number));
      write(statement.arms[0]);
      if (!statement.arms[1].empty()) line(fmt::format("bra END_{}", number));
      label("ELSE", number);
      write(statement.arms[1]);
      label("END", number);
      break;
    case Statement::Kind::selection:
      write_selection(statement);
      break;
    case Statement::Kind::loop:
      write_loop(statement);
      break;
    case Statement::Kind::leave:
      line(fmt::format("@{} bra END_{}", statement.predicate, statement.target));
      break;
    case Statement::Kind::next_round:
      line(fmt::format("@{} bra NEXT_{}", statement.predicate, statement.target));
      break;
  }
}

void Writer::write_selection(const Statement& statement) {
  const std::uint32_t number = statement.number;
  line(fmt::format("and.b32 %t1, %r{}, 7", statement.selector));
  for (std::size_t i = 0; i + 1 < statement.arms.size(); ++i) {
    line(fmt::format("setp.eq.u32 %q0, %t1, {}", i));
    line(fmt::format("@%q0 bra CASE_{}_{}", number, i));
  }
  line(fmt::format("bra CASE_{}_{}", number, statement.arms.size() - 1));
  for (std::size_t i = 0; i < statement.arms.size(); ++i) {
    text += fmt::format("CASE_{}_{}:\n", number, i);
    write(statement.arms[i]);
    if (!statement.falls_through[i]) line(fmt::format("bra END_{}", number));
  }
  label("END", number);
}

void Writer::write_loop(const Statement& statement) {
  const std::uint32_t number = statement.number;
  line(fmt::format("and.b32 %n{}, %r{}, 7", number, statement.selector));
  line(fmt::format("min.u32 %n{0}, %n{0}, {1}", number, statement.trips));
  line(fmt::format("mov.b32 %c{}, 0", number));
  label("LOOP", number);
  if (statement.guarded) {  // the test stands before the body
    line(fmt::format("setp.ge.u32 %q1, %c{0}, %n{0}", number));
    line(fmt::format("@%q1 bra END_{}", number));
  }
  write(statement.arms[0]);
  label("NEXT", number);
  line(fmt::format("add.u32 %c{0}, %c{0}, 1", number));
  if (statement.guarded) {
    line(fmt::format("bra LOOP_{}", number));
  } else {
    line(fmt::format("setp.lt.u32 %q1, %c{0}, %n{0}", number));
    line(fmt::format("@%q1 bra LOOP_{}", number));
  }
  label("END", number);
}

}  // namespace

std::string text_of(const Program& program) {
  Writer writer;
  writer.text = fmt::format(head, program.statements + 1, program.block.count(), 4 * slice_words) + first_values();
  writer.write(program.body);
  return writer.text + last_values();
}

}  // namespace reconverge::random_programs
