// SPDX-License-Identifier: Apache-2.0
// The kernel around one form of an instruction. Each thread takes operands from a pool of values that are likely to
// reveal errors.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "models/kernel/decode/load_program.hpp"
#include "tests/contract/operation_forms.hpp"

namespace reconverge::contract {

namespace {

using kernel::DataType;

constexpr unsigned pool_size = 24;
using Pool = std::array<std::uint64_t, pool_size>;

// Low halves are edge cases of narrower types, so one pool is enough for all widths.
constexpr Pool integers = {0,
                           1,
                           2,
                           5,
                           0x1f,
                           0x20,
                           0x21,
                           0x3f,
                           0x40,
                           0x7f,
                           0x80,
                           0xff,
                           0x7fff,
                           0x8000,
                           0xffff,
                           0x01010408,
                           0x7fffffff,
                           0x80000000,
                           0xffffffff,
                           0x0000000180000001,
                           0x7fffffffffffffff,
                           0x8000000000000000,
                           0xfffffffffffffffe,
                           0xfedcba9876543210};
constexpr Pool halves = {0x0000, 0x8000, 0x0001, 0x03ff, 0x8200, 0x0400, 0x8400, 0x3800,
                         0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x3e00, 0x4100, 0xc100, 0x4248,
                         0x57ff, 0x5bf8, 0x7800, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e01};

constexpr std::uint64_t of(float value) { return std::bit_cast<std::uint32_t>(value); }
constexpr std::uint64_t of(double value) { return std::bit_cast<std::uint64_t>(value); }
constexpr Pool singles = {
    of(0.0F),           of(-0.0F),         1,          0x80000001,    0x007fffff,      0x00800000,
    of(0.25F),          of(-0.5F),         of(0.75F),  of(1.0F),      of(-1.0F),       of(1.5F),
    of(-2.5F),          of(3.1415927F),    of(100.7F), of(-32768.6F), of(16777217.0F), of(2147483647.0F),
    of(-2147483648.0F), of(1.8446744e19F), 0x7f800000, 0xff800000,    0x7fc00123,      0xff812345};
constexpr Pool doubles = {of(0.0),
                          of(-0.0),
                          1,
                          0x8000000000000001,
                          0x0010000000000000,
                          of(1e-40),
                          of(0.25),
                          of(-0.5),
                          of(0.5000001),
                          of(1.0),
                          of(-1.0),
                          of(1.5),
                          of(-2.5),
                          of(3.141592653589793),
                          of(255.5),
                          of(-32768.75),
                          of(65519.99),
                          of(2147483647.5),
                          of(-9.3e18),
                          of(1.9e19),
                          0x7ff0000000000000,
                          0xfff0000000000000,
                          0x7ff8000000000123,
                          0xfff0000000000123};

constexpr Pool brains = {0x0000, 0x8000, 0x0001, 0x007f, 0x8020, 0x0080, 0x8080, 0x3f00,
                         0x3f7f, 0x3f80, 0xbf80, 0x3f81, 0x3fc0, 0x4020, 0xc020, 0x4049,
                         0x42fe, 0x42ff, 0x7f00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc1};

// Two values in a word: each value with a later one.
constexpr Pool pairs_of(const Pool& singly) {
  Pool pairs{};
  for (unsigned i = 0; i < pool_size; ++i) pairs[i] = singly[i] | singly[(5 * i + 7) % pool_size] << 16U;
  return pairs;
}
constexpr Pool half_pairs = pairs_of(halves);
constexpr Pool brain_pairs = pairs_of(brains);

// Two f32 in a word of 64 bits.
constexpr Pool single_pairs = [] {
  Pool pairs{};
  for (unsigned i = 0; i < pool_size; ++i) pairs[i] = singles[i] | singles[(5 * i + 7) % pool_size] << 32U;
  return pairs;
}();

// An f32 whose low half is a number too.
constexpr Pool over_singles(const Pool& low) {
  Pool both{};
  for (unsigned i = 0; i < pool_size; ++i) both[i] = (singles[i] & 0xffff0000U) | low[i];
  return both;
}
constexpr Pool halves_in_singles = over_singles(halves);
constexpr Pool brains_in_singles = over_singles(brains);

const Pool& pool_for(const Form& form) {
  const kernel::Opcode opcode = form.rule->opcode;
  const bool adds = opcode == kernel::Opcode::add || opcode == kernel::Opcode::sub || opcode == kernel::Opcode::fma;
  if (adds && form.types.size() == 2) return form.types[1] == DataType::f16 ? halves_in_singles : brains_in_singles;
  if (opcode == kernel::Opcode::cvt_fp8) {
    const std::string& pair = form.modifiers.back();
    if (pair.ends_with(".f32")) return singles;
    return pair.ends_with(".f16x2") ? half_pairs : integers;
  }
  switch (form.types.empty() ? DataType::b32 : form.types.back()) {
    case DataType::f16:
      return halves;
    case DataType::bf16:
      return brains;
    case DataType::f16x2:
      return half_pairs;
    case DataType::bf16x2:
      return brain_pairs;
    case DataType::f32:
      return form.rule->mnemonic == "slct" ? integers : singles;
    case DataType::f64:
      return doubles;
    case DataType::f32x2:
      return single_pairs;
    default:
      return integers;
  }
}

constexpr std::string_view frame = R"(
{}
.address_size 64
.visible .entry kernel(.param .u64 input, .param .u64 output, .param .u64 sums)
{{
  .reg .b32 %i<8>, %r<8>;
  .reg .b16 %h<8>;
  .reg .b64 %at<8>, %v<8>, %d<8>;
  .reg .pred %p<8>;
  .shared .align 16 .b8 cells[32768];
  ld.param.u64 %at0, [input];
  ld.param.u64 %at1, [output];
  mov.u32 %i0, %tid.x;
  mov.u32 %i1, %ctaid.x;
  mov.u32 %i2, %ntid.x;
  mad.lo.u32 %i1, %i1, %i2, %i0;
  mul.wide.u32 %at2, %i1, 64;
  add.u64 %at1, %at1, %at2;
  mul.lo.u32 %i2, %i0, 32;
  mov.u32 %i3, cells;
  add.u32 %i2, %i2, %i3;
{}
  ret;
}}
)";

// What %v<number> holds: the pool at the thread's number, in a different order for each operand.
std::string pick(unsigned number) {
  constexpr std::array<std::string_view, 4> orders = {"  rem.u32 %i4, %i1, 24;\n", "  div.u32 %i4, %i1, 24;\n",
                                                      "  mad.lo.u32 %i4, %i1, 7, 3;\n  rem.u32 %i4, %i4, 24;\n",
                                                      "  mad.lo.u32 %i4, %i1, 11, 5;\n  rem.u32 %i4, %i4, 24;\n"};
  return fmt::format("{}  mul.wide.u32 %at3, %i4, 8;\n  add.u64 %at3, %at3, %at0;\n  ld.global.b64 %v{}, [%at3];\n",
                     orders.at(number % orders.size()), number);
}

std::optional<DataType> type_of(std::string_view kind, const Form& form) {
  const auto widened = [](DataType type) {
    switch (type) {
      case DataType::u16:
        return DataType::u32;
      case DataType::s16:
        return DataType::s32;
      case DataType::u32:
        return DataType::u64;
      default:
        return DataType::s64;
    }
  };
  if (kind == "t") return form.types.at(0);
  if (kind == "s") return form.types.at(1);
  if (kind == "w") return widened(form.types.at(0));
  if (kind == "p") return DataType::pred;
  if (kind == "u32" || kind == "b32" || kind == "s32") return DataType::b32;
  if (kind == "f32") return DataType::f32;
  if (kind == "b16") return DataType::b16;
  if (kind == "b64") return DataType::b64;
  return std::nullopt;
}

/// Text of a kernel under construction.
class Writer {
 public:
  explicit Writer(const Form& form) : form_(form) {}

  std::string text();

 private:
  bool may_be_wider() const { return form_.rule->opcode == kernel::Opcode::cvt; }
  std::string source(DataType type);
  std::string destination(DataType type);
  std::string vector(bool loads);
  std::string memory(bool holds_value);
  std::string part(bool is_destination);
  bool says(std::string_view modifier) const {
    return std::find(form_.modifiers.begin(), form_.modifiers.end(), modifier) != form_.modifiers.end();
  }
  /// A version and target that support the form.
  std::string_view header() const;
  /// Video: a second operation, or a partial destination, needs a third source.
  bool combines() const { return says("add") || says("min") || says("max"); }
  bool merges() const { return !combines() && form_.number % 3 != 0; }

  const Form& form_;
  unsigned sources_ = 0;
  std::string before_;
  std::string after_;
  unsigned stored_ = 0;
};

std::string_view Writer::header() const {
  const bool is_mixed = form_.types.size() == 2 && form_.types[0] == DataType::f32 &&
                        (form_.types[1] == DataType::f16 || form_.types[1] == DataType::bf16);
  const bool of_three = form_.rule->operands.ends_with("t t t?") || says("abs");
  if (of_three || says("f32x2")) return ".version 8.8\n.target sm_100";
  if (says("v4") && kernel::bytes_of(form_.types[0]) == 8) return ".version 8.8\n.target sm_100";
  if (form_.rule->opcode == kernel::Opcode::cvt && says("tf32") && says("satfinite") && !says("rna"))
    return ".version 8.6\n.target sm_100";
  const bool adds = form_.rule->opcode == kernel::Opcode::add || form_.rule->opcode == kernel::Opcode::sub ||
                    form_.rule->opcode == kernel::Opcode::fma;
  return adds && is_mixed ? ".version 8.6\n.target sm_100" : ".version 8.2\n.target sm_90";
}

std::string Writer::source(DataType type) {
  const unsigned k = sources_++;
  before_ += pick(k);
  if (type == DataType::pred) {
    before_ += fmt::format("  and.b64 %d7, %v{0}, 1;\n  setp.ne.b64 %p{0}, %d7, 0;\n", k);
    return fmt::format("%p{}", k);
  }
  const unsigned bytes = kernel::bytes_of(type);
  if (bytes == 8) return fmt::format("%v{}", k);
  if (bytes == 2) {
    before_ += fmt::format("  cvt.u16.u64 %h{0}, %v{0};\n", k);
    return fmt::format("%h{}", k);
  }
  before_ += fmt::format("  cvt.u32.u64 %r{0}, %v{0};\n", k);
  return fmt::format("%r{}", k);
}

std::string Writer::destination(DataType type) {
  const unsigned at = 8 * stored_;
  const unsigned k = 4 + stored_++;
  if (type == DataType::pred) {
    after_ += fmt::format("  selp.b32 %r{0}, 1, 0, %p{0};\n  st.global.b32 [%at1+{1}], %r{0};\n", k, at);
    return fmt::format("%p{}", k);
  }
  unsigned bytes = kernel::bytes_of(type);
  // PTX does not allow a wider type for a bf16 source.
  if (may_be_wider() && bytes < 4) bytes = kernel::is_float(type) || form_.types.at(1) == DataType::bf16 ? 2 : 4;
  std::string name = fmt::format("{}{}", bytes == 8 ? "%d" : bytes == 4 ? "%r" : "%h", k);
  after_ += fmt::format("  st.global.b{} [%at1+{}], {};\n", 8 * bytes, at, name);
  return name;
}

// The data of ld and st: wider registers where PTX allows them for narrow types.
std::string Writer::vector(bool loads) {
  const bool may_be_wide = form_.rule->opcode == kernel::Opcode::ld || form_.rule->opcode == kernel::Opcode::st;
  const bool wide = (may_be_wide && form_.modifiers.size() % 2 == 0) || kernel::bytes_of(form_.types[0]) == 8;
  const unsigned parts = says("v4") ? 4 : says("v2") ? 2 : 1;
  std::string list;
  for (unsigned i = 0; i < parts; ++i) {
    list += i == 0 ? "" : ", ";
    const DataType type = wide ? DataType::b64 : DataType::b32;
    list += loads ? destination(type) : source(type);
  }
  return parts == 1 ? list : fmt::format("{{{}}}", list);
}

std::string Writer::memory(bool holds_value) {
  // These read memory that no thread may write: the pool.
  if (says("nc") || form_.rule->mnemonic == "ldu") {
    before_ += "  rem.u32 %i4, %i1, 6;\n  mul.wide.u32 %at3, %i4, 32;\n  add.u64 %at3, %at3, %at0;\n";
    return "[%at3]";
  }
  const bool shared = form_.space == "shared";
  // The thread's own 32 bytes, filled from the pool.
  const std::string place = shared ? "%i2" : "%at1";
  const std::string space = shared ? "shared" : "global";
  for (unsigned i = 0; i < 4; ++i) {
    before_ += pick(i) + fmt::format("  st.{}.b64 [{}+{}], %v{};\n", space, place, 32 * (shared ? 0 : 1) + 8 * i, i);
  }
  sources_ = holds_value ? 1 : 0;
  for (unsigned i = 0; i < 4 && shared; ++i) {
    after_ += fmt::format("  ld.shared.b64 %d7, [%i2+{0}];\n  st.global.b64 [%at1+{1}], %d7;\n", 8 * i, 32 + 8 * i);
  }
  return fmt::format("[{}{}]", place, shared ? "" : "+32");
}

// Cycles through parts of registers and the signs that vmad accepts.
std::string Writer::part(bool is_destination) {
  constexpr std::array<std::string_view, 7> parts = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
  const bool is_mad = form_.rule->mnemonic == "vmad";
  if (is_destination) {
    // The value to merge with is stored before the register is written: only the part changes.
    return destination(DataType::b32) + std::string(merges() ? parts[1 + form_.number % 6] : "");
  }
  const unsigned index = sources_;
  const bool minus = is_mad && !says("po") && (form_.number % 4 == index + 1 || (form_.number % 4 == 0 && index < 2));
  const std::string name = source(DataType::b32);
  const std::string_view chosen = index == 2 ? "" : parts[(form_.number / (index == 0 ? 1 : 7) + index) % 7];
  return fmt::format("{}{}{}", minus ? "-" : "", name, chosen);
}

std::string Writer::text() {
  std::string operands;
  std::string_view rest = form_.rule->operands;
  const bool has_boolean = std::any_of(form_.modifiers.begin(), form_.modifiers.end(), [](const std::string& word) {
    return word == "and" || word == "or" || word == "xor";
  });
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (word == "p?" && !has_boolean) continue;
    if (word == "policy?") continue;
    if (word == "b32?" && !combines() && !merges()) continue;
    if (word == "=cc") {
      after_ += "  addc.u32 %i5, 0, 0;\n  st.global.b32 [%at1+56], %i5;\n";
      continue;
    }
    if (word == "cc") {
      before_ += pick(sources_) + fmt::format("  cvt.u32.u64 %i5, %v{};\n", sources_);
      before_ += "  and.b32 %i5, %i5, 1;\n  add.cc.u32 %i5, %i5, -1;\n";
      continue;
    }
    operands += operands.empty() ? " " : ", ";
    if (word == "=v" || word == "v") {
      operands += vector(word == "=v");
    } else if (word == "mem") {
      operands += memory(form_.rule->opcode != kernel::Opcode::ld && form_.rule->opcode != kernel::Opcode::st);
    } else if (word == "#") {
      operands += fmt::format("{}", (0xd8 + 37 * form_.number) % 256);
    } else if (word == "part" || word == "=part") {
      operands += part(word == "=part");
    } else if (word == "=t|p") {
      const std::string first = destination(form_.types.at(0));
      operands += fmt::format("{}|{}", first, destination(DataType::pred));
    } else if (word == "=p|p?") {
      const std::string first = destination(DataType::pred);
      operands += fmt::format("{}|{}", first, destination(DataType::pred));
    } else if (word.starts_with('=')) {
      operands += destination(type_of(word.substr(1), form_).value());
    } else {
      operands += source(type_of(word.substr(0, word.find('?')), form_).value());
    }
  }
  return fmt::format(frame, header(), fmt::format("{}  {}{};\n{}", before_, form_.mnemonic, operands, after_));
}

}  // namespace

Case operation_case(const Form& form) {
  Case result;
  result.name = form.mnemonic;
  result.ptx = Writer(form).text();
  result.program = kernel::load_program_text(result.ptx, form.mnemonic, "kernel");
  result.grid = {3};
  result.block = {pool_size * pool_size / 3};
  result.output_bytes = result.threads() * 64;
  result.input.clear();
  for (const std::uint64_t value : pool_for(form)) {
    result.input.push_back(static_cast<std::uint32_t>(value));
    result.input.push_back(static_cast<std::uint32_t>(value >> 32));
  }
  return result;
}

}  // namespace reconverge::contract
