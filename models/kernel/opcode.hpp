#pragma once
/// The vocabulary of decoded PTX: operations, types and modifiers. Names follow the PTX ISA manual.

#include <cstdint>
#include <string_view>

namespace reconverge::kernel {

enum class Opcode : std::uint8_t {
  nop,
  // data movement
  mov, selp, cvt, cvta, ld, st, ld_param,
  // integer, and float where PTX shares the mnemonic (the type tells)
  add, sub, mul, mad, fma, div, rem, abs, neg, min, max,
  and_, or_, xor_, not_, cnot, shl, shr,
  mul24, mad24, sad, popc, clz, brev, bfe, bfi, bfind, prmt, lop3, shf, slct, dp4a,
  // float only
  rcp, sqrt, rsqrt, sin, cos, ex2, lg2, tanh, copysign, testp,
  // comparison
  set, setp,
  // packing: mov.b64 {a,b} and its inverse (destination/source in order of the vector)
  pack, unpack,
  // memory
  atom, red, membar,
  // warp and block
  bar, vote, shfl, activemask, match, redux,
  // control
  bra, brx, call, ret, exit, trap,
  // dynamic special registers: %clock, %clock64, %lanemask_*, %globaltimer; `variant` tells which
  read_special,
  // an instruction that a scheme added; Instruction::extension tells which
  extension,
  count
};

enum class DataType : std::uint8_t {
  none, pred, b8, b16, b32, b64, u8, u16, u32, u64, s8, s16, s32, s64, f16, f16x2, f32, f64
};

/// What pipe an operation takes and how its time is found. One of the parameters of the SM for each.
enum class OperationClass : std::uint8_t {
  alu,       ///< single-precision and 32-bit integer arithmetic, logic, moves
  multiply,  ///< 32-bit integer multiply, shifts, bit-field, conversions: slower on many machines
  special,   ///< rcp sqrt rsqrt sin cos ex2 lg2, and the sequences for IEEE division
  fp64,      ///< double precision
  load, store, atomic,
  control,   ///< bra, brx, call, ret, exit
  barrier,   ///< bar, membar
  warp,      ///< vote, shfl, match, redux
  extension,
  count
};

enum class Space : std::uint8_t { none, generic, global, shared, local, constant, param };
enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rni, rzi, rmi, rpi };
enum class Comparison : std::uint8_t {
  none, eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan
};
enum class Boolean : std::uint8_t { none, and_, or_, xor_ };
enum class Half : std::uint8_t { none, lo, hi, wide };
enum class AtomicOperation : std::uint8_t { none, add, min, max, and_, or_, xor_, inc, dec, exch, cas };

constexpr unsigned bytes_of(DataType type) {
  switch (type) {
    case DataType::b8: case DataType::u8: case DataType::s8: return 1;
    case DataType::b16: case DataType::u16: case DataType::s16: case DataType::f16: return 2;
    case DataType::b32: case DataType::u32: case DataType::s32: case DataType::f32: case DataType::f16x2: return 4;
    case DataType::b64: case DataType::u64: case DataType::s64: case DataType::f64: return 8;
    default: return 0;
  }
}

constexpr bool is_float(DataType type) {
  return type == DataType::f16 || type == DataType::f16x2 || type == DataType::f32 || type == DataType::f64;
}

constexpr bool is_signed(DataType type) {
  return type == DataType::s8 || type == DataType::s16 || type == DataType::s32 || type == DataType::s64;
}

/// PTX spelling, without the leading dot.
std::string_view name_of(DataType type);
std::string_view name_of(Opcode opcode);
std::string_view name_of(OperationClass operation_class);
std::string_view name_of(Space space);

}  // namespace reconverge::kernel
