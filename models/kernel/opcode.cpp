// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/opcode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

namespace {

template <typename Enum, std::size_t size>
std::string_view name_in(const std::array<std::string_view, size>& names, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < size ? names[index] : std::string_view("?");
}

constexpr auto data_types = std::to_array<std::string_view>({"none", "pred",  "b8",   "b16",    "b32", "b64", "u8",
                                                             "u16",  "u32",   "u64",  "s8",     "s16", "s32", "s64",
                                                             "f16",  "f16x2", "bf16", "bf16x2", "f32", "f64", "f32x2"});

constexpr auto opcodes = std::to_array<std::string_view>(
    {"nop",      "mov",      "selp",      "cvt",   "cvta",     "isspacep",     "ld",        "st",      "ld.param",
     "add",      "sub",      "mul",       "mad",   "fma",      "div",          "rem",       "abs",     "neg",
     "min",      "max",      "and",       "or",    "xor",      "not",          "cnot",      "shl",     "shr",
     "mul24",    "mad24",    "sad",       "popc",  "clz",      "brev",         "bfe",       "bfi",     "bfind",
     "prmt",     "lop3",     "shf",       "slct",  "dp4a",     "dp2a",         "bmsk",      "szext",   "fns",
     "video",    "rcp",      "sqrt",      "rsqrt", "sin",      "cos",          "ex2",       "lg2",     "tanh",
     "copysign", "testp",    "set",       "setp",  "pack",     "unpack",       "cvt.pack",  "cvt.fp8", "atom",
     "red",      "mbarrier", "bulk_copy", "tex",   "membar",   "bar",          "vote",      "shfl",    "activemask",
     "match",    "redux",    "elect",     "mma",   "ldmatrix", "stmatrix",     "movmatrix", "bra",     "brx",
     "call",     "ret",      "exit",      "trap",  "host",     "read_special", "extension"});
static_assert(opcodes.size() == static_cast<std::size_t>(Opcode::count));

constexpr auto classes =
    std::to_array<std::string_view>({"alu", "multiply", "special", "fp64", "load", "store", "atomic", "control",
                                     "barrier", "warp", "matrix", "extension"});
static_assert(classes.size() == static_cast<std::size_t>(OperationClass::count));

constexpr auto spaces =
    std::to_array<std::string_view>({"none", "generic", "global", "shared", "local", "const", "param", "spawn"});
constexpr auto roundings =
    std::to_array<std::string_view>({"none", "rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"});
constexpr auto comparisons =
    std::to_array<std::string_view>({"none", "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu",
                                     "ltu", "leu", "gtu", "geu", "num", "nan"});
constexpr auto booleans = std::to_array<std::string_view>({"none", "and", "or", "xor"});
constexpr auto halves = std::to_array<std::string_view>({"none", "lo", "hi", "wide"});
constexpr auto atomics =
    std::to_array<std::string_view>({"none", "add", "min", "max", "and", "or", "xor", "inc", "dec", "exch", "cas"});
constexpr auto matrix_elements =
    std::to_array<std::string_view>({"f16", "bf16", "tf32", "f64", "u8", "s8", "u4", "s4", "b1", "e4m3", "e5m2"});
constexpr auto dynamic_registers =
    std::to_array<std::string_view>({"%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo",
                                     "%globaltimer_hi", "%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge",
                                     "%lanemask_gt", "%dynamic_smem_size", "%total_smem_size", "%aggr_smem_size"});
constexpr auto special_rows = std::to_array<std::string_view>(
    {"%tid.x",  "%tid.y",  "%tid.z",   "%ctaid.x",  "%ctaid.y",     "%ctaid.z",     "%laneid",    "%warpid",
     "%ntid.x", "%ntid.y", "%ntid.z",  "%nctaid.x", "%nctaid.y",    "%nctaid.z",    "%nwarpid",   "%smid",
     "%nsmid",  "%gridid", "%envreg1", "%envreg2",  "%extension_0", "%extension_1", "%local_home"});
static_assert(special_rows.size() == static_cast<std::size_t>(SpecialRow::count));

}  // namespace

std::string_view name_of(DataType type) { return name_in(data_types, type); }
std::string_view name_of(Opcode opcode) { return name_in(opcodes, opcode); }
std::string_view name_of(OperationClass operation_class) { return name_in(classes, operation_class); }
std::string_view name_of(Space space) { return name_in(spaces, space); }
std::string_view name_of(Rounding rounding) { return name_in(roundings, rounding); }
std::string_view name_of(Comparison comparison) { return name_in(comparisons, comparison); }
std::string_view name_of(Boolean boolean) { return name_in(booleans, boolean); }
std::string_view name_of(Half half) { return name_in(halves, half); }
std::string_view name_of(AtomicOperation operation) { return name_in(atomics, operation); }
std::string_view name_of(MatrixElement element) { return name_in(matrix_elements, element); }
std::string_view name_of(DynamicRegister dynamic_register) { return name_in(dynamic_registers, dynamic_register); }
std::string_view name_of(SpecialRow row) { return name_in(special_rows, row); }

std::string place_of(const Program& program, Pc pc) {
  std::string text = fmt::format("{}:{}", program.file, program.instructions[pc].line);
  if (pc < program.source_lines.size() && program.source_lines[pc].line != 0) {
    const SourceLine& source = program.source_lines[pc];
    text += fmt::format(" ({}:{})", program.source_files[source.file], source.line);
  }
  return text;
}

std::string place_of(const Program& program, const Instruction& instruction) {
  return place_of(program, static_cast<Pc>(&instruction - program.instructions.data()));
}

std::string to_string(const Program& program, const Warning& warning) {
  return fmt::format("{}:{}: {}", program.file, warning.line, warning.text);
}

const FunctionRange* function_at(const Program& program, std::uint64_t address) {
  const auto found =
      std::find_if(program.functions.begin() + (program.functions.empty() ? 0 : 1), program.functions.end(),
                   [&](const FunctionRange& function) { return function.address == address; });
  return found == program.functions.end() ? nullptr : &*found;
}

void place_globals(Program& program, const std::vector<std::uint64_t>& addresses) {
  for (const AddressConstant& reference : program.address_constants) {
    program.constants.at(reference.constant).bits =
        addresses.at(reference.global) + static_cast<std::uint64_t>(reference.addend);
  }
}

}  // namespace reconverge::kernel
