// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The vocabulary of decoded PTX: operations, types and modifiers. Names follow the PTX ISA manual.

#include <cstdint>
#include <string_view>

namespace reconverge::kernel {

enum class Opcode : std::uint8_t {
  nop,
  // data movement
  mov,
  selp,
  cvt,
  cvta,
  isspacep,
  ld,
  st,
  ld_param,
  // integer, and floating-point if PTX has the same mnemonic (the type distinguishes them)
  add,
  sub,
  mul,
  mad,
  fma,
  div,
  rem,
  abs,
  neg,
  min,
  max,
  and_,
  or_,
  xor_,
  not_,
  cnot,
  shl,
  shr,
  mul24,
  mad24,
  sad,
  popc,
  clz,
  brev,
  bfe,
  bfi,
  bfind,
  prmt,
  lop3,
  shf,
  slct,
  dp4a,
  dp2a,
  bmsk,
  szext,
  fns,
  video,  // vadd vsub vabsdiff vmin vmax vset vshl vshr vmad
  // float only
  rcp,
  sqrt,
  rsqrt,
  sin,
  cos,
  ex2,
  lg2,
  tanh,
  copysign,
  testp,
  // comparison
  set,
  setp,
  // packing: mov.b64 {a,b} and its inverse (destination/source in order of the vector)
  pack,
  unpack,
  // conversions that pack: cvt.pack; pairs of 8-bit floats
  cvt_pack,
  cvt_fp8,
  // memory
  atom,
  red,
  mbarrier,
  bulk_copy,
  tex,
  membar,
  // warp and block
  bar,
  vote,
  shfl,
  activemask,
  match,
  redux,
  elect,
  // matrices
  mma,
  ldmatrix,
  stmatrix,
  movmatrix,
  // control
  bra,
  brx,
  call,
  ret,
  exit,
  trap,
  // host functions of a kernel; `variant` is the function
  host,
  // dynamic special registers: %clock, %clock64, %lanemask_*, %globaltimer; `variant` is the register
  read_special,
  // an extension instruction of a scheme; Instruction::extension is its index
  extension,
  count
};

enum class DataType : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
  f32x2  ///< only for instructions; registers are declared .b64
};

/// The pipe of an operation and the source of its timing. The SM has a parameter for each.
enum class OperationClass : std::uint8_t {
  alu,       ///< single-precision and 32-bit integer arithmetic, logic, moves
  multiply,  ///< 32-bit integer multiply, shifts, bit-field, conversions: slower on many machines
  special,   ///< rcp sqrt rsqrt sin cos ex2 lg2, and the sequences for IEEE division
  fp64,      ///< double precision
  load,
  store,
  atomic,
  control,  ///< bra, brx, call, ret, exit
  barrier,  ///< bar, membar
  warp,     ///< vote, shfl, match, redux
  matrix,   ///< steps of mma and wmma
  extension,
  count
};

/// `spawn`: memory of a scheme, on chip or not, through which threads of an SM pass data to other threads
/// (extension.hpp).
enum class Space : std::uint8_t { none, generic, global, shared, local, constant, param, spawn };
enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rni, rzi, rmi, rpi };
enum class Comparison : std::uint8_t {
  none,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};
enum class Boolean : std::uint8_t { none, and_, or_, xor_ };
enum class Half : std::uint8_t { none, lo, hi, wide };
enum class AtomicOperation : std::uint8_t { none, add, min, max, and_, or_, xor_, inc, dec, exch, cas };
/// Element types of matrices.
enum class MatrixElement : std::uint8_t { f16, bf16, tf32, f64, u8, s8, u4, s4, b1, e4m3, e5m2 };
inline constexpr unsigned matrix_element_bits = 4;  ///< of a MatrixElement in Instruction::variant

constexpr unsigned bytes_of(DataType type) {
  switch (type) {
    case DataType::b8:
    case DataType::u8:
    case DataType::s8:
      return 1;
    case DataType::b16:
    case DataType::u16:
    case DataType::s16:
    case DataType::f16:
    case DataType::bf16:
      return 2;
    case DataType::b32:
    case DataType::u32:
    case DataType::s32:
    case DataType::f32:
    case DataType::f16x2:
    case DataType::bf16x2:
      return 4;
    case DataType::b64:
    case DataType::u64:
    case DataType::s64:
    case DataType::f64:
    case DataType::f32x2:
      return 8;
    default:
      return 0;
  }
}

constexpr bool is_float(DataType type) { return type >= DataType::f16; }

constexpr unsigned bits_of(MatrixElement element) {
  switch (element) {
    case MatrixElement::f16:
    case MatrixElement::bf16:
      return 16;
    case MatrixElement::tf32:
      return 32;
    case MatrixElement::f64:
      return 64;
    case MatrixElement::u4:
    case MatrixElement::s4:
      return 4;
    case MatrixElement::b1:
      return 1;
    default:
      return 8;
  }
}

constexpr bool is_signed(DataType type) {
  return type == DataType::s8 || type == DataType::s16 || type == DataType::s32 || type == DataType::s64;
}

/// Values of `Instruction::variant`, by opcode. Zero is the plain form.
///
/// Operand order follows PTX. In addition:
/// - mul and mad with Half::wide: `type` is that of the narrow sources; the destination (and mad's addend) has twice
///   their width.
/// - shl, shr: source[1] is a 32-bit count. popc, clz, bfind: the destination has 32 bits. bfe: source[1..2], bfi:
///   source[2..3] have 32 bits.
/// - set, slct, cvt, dp4a: `type` then `source_type`, in PTX order.
/// - add, sub, fma on floats with a `source_type`: the type of all sources except the last. Modifiers:
///   float_modifier.hpp.
/// - setp, set with `boolean`: source[2] is the predicate. selp: source[2]. testp, vote, match.all, shfl: see below.
/// - pack, unpack: `type` is the type of the whole; `vector_width` parts; a part `_` of unpack is an absent
///   destination.
/// - cvt_pack: variant is a PackedInteger; source[2] fills the upper bits, and is absent for 16 bits.
/// - cvt_fp8: variant is an Fp8Conversion, bit 0 of `offset` is .relu. From f32, source[0] becomes the upper result.
/// - ld, st: source[0] address, source[1..4] data. atom, red: source[1] data; cas: source[1] compare, source[2] new;
///   of two words (.b128): source[1..2] compare, source[3..4] new.
/// - min, max of f32: source[2] is a third number, or absent.
/// - ld_param: no source; `offset` counts from the start of the parameter block. `ld` with Space::param: the
///   address is such an offset.
/// - shfl: destination[1] is the optional predicate; source[0] value, [1] lane or delta, [2] clamp and segment mask,
///   [3] member mask (absent without .sync). match.all: destination[1] likewise. vote, match, redux: source[1] is
///   the member mask. elect: destination[1] is the predicate of the leader.
/// - Carries (add, sub, mad of integers): the condition code CC.CF is an ordinary predicate, written to destination[1]
///   and read from the source after the operands (add, sub: source[2], mad: source[3]).
/// - min, max, add of pairs of 16 bits: variant is a PairedHalves and the operands have 32 bits. bmsk, szext: variant 1
///   is .wrap.
/// - mbarrier: variant is a MbarrierOperation; source[0] address, source[1] count, state or parity (absent: 1).
///   pending_count has the state in source[0] and no address.
/// - bulk_copy: source[0] address in global memory, source[1] in shared memory (of 32 or 64 bits), source[2] bytes;
///   variant 1: from shared to global memory; otherwise from global to shared memory, with the bytes as the result.
/// - video: `variant` is the VideoOperation, `offset` the rest (video.hpp).
/// - tex: source[0] is the texture's handle, source[1...] coordinates; variant: dimensions minus one (texture.hpp).
/// - bar: `offset` is the barrier, or -1 if source[0] holds it; source[1] the thread count, if given; source[2] the
///   predicate of .red. bar.warp.sync: source[0] is the member mask.
/// - call: destination[0] gets the return address; source[0] is the function pointer if `target` is none. ret:
///   source[0] is the return address, source[1] the stack pointer, which is unchanged. Both are used only for functions
///   that the program calls; an entry ends with exit, even if the PTX has ret.
/// - extension: operands as the ExtensionInstruction says, which is Program::extensions[extension]; variant is a Fork.
/// - host: arguments of the function in source[0...], with the widths in `wide_operands`; its result in
///   destination[0]. print: format, address of the arguments. assert_fail: message, file, line, function. allocate:
///   bytes. release: address. Addresses are generic.
/// - mma: one step, 16 or 8 rows by 8 columns, with a depth of 128 bits (matrix_forms.hpp). `type` is the type of D,
///   `source_type` that of C; variant: MatrixElement of A in bits 0 to 3, of B in bits 4 to 7; `boolean`: the
///   multiplication of single bits. source[0...1]: A (rows 0 to 7, 8 to 15), [2]: B, [3...6]: C; destination: D.
/// - ldmatrix, stmatrix: source[0] address, source[1...] data; `vector_width` matrices; bit 0 of variant is .trans.
/// - lop3: `offset` is the table; with `boolean`, destination[1] is a predicate, combined with source[3]. cvta:
///   variant 1 is `.to` (generic to `space`), 0 is `space` to generic.
/// - bfind: variant 1 is .shiftamt. div: `approximate` with variant 1 is .full.
/// - values of 8 and 16 bits occupy a row, of which only the low bits are used; ld and cvt extend to the whole
///   destination, with the signedness of `type`.
enum class ShuffleMode : std::uint8_t { up, down, bfly, idx };
enum class VoteMode : std::uint8_t { all, any, uni, ballot };
enum class MatchMode : std::uint8_t { any, all };
enum class PermuteMode : std::uint8_t { none, f4e, b4e, rc8, ecl, ecr, rc16 };
enum class PairedHalves : std::uint8_t { none, u16x2, s16x2, s16x2_relu, s32_relu };
enum class PackedInteger : std::uint8_t { u16, s16, u8, s8, u4, s4, u2, s2 };
enum class Fp8Conversion : std::uint8_t {
  e4m3x2_f32,
  e5m2x2_f32,
  e4m3x2_f16x2,
  e5m2x2_f16x2,
  f16x2_e4m3x2,
  f16x2_e5m2x2
};
enum class FunnelShift : std::uint8_t { left_clamp, left_wrap, right_clamp, right_wrap };
enum class FloatProperty : std::uint8_t { finite, infinite, number, notanumber, normal, subnormal };
enum class BarrierMode : std::uint8_t { sync, arrive, red_popc, red_and, red_or, warp_sync };
enum class MbarrierOperation : std::uint8_t {
  init,
  inval,
  arrive,
  arrive_drop,
  arrive_expect_tx,
  arrive_drop_expect_tx,
  expect_tx,
  complete_tx,
  test_wait,
  test_wait_parity,
  pending_count
};
enum class HostFunction : std::uint8_t { print, assert_fail, allocate, release };
/// For an extension instruction with a target: whether the thread that begins there gets this thread's registers.
enum class Fork : std::uint8_t { none, record, stack };
enum class FenceScope : std::uint8_t { block, device, system };
/// ld and st: cache behaviour of the access, or its memory ordering.
enum class CacheOperator : std::uint8_t { none, ca, cg, cs, lu, cv, wb, wt, nc, volatile_, relaxed, acquire, mmio };
/// read_special.
enum class DynamicRegister : std::uint8_t {
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  aggr_smem_size
};

/// The PTX spelling, without the leading dot.
std::string_view name_of(DataType type);
std::string_view name_of(Opcode opcode);
std::string_view name_of(OperationClass operation_class);
std::string_view name_of(Space space);
std::string_view name_of(Rounding rounding);
std::string_view name_of(Comparison comparison);
std::string_view name_of(Boolean boolean);
std::string_view name_of(Half half);
std::string_view name_of(AtomicOperation operation);
std::string_view name_of(MatrixElement element);
/// With the leading %, as PTX writes it.
std::string_view name_of(DynamicRegister dynamic_register);

}  // namespace reconverge::kernel
